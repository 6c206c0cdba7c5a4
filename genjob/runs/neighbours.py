"""A base that changes → the other overlays on it: an overlay is a difference to its base.

Base and overlays must be written together, or a run that nobody asked about changes.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from genjob.codes import Code
from genjob.diagnostics import Diagnostic
from genjob.kustomize.overlay import KUSTOMIZATION
from genjob.tree.plan import is_ours
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.document import Document
    from genjob.workspace.loading import Loaded


class Neighbours(NamedTuple):
    """The overlays of an experiment in environments that nobody asked about.

    Those that can be rendered, by environment; the folders of those that the experiment no longer
    names; a finding for each that cannot be rendered.
    """

    rendered: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    stale: tuple[Diagnostic, ...] = ()


def neighbours(loaded: Loaded, document: Document, name: str, chosen: Sequence[str]) -> Neighbours:
    """Return the overlays on disk of an experiment, but for the chosen environments."""
    folders = _on_disk(loaded, name)
    others = {folder.parent.name: folder for folder in folders if folder.parent.name not in chosen}
    named = document.data.get("environments")
    wanted = {each for each in others if isinstance(named, dict) and each in named}
    return Neighbours(
        tuple(sorted(wanted & loaded.environments.keys())),
        tuple(sorted(str(others[each]) for each in others.keys() - wanted)),
        tuple(
            _stale(loaded, document, each, str(others[each]))
            for each in sorted(wanted - loaded.environments.keys())
        ),
    )


def _on_disk(loaded: Loaded, name: str) -> list[PurePosixPath]:
    """Return the overlay folders of an experiment that this program wrote."""
    pattern = f"*/{name}/{KUSTOMIZATION}"
    found = (loaded.root / loaded.settings.paths.overlays).glob(pattern)
    return [_relative(loaded.root, path.parent) for path in sorted(found) if is_ours(path)]


def _relative(root: Path, folder: Path) -> PurePosixPath:
    return PurePosixPath(folder.relative_to(root).as_posix())


def _stale(loaded: Loaded, document: Document, environment: str, folder: str) -> Diagnostic:
    message = f"the base changes, and {quoted(folder)} cannot be rendered with it"
    file = f"{loaded.settings.paths.environments}/{environment}.yaml"
    place = document.locate(("environments", environment), at_key=True)
    return Diagnostic(Code.STALE_OVERLAY, message, place, f"mend {quoted(file)} first")
