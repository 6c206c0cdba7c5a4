"""The schema of a PyTorchJob → the names of its own fields, so that two of them can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import Json, JsonObject

PYTORCHJOBS: Final = "pytorchjobs.kubeflow.org"
"""The name of its CRD."""

_NOT_ITS_OWN: Final = frozenset({"template", "metrics"})
"""Fields that hold a piece of Kubernetes, which is checked by that version's schemas."""

_REFERENCE: Final = "#/$defs/"


def field_names(spec: JsonObject, definitions: JsonObject | None = None) -> list[str]:
    """Return the fields of a spec, sorted, such as `runPolicy.backoffLimit`.

    `*` stands for the keys of a mapping. `definitions` are those that the schema refers to.
    """
    return sorted(_names(spec, "", definitions or {}))


def _names(schema: Json, here: str, definitions: JsonObject) -> Iterator[str]:
    schema = _resolved(schema, definitions)
    below = schema.get("properties")
    values = schema.get("additionalProperties")
    children = {**below} if isinstance(below, dict) else {}
    if isinstance(values, dict) and "pytorchReplicaSpecs" in here:
        children["*"] = values
    for name, child in children.items():
        path = f"{here}.{name}" if here else name
        inner = [] if name in _NOT_ITS_OWN else [*_names(child, path, definitions)]
        yield from inner or [path]


def _resolved(schema: Json, definitions: JsonObject) -> JsonObject:
    """Return a schema, or the definition that it refers to; an empty one where there is none."""
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    if isinstance(reference, str):
        schema = definitions.get(reference.removeprefix(_REFERENCE))
    return schema if isinstance(schema, dict) else {}
