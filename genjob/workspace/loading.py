"""A folder → its workspace: the files that people write, read and checked on their own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from genjob.crd.library import SchemaSet
from genjob.diagnostics import Diagnostic
from genjob.document import Document, read_bytes, read_document_file
from genjob.model.environment import Environment, Target
from genjob.model.snapshot import Snapshot
from genjob.model.validation import validated
from genjob.model.workspace import Workspace
from genjob.resolve.merge import value_at
from genjob.resolve.precedence import EnvironmentFile
from genjob.workspace.filechecks import (
    engine_problems,
    environment_problems,
    experiment_problems,
    misnamed,
    snapshot_of_nothing,
    unknown_environments,
    unknown_versions,
    wrong_file_name,
)
from genjob.workspace.snapshotchecks import snapshot_problems

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from genjob.diagnostics import Finding
    from genjob.model.names import Engine
    from genjob.model.validation import AnyModel

SETTINGS_FILE = "genjob.yaml"
EXPERIMENT_FILE = "experiment.yaml"
SNAPSHOT = ".snapshot"
"""What stands between the name of an environment and the ending in the file of its snapshot."""


@dataclass(frozen=True)
class Loaded:
    """A workspace that was read: what is well formed, and what is wrong with the rest.

    `broken` and `broken_environments` name those whose files cannot be used; an environment is
    known by the name of its file, an experiment by that of its folder.
    """

    root: Path
    settings: Workspace
    environments: dict[str, EnvironmentFile]
    experiments: dict[str, Document]
    diagnostics: list[Diagnostic]
    broken: frozenset[str] = frozenset()
    broken_environments: frozenset[str] = frozenset()
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def schemas(self) -> SchemaSet:
        """The schemas of this workspace, then those that came with us."""
        return SchemaSet.of(self.root / "schemas")

    @cached_property
    def claims(self) -> frozenset[str]:
        """The claims that the experiments make, as each says for itself."""
        return frozenset(
            claim
            for name, document in self.experiments.items()
            for claim in _claims_of(name, document)
        )

    def engine(self, environment: str) -> Engine:
        """Return what applies the rendered files of an environment."""
        return self.environments[environment].model.cluster.engine or self.settings.gitops.engine

    def experiment_folder(self, name: str) -> Path:
        """Return the folder of an experiment."""
        return self.root / self.settings.paths.experiments / name


def find_root(start: Path) -> Path | None:
    """Return the nearest folder upwards that is a workspace, or None."""
    start = start.resolve()
    for folder in (start, *start.parents):
        usual = all((folder / name).is_dir() for name in ("experiments", "environments"))
        if (folder / SETTINGS_FILE).is_file() or usual:
            return folder
    return None


def _claims_of(experiment: str, document: Document) -> Iterable[str]:
    storages = document.data.get("storage")
    for storage in storages if isinstance(storages, list) else ():
        name, own = value_at(storage, ("name",)), value_at(storage, ("pvc", "name"))
        if isinstance(name, str) and value_at(storage, ("pvc", "size")) is not None:
            yield own if isinstance(own, str) else f"{experiment}-{name}"


class _Reader:
    """Reads the files of one workspace and collects what is wrong with them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.diagnostics: list[Diagnostic] = []
        self.sources: dict[str, str] = {}

    def document(self, path: Path) -> Document | None:
        """Return the document in a file of the workspace, or None when it has none."""
        file = path.relative_to(self.root).as_posix()
        document, diagnostics = read_document_file(path, file)
        self.diagnostics.extend(diagnostics)
        if document is not None:
            self.sources[file] = "\n".join(document.lines)
        elif isinstance(source := read_bytes(path, file), bytes):
            self.sources[file] = source.decode("utf-8", "replace")
        return document

    def refuse_name(self, path: Path, expected: str) -> None:
        """Report a file that would be read if it were called `expected`."""
        file = path.relative_to(self.root).as_posix()
        self.diagnostics.append(wrong_file_name(file, expected))

    def model(self, document: Document, model: type[AnyModel]) -> AnyModel | None:
        """Return a document as a model, or None when it does not fit."""
        made, found = validated(model, document.data)
        self.report(document, found)
        return made

    def report(self, document: Document, found: Iterable[Finding]) -> None:
        """Collect findings about a document."""
        for f in found:
            location = document.locate(f.path, at_key=f.at_key)
            self.diagnostics.append(Diagnostic(f.code, f.message, location, f.hint, f.severity))


