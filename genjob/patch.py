"""Two JSON objects → the RFC 6902 operations that turn one into the other, and their application.

An overlay is such a difference: a strategic-merge patch on a CRD replaces lists whole and loses
containers without a word, and an index alone means nothing to a reviewer. So lists of named objects
are edited item by item, and each indexed step stands behind a `test` of the name at that index.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, TypeAlias

from genjob.jsontypes import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Operation: TypeAlias = JsonObject
"""One step of a patch: `op` (add, remove, replace, test), `path`, and `value` but for remove."""

_INDEX = re.compile(r"0|[1-9][0-9]*")


class PatchError(ValueError):
    """An operation that does not apply: a `test` that fails, or a path that is not there."""

    def __init__(self, operation: Operation, reason: str) -> None:
        self.operation = operation
        super().__init__(f"{operation.get('op')} '{operation.get('path')}': {reason}")


def json_equal(left: Json, right: Json) -> bool:
    """Return whether two values are equal by JSON type: `1`, `1.0`, `True` and `"1"` all differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(json_equal(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(json_equal, left, right))
    return type(left) is type(right) and left == right


def difference(base: JsonObject, wanted: JsonObject) -> list[Operation]:
    """Return the operations that turn `base` into `wanted`; none when they are equal.

    Mappings recurse in the order of their sorted keys. Lists of objects with unique names are
    edited by index when that is no longer than the new list; all other lists are replaced whole.
    The law: `apply(difference(base, wanted), base)` equals `wanted` by JSON type.
    """
    return _mapping_changes("", base, wanted)


def _changes(path: str, base: Json, wanted: Json) -> list[Operation]:
    if isinstance(base, dict) and isinstance(wanted, dict):
        return _mapping_changes(path, base, wanted)
    if json_equal(base, wanted):
        return []
    if isinstance(base, list) and isinstance(wanted, list):
        return _list_changes(path, base, wanted)
    return [_operation("replace", path, wanted)]


def _mapping_changes(path: str, base: JsonObject, wanted: JsonObject) -> list[Operation]:
    operations: list[Operation] = []
    for key in sorted(base.keys() | wanted.keys()):
        if key not in wanted:
            operations.append({"op": "remove", "path": f"{path}/{_escape(key)}"})
        elif key not in base:
            operations.append(_operation("add", f"{path}/{_escape(key)}", wanted[key]))
        elif base[key] is not wanted[key]:
            operations += _changes(f"{path}/{_escape(key)}", base[key], wanted[key])
    return operations


def _list_changes(path: str, base: list[Json], wanted: list[Json]) -> list[Operation]:
    whole = [_operation("replace", path, wanted)]
    old, new = _by_name(base), _by_name(wanted)
    kept = [name for name in old if name in new]
    if not kept or kept != [name for name in new if name in old]:
        return whole
    edits = _named_edits(path, old, new)
    lines = _line_count([*edits])
    return whole if lines > _line_count([*whole], most=lines) else edits


def _by_name(items: list[Json]) -> dict[str, Json]:
    """Return the items by their names; nothing unless each is a mapping with a name of its own."""
    named: dict[str, Json] = {
        name: item
        for item in items
        if isinstance(item, dict) and isinstance(name := item.get("name"), str)
    }
    return named if len(named) == len(items) else {}


def _named_edits(path: str, old: dict[str, Json], new: dict[str, Json]) -> list[Operation]:
    """Remove from the end, then walk forward: insert what is new, recurse into what is not."""
    present = list(old)
    operations: list[Operation] = []
    for index, name in reversed([*enumerate(old)]):
        if name not in new:
            operations += [_guard(path, index, name), {"op": "remove", "path": f"{path}/{index}"}]
            del present[index]
    for index, (name, item) in enumerate(new.items()):
        if name in old:
            steps = _changes(f"{path}/{index}", old[name], item)
            operations += [_guard(path, index, name), *steps] if steps else []
        else:
            operations += _insertion(path, index, present, item)
            present.insert(index, name)
    return operations


def _insertion(path: str, index: int, present: list[str], item: Json) -> list[Operation]:
    if index == len(present):
        return [_operation("add", f"{path}/-", item)]
    return [_guard(path, index, present[index]), _operation("add", f"{path}/{index}", item)]


def _guard(path: str, index: int, name: str) -> Operation:
    return _operation("test", f"{path}/{index}/name", name)


def _operation(op: str, path: str, value: Json) -> Operation:
    return {"op": op, "path": path, "value": value}


def _line_count(value: Json, *, most: float = math.inf) -> int:
    """Return how many lines a value takes as block YAML: what a reviewer has to read.

    Beyond `most` it need not be counted to the end.
    """
    if not value or not isinstance(value, (dict, list)):
        return 1 + value.count("\n") if isinstance(value, str) else 1
    lines = 0
    for child in value.values() if isinstance(value, dict) else value:
        is_below_its_key = isinstance(value, dict) and isinstance(child, (dict, list)) and child
        lines += bool(is_below_its_key) + _line_count(child, most=most - lines)
        if lines > most:
            break
    return lines


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def apply(operations: Iterable[Operation], document: Json) -> Json:
    """Return `document` after the operations, in order; the input stays as it was.

    As in Kustomize: `replace` of an absent key adds it, `add` to an absent parent fails, and a
    `test` for null passes on an absent key. Where Kustomize goes beyond the RFC (negative or
    zero-padded indices, a path without its first slash, `add` without a value), this fails, as it
    does for `move` and `copy`, which `difference` does not use. Raises PatchError.
    Source: RFC 6902; measured with Kustomize v5.8.1 (evanphx/json-patch v4).
    """
    for operation in operations:
        document = _applied(operation, document)
    return document


def _applied(operation: Operation, document: Json) -> Json:
    step = _STEPS.get(str(operation.get("op")))
    if step is None:
        raise PatchError(operation, f"expected one of {', '.join(map(repr, _STEPS))}")
    path = operation.get("path")
    if not isinstance(path, str) or not path.startswith("/"):
        raise PatchError(operation, "expected a path that starts with '/'")
    if "value" not in operation and step is not _removed:
        raise PatchError(operation, "expected a value")
    keys = [key.replace("~1", "/").replace("~0", "~") for key in path[1:].split("/")]
    return _edited(document, keys, operation, step)


def _edited(node: Json, keys: list[str], operation: Operation, step: _Step) -> Json:
    """Return a copy of `node` in which the container at the end of `keys` has been changed."""
    key, *rest = keys
    if not isinstance(node, (dict, list)):
        raise PatchError(operation, f"nothing holds '{key}'")
    if not rest:
        return step(node, key, operation)
    if isinstance(node, dict):
        if key not in node:
            raise PatchError(operation, f"'{key}' is missing")
        return {**node, key: _edited(node[key], rest, operation, step)}
    index = _index(key, len(node) - 1, operation)
    return [*node[:index], _edited(node[index], rest, operation, step), *node[index + 1 :]]


def _index(key: str, largest: int, operation: Operation) -> int:
    if not _INDEX.fullmatch(key) or int(key) > largest:
        raise PatchError(operation, f"expected an index up to '{largest}', found '{key}'")
    return int(key)


def _added(node: JsonObject | list[Json], key: str, operation: Operation) -> Json:
    if isinstance(node, dict):
        return {**node, key: operation["value"]}
    index = len(node) if key == "-" else _index(key, len(node), operation)
    return [*node[:index], operation["value"], *node[index:]]


def _removed(node: JsonObject | list[Json], key: str, operation: Operation) -> Json:
    if isinstance(node, list):
        index = _index(key, len(node) - 1, operation)
        return node[:index] + node[index + 1 :]
    if key not in node:
        raise PatchError(operation, f"'{key}' is missing")
    return {name: value for name, value in node.items() if name != key}


def _replaced(node: JsonObject | list[Json], key: str, operation: Operation) -> Json:
    if isinstance(node, dict):
        return {**node, key: operation["value"]}
    index = _index(key, len(node) - 1, operation)
    return [*node[:index], operation["value"], *node[index + 1 :]]


def _tested(node: JsonObject | list[Json], key: str, operation: Operation) -> Json:
    found = _found(node, key, operation)
    if not json_equal(found, operation["value"]):
        raise PatchError(operation, f"expected {_shown(operation['value'])}, found {_shown(found)}")
    return node


def _found(node: JsonObject | list[Json], key: str, operation: Operation) -> Json:
    if isinstance(node, dict):
        return node.get(key)
    return node[_index(key, len(node) - 1, operation)]


def _shown(value: Json) -> str:
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


if TYPE_CHECKING:
    _Step = Callable[[JsonObject | list[Json], str, Operation], Json]

_STEPS: dict[str, _Step] = {
    "add": _added,
    "remove": _removed,
    "replace": _replaced,
    "test": _tested,
}
