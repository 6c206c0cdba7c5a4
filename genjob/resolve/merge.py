"""Two layers of one experiment → one tree; how they combine is stated here, once.

Mappings combine key by key. Lists whose items all have a `name` combine item by item, in the order
of the lower layer, new items behind. Tolerations and capabilities add up. Everything else is
replaced by the higher layer: a scalar, any other list, and a whole environment variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from genjob.document import Raw
    from genjob.jsontypes import DocPath, Key

ADDED_UP = frozenset({"tolerations", "capabilities"})
REPLACED_UNDER = "env"

RIVALS: tuple[tuple[str | None, frozenset[str]], ...] = (
    (None, frozenset({"script", "module", "command"})),
    (
        "storage",
        frozenset(
            {"pvc", "host_path", "empty_dir", "nfs", "config_map", "secret", "projected", "files"}
        ),
    ),
    ("pvc", frozenset({"claim", "size"})),
    ("topology", frozenset({"required", "preferred"})),
    ("run", frozenset({"name", "id"})),
)
"""Section and keys of which one rules out the others: a higher layer that sets one unsets the rest.

The section is the last name on the way there; None is the experiment itself. Elsewhere (`labels`,
`config`, raw Kubernetes) the same words are just names.
"""

RIVAL_COMPANIONS = {"claim": frozenset({"name", "access_mode", "storage_class"})}
"""Keys that make no sense beside another and go when a higher layer sets it."""

Item = TypeVar("Item")


def combine(low: Raw, high: Raw, path: DocPath = ()) -> Raw:
    """Return `high` laid over `low`; neither is changed."""
    match low, high:
        case dict(), dict() if path[-2:-1] != (REPLACED_UNDER,):
            return _mappings(low, high, path)
        case list(), list() if path and path[-1] in ADDED_UP:
            return [*low, *(item for item in high if item not in low)]
        case list(), list() if names(low) and names(high):
            return by_name(low, high, lambda a, b: combine(a, b, (*path, 0)))
        case _:
            return high


def names(items: Sequence[object], by: str = "name") -> list[str]:
    """Return the names of a list of named mappings; nothing when it is not one.

    `by` is the key of the name.
    """
    found = [item.get(by) for item in items if isinstance(item, dict)]
    texts = [name for name in found if isinstance(name, str)]
    return texts if len(texts) == len(items) == len(set(texts)) else []


def _mappings(low: dict[str, Raw], high: dict[str, Raw], path: DocPath) -> dict[str, Raw]:
    gone = unset_by(high, path)
    result = {key: value for key, value in low.items() if key not in gone or key in high}
    for key, value in high.items():
        result[key] = combine(result[key], value, (*path, key)) if key in result else value
    return result


def unset_by(high: Iterable[str], path: DocPath) -> frozenset[str]:
    """Return the keys that a layer with these keys at `path` unsets below it."""
    given, section = set(high), _section(path)
    rivals = [group for where, group in RIVALS if where == section and group & given]
    companions = [
        RIVAL_COMPANIONS[key] for group in rivals for key in group & given & RIVAL_COMPANIONS.keys()
    ]
    return frozenset().union(*rivals, *companions) - given


def _section(path: DocPath) -> str | None:
    names_on_the_way = [key for key in path if isinstance(key, str)]
    return names_on_the_way[-1] if names_on_the_way else None


def by_name(
    low: list[Item], high: list[Item], laid: Callable[[Item, Item], Item], by: str = "name"
) -> list[Item]:
    """Return two lists of named mappings as one: the order of `low`, new names behind."""
    above = {_name(item, by): item for item in high}
    kept = [
        laid(item, above.pop(_name(item, by))) if _name(item, by) in above else item for item in low
    ]
    return [*kept, *above.values()]


def _name(item: object, by: str = "name") -> object:
    return item.get(by) if isinstance(item, dict) else None


def step(merged: Raw, node: Raw, key: Key) -> Key | None:
    """Return the key in `node`, one of the layers, of what is at `key` in the merged tree."""
    if isinstance(node, dict):
        return key if isinstance(key, str) and key in node else None
    if not (isinstance(node, list) and isinstance(merged, list) and isinstance(key, int)):
        return None
    if key >= len(merged):
        return None
    return _index_of(merged[key], node, key)


def _index_of(item: Raw, node: list[Raw], expected: int) -> int | None:
    """Return where an item of the merged list is in a layer: the same item, else one so named."""
    if item in node[expected : expected + 1]:
        return expected
    if item in node:
        return node.index(item)
    name = _name(item)
    namesakes = [index for index, other in enumerate(node) if name and _name(other) == name]
    return namesakes[0] if namesakes else None


def value_at(tree: Raw, path: DocPath) -> Raw | None:
    """Return the value at a path of a tree, or None when there is none."""
    node: Raw | None = tree
    for key in path:
        node = child(node, key)
    return node


def child(node: Raw | None, key: Key) -> Raw | None:
    """Return the value at one key of a mapping or index of a list, or None."""
    match node, key:
        case dict(), str():
            return node.get(key)
        case list(), int() if key < len(node):
            return node[key]
        case _:
            return None
