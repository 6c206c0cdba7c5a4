"""Mappings of a manifest that remember the field of the experiment behind each key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.resolve.merge import ADDED_UP, by_name, names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import DocPath, Json, JsonObject


_TOLD_BY = {"volumeMounts": "mountPath"}
"""Lists whose items the API tells apart by another field than their name.

Source: k8s.io/api v0.31.0, core/v1/types.go, the list map keys.
"""


class Traced(dict[str, "Json"]):
    """A mapping with the source of each key: a route of keys into the experiment.

    `here` is the source of the mapping itself, for an item of a list, which no key leads to.
    """

    __slots__ = ("here", "sources")

    def __init__(self, *rows: tuple[str, Json, DocPath], here: DocPath | None = None) -> None:
        super().__init__({key: value for key, value, _ in rows})
        self.sources: dict[str, DocPath] = {key: source for key, _, source in rows}
        self.here = here

    def put(self, key: str, value: Json, source: DocPath) -> None:
        """Set a key and say where it came from."""
        self[key] = value
        self.sources[key] = source


def is_empty(value: Json) -> bool:
    """Return whether a manifest leaves a value out: nothing, or an empty list or mapping."""
    return value is None or (not value and isinstance(value, list | dict))


def fields(*rows: tuple[str, Json, DocPath]) -> Traced:
    """Return a mapping of rows (key, value, source), without those that have no value."""
    return Traced(*(row for row in rows if not is_empty(row[1])))


def traced(value: Json, source: DocPath) -> Json:
    """Return a raw piece of Kubernetes whose parts all remember that they came from `source`."""
    if isinstance(value, dict):
        rows = (
            (key, traced(below, (*source, key)), (*source, key)) for key, below in value.items()
        )
        return Traced(*rows, here=source)
    if isinstance(value, list):
        return [traced(item, (*source, index)) for index, item in enumerate(value)]
    return value


def lay_over(low: Traced, high: JsonObject) -> Traced:
    """Return a traced piece laid over another: mappings by key, named lists by name.

    A list that names every item of the other also says their order.
    """
    rows = ((key, value, low.sources[key]) for key, value in low.items())
    result = Traced(*rows, here=high.here if isinstance(high, Traced) and high.here else low.here)
    for key, value in high.items():
        source = high.sources[key] if isinstance(high, Traced) else ()
        result.put(key, _laid(low.get(key), value, key), source)
    return result


def _laid(low: Json, high: Json, key: str) -> Json:
    if isinstance(low, Traced) and isinstance(high, dict):
        return lay_over(low, high)
    if isinstance(low, list) and isinstance(high, list):
        if key in ADDED_UP:
            return [*low, *(item for item in high if item not in low)]
        by = _TOLD_BY.get(key, "name")
        known, own = names(low, by), names(high, by)
        if known and own:
            laid = by_name(low, high, lambda a, b: _laid(a, b, key), by)
            is_whole = {*known} <= {*own}
            return sorted(laid, key=lambda item: own.index(_name(item, by))) if is_whole else laid
    return high


def _name(item: Json, by: str) -> str:
    return str(item.get(by)) if isinstance(item, dict) else ""


def source_of(body: Json, path: Iterable[str | int]) -> DocPath | None:
    """Return the route into the experiment of the value at `path` of a manifest.

    It is empty where no field stands behind the value, and None where nobody traced it.
    """
    node, best, rest = body, None, []
    for key in path:
        rest.append(key)
        if isinstance(node, Traced) and key in node.sources:
            best, rest = node.sources[str(key)], []
        node = _below(node, key)
        if isinstance(node, Traced) and node.here is not None:
            best, rest = node.here, []
    return (*best, *rest) if best else best


def value_in(body: Json, path: Iterable[str | int]) -> Json:
    """Return the value at `path` of a manifest, or None when there is none."""
    for key in path:
        body = _below(body, key)
    return body


def _below(node: Json, key: str | int) -> Json:
    if isinstance(node, dict) and isinstance(key, str):
        return node.get(key)
    if isinstance(node, list) and isinstance(key, int) and key < len(node):
        return node[key]
    return None
