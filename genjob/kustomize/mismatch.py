"""Built objects beside the wanted ones → every difference, with both values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.jsontypes import dotted
from genjob.manifest import Identity, identity, plain
from genjob.patch import json_equal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

ABSENT = "nothing"
"""What stands for a value that one of the two sides does not have."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where a built object is not the wanted one; the values are JSON, or ABSENT."""

    object: Identity
    path: DocPath
    built: str
    wanted: str

    def __str__(self) -> str:
        """Return the difference as one line."""
        where = f" at {dotted(self.path)}" if self.path else ""
        return f"{self.object}{where}: built {self.built}, wanted {self.wanted}"


def same_objects(built: Iterable[JsonObject], wanted: Iterable[JsonObject]) -> list[Mismatch]:
    """Return the differences of two sets of objects, in order; none when they are the same.

    Objects are keyed by apiVersion, kind, namespace and name; their order means nothing. Values
    are compared by JSON type, so `"1"` is not `1`, after `overlay.plain` on both sides. An object
    that appears twice is a difference too.
    """
    left, right = list(map(plain, built)), list(map(plain, wanted))
    ours, theirs = ({identity(body): body for body in side} for side in (left, right))
    twins = [*_twins(left, ours, "built"), *_twins(right, theirs, "wanted")]
    found = [
        Mismatch(key, *difference)
        for key in sorted(ours.keys() | theirs.keys())
        for difference in _of_objects(ours.get(key), theirs.get(key))
    ]
    return twins + found


def _twins(
    objects: list[JsonObject], unique: dict[Identity, JsonObject], side: str
) -> Iterator[Mismatch]:
    keys = list(map(identity, objects))
    for key in unique:
        if keys.count(key) > 1:
            counts = {"built": "1", "wanted": "1", side: str(keys.count(key))}
            yield Mismatch(key, (), f"{counts['built']} of them", f"{counts['wanted']} of them")


def _of_objects(
    built: JsonObject | None, wanted: JsonObject | None
) -> Iterator[tuple[DocPath, str, str]]:
    if built is None or wanted is None:
        yield (), _presence(built), _presence(wanted)
    else:
        yield from _of_values(built, wanted, ())


def _presence(body: JsonObject | None) -> str:
    return ABSENT if body is None else "an object"


def _of_values(built: Json, wanted: Json, path: DocPath) -> Iterator[tuple[DocPath, str, str]]:
    match built, wanted:
        case dict(), dict():
            for key in sorted(built.keys() | wanted.keys()):
                yield from _of_members(built, wanted, key, path)
        case list(), list() if len(built) == len(wanted):
            for index, (left, right) in enumerate(zip(built, wanted, strict=True)):
                yield from _of_values(left, right, (*path, index))
        case _ if not json_equal(built, wanted):
            yield path, _shown(built), _shown(wanted)
        case _:
            pass


def _of_members(
    built: JsonObject, wanted: JsonObject, key: str, path: DocPath
) -> Iterator[tuple[DocPath, str, str]]:
    if key in built and key in wanted:
        yield from _of_values(built[key], wanted[key], (*path, key))
    else:
        left, right = (_shown(side[key]) if key in side else ABSENT for side in (built, wanted))
        yield (*path, key), left, right


def _shown(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
