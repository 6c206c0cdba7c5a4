"""A folder → its workspace: the files that people write, read and checked on their own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from genjob.crd.library import SchemaSet
from genjob.memory.snapshot import EXPERIMENT_FILE, SETTINGS_FILE
from genjob.model.environment import Environment, Target
from genjob.model.workspace import Workspace
from genjob.resolve.precedence import EnvironmentFile
from genjob.workspace.experiments import read_experiments
from genjob.workspace.filechecks import (
    engine_problems,
    environment_problems,
    misnamed,
    snapshot_of_nothing,
    unknown_environments,
    unknown_versions,
)
from genjob.workspace.reader import NOTHING, Reader
from genjob.workspace.reading import reading_of
from genjob.workspace.root import find_root

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genjob.diagnostics import Diagnostic
    from genjob.document import Document
    from genjob.memory.memory import Reading
    from genjob.model.names import Engine
    from genjob.model.snapshot import Snapshot

__all__ = ["EXPERIMENT_FILE", "SETTINGS_FILE", "Loaded", "find_root", "load", "read_settings"]

SNAPSHOT = ".snapshot"
"""What stands between the name of an environment and the ending in the file of its snapshot."""


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


def load(root: Path, known: Mapping[str, Reading] = NOTHING) -> Loaded:
    """Read a workspace; what is wrong is collected, a broken file never hides another.

    `known` are the experiments of which all is known already that concerns others.
    """
    reader = Reader(root, known)
    settings = _settings(reader)
    environments, broken_environments = _environments(reader, settings)
    experiments, broken = read_experiments(reader, settings)
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
    return _settings(Reader(root, NOTHING))


def _report_unknown_environments(reader: Reader, loaded: Loaded) -> None:
    known = {*loaded.environments, *loaded.broken_environments}
    folder = loaded.settings.paths.environments
    for name in loaded.experiments:
        if not known.issuperset(loaded.reading(name).environments):
            document = loaded.experiments[name]
            reader.report(document, unknown_environments(document, known, folder))


def _settings(reader: Reader) -> Workspace:
    path = reader.root / SETTINGS_FILE
    document = reader.document(path) if path.is_file() else None
    model = reader.model(document, Workspace) if document is not None else None
    if document is None or model is None:
        return Workspace()
    problems = engine_problems(model.gitops.engine, model.repo.url, ("gitops", "engine"))
    reader.report(document, problems)
    return model


def _environments(
    reader: Reader, settings: Workspace
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


def _lone_snapshots(reader: Reader, folder: Path, known: set[str]) -> None:
    """Report the snapshots that are not read, because of their names."""
    for path in sorted(folder.glob(f"*{SNAPSHOT}.y*ml")):
        name = path.stem.removesuffix(SNAPSHOT)
        if path.suffix != ".yaml":
            reader.refuse_name(path, f"{path.stem}.yaml")
        elif name not in known:
            file = path.relative_to(reader.root).as_posix()
            reader.diagnostics.append(snapshot_of_nothing(file, name))


def _checked(
    reader: Reader, file: EnvironmentFile, path: Path, settings: Workspace
) -> EnvironmentFile:
    """Report what is wrong with an environment; return it so that it can be used all the same."""
    schemas = SchemaSet.of(reader.root / "schemas")
    problems = [*environment_problems(file.document, file.model, path.stem, schemas)]
    file = replace(file, snapshot=_snapshot(reader, path))
    if file.snapshot is not None:
        from genjob.workspace.snapshotchecks import snapshot_problems  # noqa: PLC0415 # see below

        problems += snapshot_problems(file.model, file.snapshot, schemas)
    reader.report(file.document, problems)
    engine, url = file.model.cluster.engine, settings.repo.url
    reader.report(file.document, engine_problems(engine, url, ("cluster", "engine")))
    if any(unknown_versions(file.model, schemas)):
        return replace(file, model=file.model.model_copy(update={"target": Target()}))
    return file


def _snapshot(reader: Reader, path: Path) -> Snapshot | None:
    """Return the snapshot beside an environment, or None when there is none that can be used."""
    path = path.with_name(f"{path.stem}{SNAPSHOT}.yaml")
    if not path.is_file():
        return None
    from genjob.model.snapshot import Snapshot  # noqa: PLC0415 # most environments have none

    document = reader.document(path)
    model = reader.model(document, Snapshot) if document is not None else None
    if document is not None and model is not None:
        reader.report(document, misnamed(model.name, path.stem.removesuffix(SNAPSHOT)))
    return model
