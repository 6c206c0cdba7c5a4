"""A workspace that was read → the files of its engine, and the folders that hold only those."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from genjob.gitops import argocd, flux
from genjob.gitops.source import FOLDER, Destination, Source, source_name
from genjob.resolve.merge import value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from genjob.resolve.precedence import EnvironmentFile
    from genjob.workspace.loading import Loaded

    Files: TypeAlias = Callable[[Source, Sequence[Destination]], dict[str, str]]

ENGINES: dict[str, Files] = {"argocd": argocd.files, "flux": flux.files}
"""Each GitOps engine → what renders its files: their paths in the workspace, and their texts."""

_METRICS = ("elastic", "metrics")


class Wiring(NamedTuple):
    """The texts of an engine's files by their paths, and the folders that hold nothing else."""

    files: Mapping[str, str]
    owned: tuple[str, ...]


def wiring(loaded: Loaded) -> Wiring:
    """Return what the engine of a workspace reads; it depends on no selection.

    While an environment's file is broken, nothing in the engine's folder is written or removed.
    """
    owned = () if loaded.broken_environments else (FOLDER,)
    url = loaded.settings.repo.url
    files = dict(pair for engine in ENGINES for pair in _files(loaded, engine, url).items())
    if not owned:
        files = {path: text for path, text in files.items() if not path.startswith(f"{FOLDER}/")}
    return Wiring(files, owned)


def _files(loaded: Loaded, engine: str, url: str | None) -> dict[str, str]:
    names = [name for name in sorted(loaded.environments) if loaded.engine(name) == engine]
    if url is None or not names:
        return {}
    return ENGINES[engine](_source(loaded, url), [_destination(loaded, name) for name in names])


def _source(loaded: Loaded, url: str) -> Source:
    repo, gitops, paths = loaded.settings.repo, loaded.settings.gitops, loaded.settings.paths
    return Source(
        name=gitops.name or source_name(url, repo.folder or ""),
        url=url,
        revision=repo.revision,
        folder=repo.folder or "",
        bases=paths.bases,
        overlays=paths.overlays,
        secret=repo.secret,
        namespace=gitops.namespace,
    )


def _destination(loaded: Loaded, name: str) -> Destination:
    file = loaded.environments[name]
    return Destination(
        environment=name,
        namespace=file.model.namespace,
        file=f"{loaded.settings.paths.environments}/{name}.yaml",
        server=file.model.cluster.server,
        has_queues=bool(file.model.queues),
        has_autoscaler=_has_autoscaler(loaded, file, name),
    )


def _has_autoscaler(loaded: Loaded, file: EnvironmentFile, name: str) -> bool:
    """Tell whether an experiment can have an autoscaler in an environment."""
    if value_at(file.model.defaults, _METRICS):
        return True
    return any(name in loaded.reading(each).autoscaled for each in loaded.experiments)
