"""A folder → everything in it, for tests that say what a render left behind."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

OURS = "# Rendered by genjob from experiments/x/experiment.yaml\n"

_EXEMPT_FROM_PERMISSIONS = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: why permission bits do not bind root."""

_CAPABILITY_VERSION_3 = 0x20080522


def ours(text: str) -> str:
    """Return a rendered file's text."""
    return OURS + text


def fill(root: Path, files: Mapping[str, str]) -> None:
    """Write files, folders included."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def everything(root: Path) -> dict[str, str]:
    """Return path → text of every file, hidden ones too, and path/ → "" of every folder."""
    found = {}
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_dir():
            found[f"{name}/"] = ""
        else:
            found[name] = path.read_bytes().decode()
    return found


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Take the right to write away from a folder, also where the tests run as root."""
    with _permissions(folder, 0o555):
        yield


@contextmanager
def forbidden(folder: Path) -> Iterator[None]:
    """Take every right away from a folder, also where the tests run as root."""
    with _permissions(folder, 0):
        yield


@contextmanager
def _permissions(folder: Path, mode: int) -> Iterator[None]:
    before = folder.stat().st_mode
    folder.chmod(mode)
    try:
        with _bound_by_permissions():
            yield
    finally:
        folder.chmod(before)


@contextmanager
def _bound_by_permissions() -> Iterator[None]:
    """Let root put its exemption down for a while, in this thread: capabilities(7), capset(2)."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    before = _effective()
    _set_effective(before & ~_EXEMPT_FROM_PERMISSIONS)
    try:
        yield
    finally:
        _set_effective(before)


def _capabilities() -> tuple[ctypes.Array[ctypes.c_uint32], ctypes.Array[ctypes.c_uint32]]:
    """Return capget's two structures: version and thread; two times effective, permitted, …."""
    head = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    words = (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None, use_errno=True).capget(head, words) == 0
    return head, words


def _effective() -> int:
    return _capabilities()[1][0]


def _set_effective(mask: int) -> None:
    head, words = _capabilities()
    words[0] = mask
    assert ctypes.CDLL(None, use_errno=True).capset(head, words) == 0
