"""The files of a workspace → a digest of each, by path: two that are alike hold the same bytes.

There are tens of thousands of them, so `os` is used where `pathlib` would take most of the time.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from genjob.folders import entries_below

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

SETTINGS_FILE = "genjob.yaml"
EXPERIMENT_FILE = "experiment.yaml"
SCHEMAS = "schemas"
GITOPS = "gitops"

_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_BLOCK_BYTES = 1 << 16
"""What is read of a file at once: nearly always all."""


class Layout(NamedTuple):
    """The folders of a workspace, POSIX and relative to its root."""

    experiments: str = "experiments"
    environments: str = "environments"
    bases: str = "bases"
    overlays: str = "overlays"


class _SpecialFileError(Exception):
    """A link, a pipe or a device, of which a path and its bytes are not all."""


@dataclass(frozen=True)
class Snapshot:
    """The files of a workspace, POSIX path → digest."""

    layout: Layout
    files: Mapping[str, bytes]

    @cached_property
    def whole(self) -> bytes:
        """The digest of all files."""
        return _digest_of(self.files)

    @cached_property
    def shared(self) -> bytes:
        """The digest of what every experiment depends on."""
        top = (f"{self.layout.environments}/", f"{SCHEMAS}/")
        own = {p: digest for p, digest in self.files.items() if p.startswith(top) or "/" not in p}
        return _digest_of(own)

    @cached_property
    def _written(self) -> Mapping[str, dict[str, bytes]]:
        return self._by_name((self.layout.experiments, 0))

    @cached_property
    def _rendered(self) -> Mapping[str, dict[str, bytes]]:
        return self._by_name((self.layout.bases, 0), (self.layout.overlays, 1))

    def _by_name(self, *places: tuple[str, int]) -> Mapping[str, dict[str, bytes]]:
        """Return files by the experiment that a folder is of, which is so deep below its place."""
        found: dict[str, dict[str, bytes]] = defaultdict(dict)
        for place, depth in places:
            head = f"{place}/"
            for path, digest in self.files.items():
                if path.startswith(head):
                    parts = path[len(head) :].split("/", depth + 1)
                    if len(parts) > depth + 1:
                        found[parts[depth]][path] = digest
        return found

    def __contains__(self, name: str) -> bool:
        """Return whether there is a folder of an experiment."""
        return name in self._written

    def again(self, root: Path, names: AbstractSet[str]) -> Snapshot | None:
        """Return the files as they are now; those of experiments without these names as here.

        What nobody opened since need not be opened, only found; it is most of a workspace.
        """
        others = [part for name in self.names - names for part in self.parts(name)]
        return take(root, self.layout, {path: it for part in others for path, it in part.items()})

    @property
    def names(self) -> set[str]:
        """The experiments of which there is a file."""
        return {*self._written, *self._rendered}

    def parts(self, name: str) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        """Return the files of an experiment: those that a person wrote, and those rendered."""
        return self._written.get(name, {}), self._rendered.get(name, {})

    def source(self, name: str) -> bytes | None:
        """Return the digest of an experiment's own file, None when there is none."""
        return self.files.get(f"{self.layout.experiments}/{name}/{EXPERIMENT_FILE}")

    def written(self, name: str) -> bytes:
        """Return the digest of what a person wrote of an experiment."""
        return _digest_of(self._written.get(name, {}))

    def rendered(self, name: str) -> bytes:
        """Return the digest of what is on the disk of an experiment's base and overlays."""
        return _digest_of(self._rendered.get(name, {}))


def take(
    root: Path, layout: Layout, known: Mapping[str, bytes] = MappingProxyType({})
) -> Snapshot | None:
    """Return the files of a workspace; None when there are links, of which nothing is known.

    A file of which the digest is `known` is not opened.
    """
    files: dict[str, bytes] = {}
    folders = sorted({*layout, SCHEMAS, GITOPS})
    if any((root / each).is_symlink() for each in (SETTINGS_FILE, *folders)):
        return None
    try:
        if (root / SETTINGS_FILE).is_file():
            files[SETTINGS_FILE] = _read(f"{root}/{SETTINGS_FILE}")
        for folder in folders:
            files.update(_below(f"{root}/{folder}", folder, known))
    except (OSError, _SpecialFileError):
        return None
    return Snapshot(layout, files)


def _below(where: str, shown: str, known: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for path, entry in entries_below(where, shown):
        if not entry.is_file(follow_symlinks=False):
            raise _SpecialFileError(path)
        yield path, known.get(path) or _read(entry.path)


def _read(path: str) -> bytes:
    file = os.open(path, _READING)
    try:
        parts = [os.read(file, _BLOCK_BYTES)]
        while len(parts[-1]) == _BLOCK_BYTES:
            parts.append(os.read(file, _BLOCK_BYTES))
    finally:
        os.close(file)
    return digest(b"".join(parts))


def digest(content: bytes) -> bytes:
    """Return what a file with this content is known by."""
    return hashlib.blake2b(content, digest_size=16).digest()


def _digest_of(files: Mapping[str, bytes]) -> bytes:
    """Return one digest of paths and digests, whatever their order."""
    made = hashlib.blake2b(digest_size=16)
    for path in sorted(files):
        made.update(path.encode(errors="surrogateescape") + b"\0" + files[path])
    return made.digest()
