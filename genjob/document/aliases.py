"""Anchors of a YAML document → the nodes that aliases and merge keys stand for, within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from yaml.events import Event

    from genjob.document.nodes import Node
    from genjob.jsontypes import Key

MAX_EXPANDED: Final = 100_000
"""Values that all aliases of a document may stand for; kubectl stops at about four times as many.

Source: https://github.com/kubernetes-sigs/yaml/blob/v1.4.0/goyaml.v2/decode.go, `alias_ratio_range`
"""


class TooManyError(Exception):
    """Aliases that stand for more than any manifest holds."""


class Anchors:
    """The anchors of one document so far, and how much their aliases have grown it."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._measures: dict[str, tuple[int, int]] = {}
        self._expanded = 0

    def remember(self, name: str, node: Node) -> None:
        """Keep the value of an anchor; a later one of the same name takes its place."""
        self._nodes[name] = node
        self._measures.pop(name, None)

    def find(self, name: str) -> Node | None:
        """Return the value of an anchor, or None when none of this name is complete."""
        return self._nodes.get(name)

    def grow(self, name: str) -> int:
        """Count one more alias of an anchor; return the levels of nesting of its value.

        Raises:
            TooManyError: when all aliases together stand for more than `MAX_EXPANDED` values.
        """
        if name not in self._measures:
            self._measures[name] = _measured(self._nodes[name], MAX_EXPANDED)
        size, height = self._measures[name]
        self._expanded += size
        if self._expanded > MAX_EXPANDED:
            raise TooManyError
        return height


def _measured(node: Node, limit: int) -> tuple[int, int]:
    """Return how many values a node holds, itself included, and how deep they are nested."""
    size, height = 1, 1
    for child in node.children.values():
        below, levels = _measured(child, limit - size)
        size, height = size + below, max(height, levels + 1)
        if size > limit:
            break
    return size, height


def merge(node: Node, children: dict[Key, Node], keys: dict[Key, Event]) -> bool:
    """Add what a merge key brings to a mapping, where the mapping does not say it itself.

    Return False when its value is neither a mapping nor a list of mappings.
    """
    sources = [*node.children.values()] if isinstance(node.raw, list) else [node]
    if not all(isinstance(source.raw, dict) for source in sources):
        return False
    for source in sources:
        for name, child in source.children.items():
            if name not in children:
                children[name], keys[name] = child, source.keys[name]
    return True
