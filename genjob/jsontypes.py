"""The types of JSON values, as manifests and documents hold them. Imports nothing of ours."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
JsonObject: TypeAlias = dict[str, Json]

Key: TypeAlias = str | int
"""One step into a document: a mapping key or a list index."""

DocPath: TypeAlias = tuple[Key, ...]
"""A route of keys from the root of a document to a value."""
