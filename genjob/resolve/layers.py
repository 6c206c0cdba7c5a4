"""A layer: a tree shaped like an experiment, and the places of a document that it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from genjob.document import Plain, Raw
from genjob.resolve.merge import step, value_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.document import Document
    from genjob.jsontypes import DocPath


class Mount(NamedTuple):
    """A part of a document that appears at another place of the experiment."""

    tree: DocPath
    document: DocPath


class Origin(NamedTuple):
    """Who set a value: the layer, and the document and route in it when a person wrote it."""

    layer: str
    document: Document | None
    path: DocPath


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of values."""

    name: str
    tree: dict[str, Raw]
    document: Document | None = None
    mounts: tuple[Mount, ...] = ()

    @classmethod
    def of_values(cls, name: str, values: Mapping[str, object]) -> Layer:
        """Return a layer of values that a table of ours knows."""
        tree = _raw(values)
        return cls(name, tree if isinstance(tree, dict) else {})

    @classmethod
    def of_document(
        cls, name: str, document: Document, mounts: tuple[Mount, ...], without: tuple[str, ...] = ()
    ) -> Layer | None:
        """Return a layer of parts of a document, or None when it has none of them."""
        tree: dict[str, Raw] = {}
        present = [
            m for m in mounts if isinstance(value_at(document.data, m.document), dict | list)
        ]
        for mount in present:
            _put(tree, mount.tree, value_at(document.data, mount.document), without)
        return cls(name, tree, document, tuple(present)) if present else None

    def document_path(self, path: DocPath) -> DocPath:
        """Return where in the document the value at `path` of the tree was written."""
        for mount in self.mounts:
            if path[: len(mount.tree)] == mount.tree:
                return (*mount.document, *path[len(mount.tree) :])
        return path


def _put(tree: dict[str, Raw], path: DocPath, value: Raw | None, without: tuple[str, ...]) -> None:
    if not path:
        if isinstance(value, dict):
            tree.update({key: below for key, below in value.items() if key not in without})
        return
    *parents, last = [str(key) for key in path]
    for key in parents:
        below = tree.setdefault(key, {})
        tree = below if isinstance(below, dict) else {}
    if value is not None:
        tree[last] = value


def _raw(value: object) -> Raw:
    if isinstance(value, dict):
        return {str(key): _raw(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_raw(below) for below in value]
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return Plain(value, str(value).lower() if isinstance(value, bool) else str(value))
    raise TypeError(value)


def origins(tree: Raw, layers: tuple[Layer, ...], path: DocPath) -> list[Origin]:
    """Return who set the value at `path` of the merged tree, the winning layer first.

    When the tree does not reach `path`, the origins are those of its longest part that it has;
    the rest of the path is kept, so that a document can be asked for it.
    """
    holders: list[tuple[Layer, Raw, DocPath]] = [(layer, layer.tree, ()) for layer in layers]
    merged: Raw | None = tree
    for depth, key in enumerate(path):
        below = [
            (layer, value_at(node, (at,)), (*route, at))
            for layer, node, route in holders
            if merged is not None and (at := step(merged, node, key)) is not None
        ]
        kept = [(layer, node, route) for layer, node, route in below if node is not None]
        if not kept:
            return _origins(holders, path[depth:], at_root=depth == 0)
        merged = value_at(merged, (key,)) if merged is not None else None
        holders = kept
    return _origins(holders, (), at_root=not path)


def _origins(
    holders: list[tuple[Layer, Raw, DocPath]], rest: DocPath, *, at_root: bool
) -> list[Origin]:
    chain = [
        Origin(layer.name, layer.document, layer.document_path((*route, *rest)))
        for layer, _, route in reversed(holders)
    ]
    if at_root:  # what no layer sets is missing from the experiment, not from a layer beside it
        chain.sort(key=lambda origin: origin.layer != "experiment")
    return chain
