"""The files of a work tree, by digests → the same files, by the names that Git has for them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from genjob.memory.snapshot import Snapshot, digest

if TYPE_CHECKING:
    from pathlib import Path

_SHA1_BYTES: Final = 20


def named_as_in_git(
    files: Snapshot, root: Path, known: dict[bytes, bytes], length: int
) -> Snapshot:
    """Return the files of a work tree, path → the name that Git has for the content, as bytes.

    `known` are names by digest, to which those are added that were not known; `length` is that of a
    name in the repository. A file that changes meanwhile keeps its digest, which is no such name.
    """
    for path, content in files.files.items():
        if len(known.get(content, b"")) != length:
            _learn(root / path, content, known, length)
    return Snapshot(files.layout, {path: known.get(it, it) for path, it in files.files.items()})


def _learn(file: Path, expected: bytes, known: dict[bytes, bytes], length: int) -> None:
    known.pop(expected, None)
    try:
        content = file.read_bytes()
    except OSError:
        return
    if digest(content) == expected:
        known[expected] = blob_name(content, length)


def blob_name(content: bytes, length: int) -> bytes:
    """Return the name that Git has for a content, in a repository whose names are so long.

    Source: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects, "Object Storage".
    """
    algorithm = "sha1" if length == _SHA1_BYTES else "sha256"
    made = hashlib.new(algorithm, b"blob %d\0" % len(content), usedforsecurity=False)
    made.update(content)
    return made.digest()
