"""A folder → all that is below it, but folders. `os` is used: there are tens of thousands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def entries_below(where: str, shown: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield what is no folder below the folder `where`, with its path below `shown`, in POSIX form.

    No link is followed; a folder that is not there has nothing.
    """
    try:
        entries = [*os.scandir(where)]
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        path = f"{shown}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from entries_below(entry.path, path)
        else:
            yield path, entry
