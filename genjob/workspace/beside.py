"""The folder of an experiment → the files in it that its storage mounts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from genjob.document import MAX_BYTES, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside an experiment.yaml: contents by name, and why a name has none.

    A ConfigMap holds 1 MiB; a larger file is not read.
    """

    contents: Mapping[str, bytes] = field(default_factory=dict)
    too_large: frozenset[str] = frozenset()


def read_beside(folder: Path, names: Iterable[str]) -> Beside:
    """Read the files with these names in a folder; one that leads out of it counts as absent."""
    wanted = dict.fromkeys(names)
    folder = folder.resolve() if wanted else folder
    contents: dict[str, bytes] = {}
    too_large: set[str] = set()
    for name in wanted:
        try:
            path = (folder / name).resolve()
            inside = path.is_relative_to(folder) and not PurePosixPath(name).is_absolute()
            if not inside or not path.is_file():
                continue
            if path.stat().st_size > MAX_BYTES:
                too_large.add(name)
        except (OSError, ValueError, RuntimeError):  # a name that is no path, a circle of links
            continue
        if isinstance(content := read_bytes(path, name), bytes):
            contents[name] = content
    return Beside(contents, frozenset(too_large))
