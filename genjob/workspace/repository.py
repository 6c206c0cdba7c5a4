"""The folder of a workspace → where it is in its Git repository, as forges name files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

GIT = ".git"
"""A folder at the top of a repository; a file in a linked work tree and in a submodule."""


def repository_of(folder: Path) -> Path | None:
    """Return the top of the repository that a folder is in, or None; Git itself is not asked."""
    folder = folder.resolve()
    return next((each for each in (folder, *folder.parents) if (each / GIT).exists()), None)


def folder_in_repository(root: Path) -> str:
    """Return the path from the top of the repository to a workspace: `ml/train/`, or nothing."""
    top = repository_of(root)
    below = root.resolve().relative_to(top).as_posix() if top else "."
    return "" if below == "." else f"{below}/"
