"""This program and all that is installed beside it → one digest, other for every other version."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from genjob import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_INSTALLED = (".dist-info", ".egg-info")


def stamp() -> str:
    """Return 32 hexadecimal digits.

    A release is known by its version; a checkout that is worked on, by the size and the time of
    its files; every installed package by the folder that names its version.
    """
    package = Path(__file__).parent.parent
    own = [package, package.parent / "schemas"]
    parts = [__version__, sys.version, *_files(own), *sorted(_packages(sys.path))]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _files(folders: Iterable[Path]) -> Iterator[str]:
    for folder in folders:
        for parent, below, names in os.walk(folder):
            below[:] = sorted(each for each in below if each != "__pycache__")
            for name in sorted(names):
                found = os.stat(os.path.join(parent, name))  # noqa: PTH116, PTH118 # thrice as fast
                yield f"{parent}/{name} {found.st_size} {found.st_mtime_ns}"


def _packages(places: Iterable[str]) -> Iterator[str]:
    for place in places:
        try:
            names = os.listdir(place)  # noqa: PTH208 # names alone are wanted
        except OSError:  # a zip file, or a folder that is not there
            continue
        yield from (name for name in names if name.endswith(_INSTALLED))
