"""The small committed file of an overlay: which run it is, and what the researcher had written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Diagnostic
from genjob.document import read_document
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from genjob.diagnostics import Location
    from genjob.jsontypes import JsonObject

LOCK_FILE = "run.lock"
VERSION = "genjob/v1"

_DIGEST = re.compile(r"[0-9a-f]{64}")
_SHAPES = {
    "version": re.compile(re.escape(VERSION)),
    "run": re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?"),
    "hash": re.compile(r"[0-9a-f]{8}"),
    "own": _DIGEST,
    "written": _DIGEST,
    "policy": _DIGEST,
    "queue": _DIGEST,
    "objects": _DIGEST,
}


_LINE = re.compile(r'(\w+): "?([^"\n]*)"?')


@dataclass(frozen=True, slots=True)
class Lock:
    """A run as it was rendered.

    `hash` is the identity of what reaches its pods. `own`, `written`, `policy` and `queue` are the
    digests of what the experiment itself said (see `own.Own`). `objects` is the digest of all that
    the overlay builds to.
    """

    run: str
    hash: str
    own: str
    written: str
    policy: str
    queue: str
    objects: str

    def text(self, *, header: str) -> str:
        """Return the file."""
        body: JsonObject = {key: getattr(self, key, VERSION) for key in _SHAPES}
        return to_yaml(body, header=header)


def read_lock(source: bytes, file: str, *, repair: str) -> tuple[Lock | None, list[Diagnostic]]:
    """Return the lock in a file, or None and what is wrong with it; `repair` is the hint."""
    if (lock := _as_written(source)) is not None:
        return lock, []
    document, problems = read_document(source, file)
    if document is None or problems:
        return None, [_broken(found.location, found.message, repair) for found in problems]
    data = {key: document.data.get(key) for key in _SHAPES}
    for key, shape in _SHAPES.items():
        value = data[key]
        if not isinstance(value, str) or not shape.fullmatch(value):
            why = f"'{key}' is not what genjob wrote"
            return None, [_broken(document.locate((key,)), why, repair)]
    return Lock(**{key: str(data[key]) for key in _SHAPES if key != "version"}), []


def _as_written(source: bytes) -> Lock | None:
    """Return the lock in a file that is just as `Lock.text` writes it, which most are."""
    head, _, rest = source.decode("utf-8", "replace").partition("\n")
    data: dict[str, str] = dict(_LINE.findall(rest))
    if data.keys() != _SHAPES.keys() or not all(_SHAPES[key].fullmatch(data[key]) for key in data):
        return None
    lock = Lock(**{key: data[key] for key in _SHAPES if key != "version"})
    return lock if lock.text(header=head.removeprefix("# ")).encode() == source else None


def _broken(place: Location, why: str, repair: str) -> Diagnostic:
    return Diagnostic(Code.BROKEN_LOCK, f"the lock cannot be read: {why}", place, repair)