def load(root: Path) -> Loaded:
    """Read a workspace; what is wrong is collected, a broken file never hides another."""
    reader = _Reader(root)
    settings = _settings(reader)
    environments, broken_environments = _environments(reader, settings)
    experiments, broken = _experiments(reader, settings)
    known = {*environments, *broken_environments}
    for document in experiments.values():
        problems = unknown_environments(document, known, settings.paths.environments)
        reader.report(document, problems)
    return Loaded(
        root,
        settings,
        environments,
        experiments,
        reader.diagnostics,
        frozenset(broken),
        frozenset(broken_environments),
        reader.sources,
    )


def _settings(reader: _Reader) -> Workspace:
    path = reader.root / SETTINGS_FILE
    document = reader.document(path) if path.is_file() else None
    model = reader.model(document, Workspace) if document is not None else None
    if document is None or model is None:
        return Workspace()
    problems = engine_problems(model.gitops.engine, model.repo.url, ("gitops", "engine"))
    reader.report(document, problems)
    return model


def _environments(
    reader: _Reader, settings: Workspace
) -> tuple[dict[str, EnvironmentFile], list[str]]:
    found, broken = {}, []
    folder = reader.root / settings.paths.environments
    for path in sorted(folder.glob("*.y*ml")):
        if path.stem.endswith(SNAPSHOT):
            continue
        if path.suffix != ".yaml":
            reader.refuse_name(path, f"{path.stem}.yaml")
            broken.append(path.stem)
            continue
        document = reader.document(path)
        model = reader.model(document, Environment) if document is not None else None
        if document is None or model is None:
            broken.append(path.stem)
        else:
            file = EnvironmentFile(model, document)
            found[path.stem] = _checked(reader, file, path, settings)
    _lone_snapshots(reader, folder, {*found, *broken})
    return found, broken


def snapshot_file(settings: Workspace, environment: str) -> str:
    """Return the path of an environment's snapshot, POSIX and relative to the workspace."""
    return f"{settings.paths.environments}/{environment}{SNAPSHOT}.yaml"


def _lone_snapshots(reader: _Reader, folder: Path, known: set[str]) -> None:
    """Report the snapshots that are not read, because of their names."""
    for path in sorted(folder.glob(f"*{SNAPSHOT}.y*ml")):
        name = path.stem.removesuffix(SNAPSHOT)
        if path.suffix != ".yaml":
            reader.refuse_name(path, f"{path.stem}.yaml")
        elif name not in known:
            file = path.relative_to(reader.root).as_posix()
            reader.diagnostics.append(snapshot_of_nothing(file, name))


def _checked(
    reader: _Reader, file: EnvironmentFile, path: Path, settings: Workspace
) -> EnvironmentFile:
    """Report what is wrong with an environment; return it so that it can be used all the same."""
    schemas = SchemaSet.of(reader.root / "schemas")
    problems = [*environment_problems(file.document, file.model, path.stem, schemas)]
    file = replace(file, snapshot=_snapshot(reader, path))
    if file.snapshot is not None:
        problems += snapshot_problems(file.model, file.snapshot, schemas)
    reader.report(file.document, problems)
    engine, url = file.model.cluster.engine, settings.repo.url
    reader.report(file.document, engine_problems(engine, url, ("cluster", "engine")))
    if any(unknown_versions(file.model, schemas)):
        return replace(file, model=file.model.model_copy(update={"target": Target()}))
    return file


def _snapshot(reader: _Reader, path: Path) -> Snapshot | None:
    """Return the snapshot beside an environment, or None when there is none that can be used."""
    path = path.with_name(f"{path.stem}{SNAPSHOT}.yaml")
    document = reader.document(path) if path.is_file() else None
    model = reader.model(document, Snapshot) if document is not None else None
    if document is not None and model is not None:
        reader.report(document, misnamed(model.name, path.stem.removesuffix(SNAPSHOT)))
    return model


def _experiments(reader: _Reader, settings: Workspace) -> tuple[dict[str, Document], list[str]]:
    found, broken = {}, []
    folder = reader.root / settings.paths.experiments
    for path in sorted(folder.glob("*/experiment.y*ml")):
        if path.name != EXPERIMENT_FILE:
            reader.refuse_name(path, EXPERIMENT_FILE)
            broken.append(path.parent.name)
            continue
        document = reader.document(path)
        if document is None:
            broken.append(path.parent.name)
        else:
            found[path.parent.name] = document
            reader.report(document, experiment_problems(document, path.parent.name))
    return found, broken
