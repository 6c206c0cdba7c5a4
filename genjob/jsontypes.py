"""The types of JSON values and of routes into them. Imports nothing of ours."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
JsonObject: TypeAlias = dict[str, Json]

Key: TypeAlias = str | int
"""One step into a document: a mapping key or a list index."""

DocPath: TypeAlias = tuple[Key, ...]
"""A route of keys from the root of a document to a value."""


def dotted(path: DocPath) -> str:
    """Return a path as people write it: `spec.containers[0].env`, `labels['a.b/c']`."""
    return "".join(_step(key) for key in path).removeprefix(".")


def _step(key: Key) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.replace("_", "").replace("-", "").isalnum() else f"['{key}']"
