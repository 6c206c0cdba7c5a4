"""Two sides of a workspace → what changes in the files that its GitOps engine reads."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.gitops.source import FOLDER
from genjob.gitops.wiring import wiring
from genjob.tree.plan import is_ours

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genjob.workspace.loading import Loaded

_COMMENT: Final = "#"
ANOTHER_ENGINE: Final = (
    "two engines that apply the same objects fight: let the first one go without its objects, then "
    "let the second one find them (docs/gitops.md)"
)


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file of an engine that differs: its path in the workspace, and a unified diff."""

    path: str
    lines: tuple[str, ...]

    @property
    def added(self) -> int:
        """How many lines are new."""
        return sum(line.startswith("+") for line in self.lines)

    @property
    def removed(self) -> int:
        """How many lines are gone."""
        return sum(line.startswith("-") for line in self.lines)


def changed_wiring(before: Loaded, after: Loaded) -> list[FileChange]:
    """Return the files of the engine that differ, by path; comments do not count.

    As with runs, what was committed stands for the side before, and what would be rendered where
    nothing was.
    """
    old = _committed(before.root) or _rendered(before)
    new = _rendered(after)
    if after.broken_environments:
        return []  # nothing is written while one of them cannot be read
    changes = (
        _compared(path, old.get(path, ""), new.get(path, "")) for path in sorted({*old, *new})
    )
    return [change for change in changes if change.lines]


def engine_of(before: Loaded, after: Loaded, environment: str) -> tuple[str | None, str | None]:
    """Return what applies an environment, before and after; None on a side without it."""
    old, new = (
        side.engine(environment) if environment in side.environments else None
        for side in (before, after)
    )
    return old, new


def _rendered(side: Loaded) -> Mapping[str, str]:
    files = wiring(side).files
    return {path: text for path, text in files.items() if path.startswith(f"{FOLDER}/")}


def _committed(root: Path) -> Mapping[str, str]:
    found = (path for path in sorted((root / FOLDER).rglob("*")) if path.is_file())
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8", "replace")
        for path in found
        if is_ours(path)
    }


def _compared(path: str, old: str, new: str) -> FileChange:
    was, now = (
        [line for line in text.splitlines() if not line.startswith(_COMMENT)] for text in (old, new)
    )
    return FileChange(path, tuple([*difflib.unified_diff(was, now, lineterm="")][2:]))
