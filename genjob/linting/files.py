"""What a command line names → the manifests to read: files, folders, standard input.

A folder is read with all below it. Much of what lies in one is no manifest, so there a file counts
only when it names a kind that is checked, and broken YAML only when it names a PyTorchJob.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from genjob.diagnostics import Diagnostic
from genjob.document import MANIFESTS, read_bytes
from genjob.document import Code as ReadingCode
from genjob.foreign.reading import ManifestFile, read_manifests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN: Final = "-"
SHOWN_STDIN: Final = "<stdin>"
SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
_JOB: Final = re.compile(rb"PyTorchJob|pytorchReplicaSpecs")
_CHECKED: Final = re.compile(rb"PyTorchJob|pytorchReplicaSpecs|PersistentVolumeClaim|ConfigMap")


def read_named(names: Iterable[str], directory: Path, command: str) -> Iterator[ManifestFile]:
    """Yield the manifests of a command line; names are relative to a folder, each is read once.

    `command` is what a filled-in template is given to.
    """
    for name in dict.fromkeys(names):
        path = directory / name
        if name == STDIN:
            yield read_manifests(sys.stdin.buffer.read(), SHOWN_STDIN, command=command)
        elif path.is_dir():
            for below in _below(path):
                file = below.relative_to(path).as_posix()
                shown = file if name in {".", "./"} else f"{name.rstrip('/')}/{file}"
                yield _in_folder(below, shown, command)
        else:
            yield _read(path, name, command)


def _below(folder: Path) -> list[Path]:
    """Return the files of a folder that can be manifests; hidden folders are left out."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(parent, name) for name in files if not name.startswith("."))
        found += [path for path in paths if path.suffix in SUFFIXES and path.is_file()]
    return sorted(found)


def _read(path: Path, file: str, command: str) -> ManifestFile:
    source = read_bytes(path, file, MANIFESTS.max_bytes)
    if isinstance(source, Diagnostic):
        return ManifestFile(file, "", diagnostics=(source,))
    return read_manifests(source, file, command=command)


def _in_folder(path: Path, file: str, command: str) -> ManifestFile:
    source = read_bytes(path, file, MANIFESTS.max_bytes)
    if isinstance(source, Diagnostic):
        is_data = source.code == ReadingCode.TOO_LARGE
        return ManifestFile(file, "", others=1, diagnostics=() if is_data else (source,))
    if not _CHECKED.search(source):
        return ManifestFile(file, "", others=1)
    read = read_manifests(source, file, command=command)
    if read.diagnostics and not _JOB.search(source):
        return ManifestFile(file, "", others=1)
    return read
