"""Tables of a program ↔ files of a folder, each whole or not at all, for this program alone.

Two processes may write at once: the later one wins, and a reader sees one or the other. A file
that is broken, or of another version, counts as absent; a disk that refuses is no failure.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import shutil
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

Table: TypeAlias = dict[Any, Any]
"""Key → value; the values are of types of ours and of plain ones."""

_DIGEST_BYTES = 32
_PLAIN = frozenset({("builtins", "frozenset"), ("builtins", "set"), ("fractions", "Fraction")})
_OLD_S = 60 * 24 * 3600.0
"""Seconds after which a workspace that nobody used is forgotten."""
_OF_A_WORKSPACE = re.compile(r"[0-9a-f]{32}")
"""What the folders of workspaces are called; see `folder_for`."""


class Store:
    """The files of one workspace; `stamp` is that of the program."""

    def __init__(self, folder: Path, stamp: str) -> None:
        self._folder = folder
        self._stamp = stamp.encode()

    def read(self, name: str) -> Table:
        """Return a table; an empty one when there is none that this program wrote whole."""
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return {}
        head = len(self._stamp)
        digest, payload = content[head : head + _DIGEST_BYTES], content[head + _DIGEST_BYTES :]
        if content[:head] != self._stamp or hashlib.sha256(payload).digest() != digest:
            return {}
        try:
            found = _Reader(io.BytesIO(payload)).load()
        except (pickle.UnpicklingError, AttributeError, ImportError, TypeError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def write(self, name: str, table: Table) -> None:
        """Keep a table in place of the one before."""
        payload = pickle.dumps(table, protocol=pickle.HIGHEST_PROTOCOL)
        waiting = self._folder / f"{name}.{os.urandom(8).hex()}.tmp"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            waiting.write_bytes(self._stamp + hashlib.sha256(payload).digest() + payload)
            waiting.replace(self._folder / name)
        except OSError:
            with suppress(OSError):
                waiting.unlink(missing_ok=True)
        self._forget_old()

    def _forget_old(self) -> None:
        """Remove what a crash left here, and the workspaces that nobody used for long.

        The folder above may be any that `GENJOB_CACHE` names: what else is there is left alone.
        """
        now = time.time()
        with suppress(OSError):
            for left in self._folder.glob("*.tmp"):
                if now - left.stat().st_mtime > _OLD_S:
                    left.unlink(missing_ok=True)
            for other in self._folder.parent.iterdir():
                if _OF_A_WORKSPACE.fullmatch(other.name) and now - other.stat().st_mtime > _OLD_S:
                    shutil.rmtree(other, ignore_errors=True)


class _Reader(pickle.Unpickler):
    """Reads values of ours alone: whoever can write here cannot name another function."""

    def find_class(self, module: str, name: str) -> object:
        is_ours = module.partition(".")[0] == "genjob" and "." not in name
        found = super().find_class(module, name) if is_ours else None
        if isinstance(found, type):
            return found
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")
