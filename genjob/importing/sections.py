"""The fields of the Workers and of the Master → what both share, and a section for each.

Put together again as layers are, the shared fields and a section are the fields of that role.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.patch import json_equal
from genjob.resolve.layers import Layer
from genjob.resolve.merge import ADDED_UP, REPLACED_UNDER, combine, names

if TYPE_CHECKING:
    from genjob.document import Raw
    from genjob.jsontypes import Json, JsonObject

_FREE_ORDER: Final = frozenset({"storage"})
"""Lists whose items may be told apart by name, because their order means nothing."""


class Sections(NamedTuple):
    """The shared fields, those of the section `worker` and those of the section `master`."""

    shared: JsonObject
    worker: JsonObject
    master: JsonObject


def sections(worker: JsonObject, master: JsonObject) -> Sections:
    """Return two roles as sections; a value that differs is the Workers' in the shared fields."""
    shared, of_worker, of_master = _split(worker, master, ())
    for key in {*worker, *master}:
        if not (_is(shared, of_worker, worker, key) and _is(shared, of_master, master, key)):
            shared.pop(key, None)
            _put(of_worker, worker, key)
            _put(of_master, master, key)
    return Sections(shared, of_worker, of_master)


def _split(worker: JsonObject, master: JsonObject, path: tuple[str, ...]) -> Sections:
    found = Sections({}, {}, {})
    for key in dict.fromkeys([*worker, *master]):
        if key not in master:
            found.worker[key] = worker[key]
        elif key not in worker:
            found.master[key] = master[key]
        else:
            _divide(found, key, (worker[key], master[key]), path)
    return found


def _divide(found: Sections, key: str, values: tuple[Json, Json], path: tuple[str, ...]) -> None:
    """Put a value that both roles have where it belongs."""
    worker, master = values
    if json_equal(worker, master):
        found.shared[key] = worker
    elif isinstance(worker, dict) and isinstance(master, dict) and REPLACED_UNDER not in path[-1:]:
        parts = _split(worker, master, (*path, key))
        for whole, part in zip(found, parts, strict=True):
            if part:
                whole[key] = part
    elif key in _FREE_ORDER and isinstance(worker, list) and isinstance(master, list):
        _by_name(found, key, worker, master)
    elif key in ADDED_UP or (isinstance(worker, list) and names(worker)):
        found.worker[key], found.master[key] = worker, master
    else:
        found.shared[key], found.master[key] = worker, master


def _by_name(found: Sections, key: str, worker: list[Json], master: list[Json]) -> None:
    both = [item for item in worker if item in master]
    own = ([i for i in worker if i not in both], [i for i in master if i not in both])
    for whole, items in zip(found, (both, *own), strict=True):
        if items:
            whole[key] = items


def _is(shared: JsonObject, own: JsonObject, wanted: JsonObject, key: str) -> bool:
    """Return whether the layers come to the wanted value at a key."""
    made = combine(_at(shared, key), _at(own, key))
    return _told(made, key) == _told(_at(wanted, key), key)


def _at(fields: JsonObject, key: str) -> dict[str, Raw]:
    return Layer.of_values("", {key: fields[key]} if key in fields else {}).tree


def _told(made: Raw, key: str) -> object:
    """Return what a value means: the order of some lists is nothing."""
    items = made.get(key) if isinstance(made, dict) else None
    return sorted(items, key=repr) if key in _FREE_ORDER and isinstance(items, list) else made


def _put(section: JsonObject, fields: JsonObject, key: str) -> None:
    section.pop(key, None)
    if key in fields:
        section[key] = fields[key]
