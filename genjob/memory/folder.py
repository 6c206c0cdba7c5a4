"""The environment of a process and a workspace → the folder in which it is remembered.

`GENJOB_CACHE` names another folder than the usual one of the system; empty, nothing is remembered.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "GENJOB_CACHE"

_NAME = "genjob"


def folder_for(root: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the folder for a workspace, which need not be there; None to remember nothing."""
    usual = _usual(environ)
    chosen = environ.get(VARIABLE)
    folder = usual if chosen is None else Path(chosen) if chosen else None
    if folder is None or not folder.is_absolute():
        return None
    return folder / hashlib.blake2b(str(root).encode(), digest_size=16).hexdigest()


def _usual(environ: Mapping[str, str]) -> Path | None:
    """Return the cache folder of the system's user.

    Source: XDG Base Directory Specification 0.8; Apple's File System Programming Guide.
    """
    if sys.platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return Path(local, _NAME, "Cache") if local else None
    home = environ.get("HOME")
    named = environ.get("XDG_CACHE_HOME")
    if named and Path(named).is_absolute() and sys.platform != "darwin":
        return Path(named, _NAME)
    below = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path(home, below, _NAME) if home else None
