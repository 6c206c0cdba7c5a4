"""A folder → the workspace that it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.memory.snapshot import SETTINGS_FILE

if TYPE_CHECKING:
    from pathlib import Path


def find_root(start: Path) -> Path | None:
    """Return the nearest folder upwards that is a workspace, or None."""
    start = start.resolve()
    for folder in (start, *start.parents):
        usual = all((folder / name).is_dir() for name in ("experiments", "environments"))
        if (folder / SETTINGS_FILE).is_file() or usual:
            return folder
    return None
