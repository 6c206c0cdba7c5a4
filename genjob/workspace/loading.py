"""A folder → its workspace: the files that people write, read and checked on their own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from genjob.crd.library import SchemaSet
from genjob.diagnostics import Diagnostic, ToolError
from genjob.document import Document, read_bytes, read_document, read_document_file
from genjob.memory.memory import EXPERIMENT_FILE
from genjob.memory.snapshot import SETTINGS_FILE
from genjob.model.environment import Environment, Target
from genjob.model.snapshot import Snapshot
from genjob.model.validation import validated
from genjob.model.workspace import Workspace
from genjob.resolve.precedence import EnvironmentFile
from genjob.workspace.deferred import Deferred
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
from genjob.workspace.reading import reading_of
from genjob.workspace.root import find_root
from genjob.workspace.snapshotchecks import snapshot_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from genjob.diagnostics import Finding
    from genjob.memory.memory import Reading
    from genjob.model.names import Engine
    from genjob.model.validation import AnyModel

__all__ = ["EXPERIMENT_FILE", "SETTINGS_FILE", "Loaded", "find_root", "load", "read_settings"]

SNAPSHOT = ".snapshot"
"""What stands between the name of an environment and the ending in the file of its snapshot."""

_NOTHING: Mapping[str, Reading] = MappingProxyType({})


@dataclass(frozen=True)
class Loaded:
    """A workspace that was read: what is well formed, and what is wrong with the rest.

    `broken` and `broken_environments` name those whose files cannot be used; an environment is
    known by the name of its file, an experiment by that of its folder. `known` are the experiments
    without findings, whose documents are read again when somebody asks for one.
    """

    root: Path
    settings: Workspace
    environments: dict[str, EnvironmentFile]
    experiments: Mapping[str, Document]
    diagnostics: list[Diagnostic]
    broken: frozenset[str] = frozenset()
    broken_environments: frozenset[str] = frozenset()
    sources: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Reading] = field(default_factory=dict)

    @cached_property
    def schemas(self) -> SchemaSet:
        """The schemas of this workspace, then those that came with us."""
        return SchemaSet.of(self.root / "schemas")

    @cached_property
    def claims(self) -> frozenset[str]:
        """The claims that the experiments make, as each says for itself."""
        return frozenset(claim for name in self.experiments for claim in self.reading(name).claims)

    def reading(self, name: str) -> Reading:
        """Return what an experiment says that concerns others."""
        return self.known.get(name) or reading_of(name, self.experiments[name])

    def engine(self, environment: str) -> Engine:
        """Return what applies the rendered files of an environment."""
        return self.environments[environment].model.cluster.engine or self.settings.gitops.engine

    def experiment_folder(self, name: str) -> Path:
        """Return the folder of an experiment."""
        return self.root / self.settings.paths.experiments / name


class _Reader:
    """Reads the files of one workspace and collects what is wrong with them."""

    def __init__(self, root: Path, known: Mapping[str, Reading]) -> None:
        self.root = root
        self.known = dict(known)
        self.diagnostics: list[Diagnostic] = []
        self.sources = Deferred[str]()

    def name_of(self, path: Path) -> str:
        """Return what findings call a file."""
        return path.relative_to(self.root).as_posix()

    def document(self, path: Path) -> Document | None:
        """Return the document in a file of the workspace, or None when it has none."""
        file = self.name_of(path)
        document, diagnostics = read_document_file(path, file)
        self.diagnostics.extend(diagnostics)
        if document is not None:
            self.sources.keep(file, "\n".join(document.lines))
        elif isinstance(source := read_bytes(path, file), bytes):
            self.sources.keep(file, source.decode("utf-8", "replace"))
        return document

    def refuse_name(self, path: Path, expected: str) -> None:
        """Report a file that would be read if it were called `expected`."""
        file = self.name_of(path)
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


def load(root: Path, known: Mapping[str, Reading] = _NOTHING) -> Loaded:
    """Read a workspace; what is wrong is collected, a broken file never hides another.

    `known` are the experiments of which all is known already that concerns others.
    """
    reader = _Reader(root, known)
    settings = _settings(reader)
    environments, broken_environments = _environments(reader, settings)
    experiments, broken = _experiments(reader, settings)
    loaded = Loaded(
        root,
        settings,
        environments,
        experiments,
        reader.diagnostics,
        frozenset(broken),
        frozenset(broken_environments),
        reader.sources,
        reader.known,
    )
    _report_unknown_environments(reader, loaded)
    return loaded


def read_settings(root: Path) -> Workspace:
    """Return the settings of a workspace, the usual ones where its file cannot be used."""
    return _settings(_Reader(root, _NOTHING))


def _report_unknown_environments(reader: _Reader, loaded: Loaded) -> None:
    known = {*loaded.environments, *loaded.broken_environments}
    folder = loaded.settings.paths.environments
    for name in loaded.experiments:
        if not known.issuperset(loaded.reading(name).environments):
            document = loaded.experiments[name]
            reader.report(document, unknown_environments(document, known, folder))


def _again(file: str, path: Path) -> Document:
    """Return the document of a file that an earlier run read well."""
    return _parsed(file, _text(path))


def _parsed(file: str, text: str) -> Document:
    document, _ = read_document(text.encode(), file)
    if document is None:
        raise ToolError(f"'{file}' changed while it was read; run this again")
    return document


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


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


def _experiments(reader: _Reader, settings: Workspace) -> tuple[Deferred[Document], list[str]]:
    found, broken = Deferred[Document](), []
    folder = reader.root / settings.paths.experiments
    for path in sorted(folder.glob("*/experiment.y*ml")):
        name = path.parent.name
        if path.name != EXPERIMENT_FILE:
            reader.refuse_name(path, EXPERIMENT_FILE)
            broken.append(name)
        elif name in reader.known:
            found.defer(name, partial(_again, reader.name_of(path), path))
            reader.sources.defer(reader.name_of(path), partial(_text, path))
        elif not _read_experiment(reader, path, found):
            broken.append(name)
    return found, broken


def _read_experiment(reader: _Reader, path: Path, found: Deferred[Document]) -> bool:
    """Read an experiment; one without findings is kept in brief and can be read again."""
    name, before = path.parent.name, len(reader.diagnostics)
    document = reader.document(path)
    if document is None:
        return False
    reader.report(document, experiment_problems(document, name))
    if len(reader.diagnostics) > before:
        found.keep(name, document)
    else:
        reader.known[name] = reading_of(name, document)
        found.defer(name, partial(_parsed, document.file, "\n".join(document.lines)), document)
    return True
