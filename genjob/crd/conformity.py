"""A JSON Schema → a fast answer whether an object has no mistake.

Compiled code answers a hundred times faster than `violations` and finds no words; so that one is
asked, and its library imported, only about an object that has a mistake.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema_rs

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import JsonObject

_ENDS = {"int32": 2**31, "int64": 2**63}
"""The formats of integers, and the first number above each; the lowest is as far below zero."""


def conformity(schema_text: str | bytes) -> Callable[[JsonObject], bool]:
    """Return a function that says True of an object only when `violations` finds nothing in it.

    It may say False of an object without mistakes: of one that JSON cannot hold, and of all when
    the schema has a pattern that the compiler cannot read.

    Raises:
        ValueError: the text is not JSON.
    """
    schema = json.loads(schema_text, object_hook=_bounded)
    try:
        validator = jsonschema_rs.validator_for(schema, ignore_unknown_formats=True)
    except ValueError:
        return lambda _: False

    def conforms(body: JsonObject) -> bool:
        try:
            return validator.is_valid(body)
        except ValueError:  # a key or a value that JSON does not have
            return False

    return conforms


def _bounded(part: JsonObject) -> JsonObject:
    """Return a part of a schema with bounds for a format of integers: compiled ones are of text."""
    kind = part.get("format")
    if isinstance(kind, str) and kind in _ENDS:
        end = _ENDS[kind]
        part["minimum"] = max([-end, *_number(part, "minimum")])
        part["exclusiveMaximum"] = min([end, *_number(part, "exclusiveMaximum")])
    return part


def _number(schema: JsonObject, key: str) -> list[float]:
    found = schema.get(key)
    return [found] if isinstance(found, int | float) else []
