"""Committed bases and overlays → proof that Kustomize builds them to what is meant.

The overlay law: the build of overlays/<env>/<name> equals the full objects of the experiment in
that environment, compared by JSON type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.kustomize.engine import BuildError, build_many
from genjob.kustomize.mismatch import same_objects
from genjob.kustomize.overlay import KUSTOMIZATION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from genjob.jsontypes import JsonObject
    from genjob.kustomize.engine import Engine
    from genjob.rendering import Rendered
    from genjob.workspace.loading import Loaded


@dataclass(frozen=True, slots=True)
class Verified:
    """One environment: how many overlays were built, and each difference in one line."""

    environment: str
    overlays: int
    differences: tuple[str, ...]


def verify(loaded: Loaded, experiments: Iterable[Rendered], engine: Engine) -> Iterator[Verified]:
    """Build the committed overlays of each environment, in one process each, and compare.

    Raises:
        ToolError: when Kustomize is broken.
    """
    experiments = [*experiments]
    for environment in sorted({name for one in experiments for name in one.overlays}):
        chosen = [one for one in experiments if environment in one.overlays]
        folders = {_folder(loaded, environment, one.name): one for one in chosen}
        present = [folder for folder in folders if (folder / KUSTOMIZATION).is_file()]
        missing = [f"{_shown(loaded, f)} is not rendered" for f in folders if f not in present]
        wanted = [m.body for folder in present for m in folders[folder].overlays[environment]]
        found = _differences(loaded, engine, present, wanted)
        yield Verified(environment, len(folders), (*missing, *found))


def _differences(
    loaded: Loaded, engine: Engine, folders: list[Path], wanted: list[JsonObject]
) -> list[str]:
    try:
        built = build_many(engine, folders, fallback=loaded.root)
    except BuildError as error:
        return [f"{_shown(loaded, path)}: {why}" for path, why in error.reasons.items()]
    return [str(mismatch) for mismatch in same_objects(built, wanted)]


def _folder(loaded: Loaded, environment: str, name: str) -> Path:
    return loaded.root / loaded.settings.paths.overlays / environment / name


def _shown(loaded: Loaded, folder: Path) -> str:
    return folder.relative_to(loaded.root).as_posix()
