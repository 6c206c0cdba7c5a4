"""A JSON Schema → a fast answer whether an object has no mistake.

Compiled code answers a hundred times faster than `violations` and finds no words; so that one is
asked, and its library imported, only about an object that has a mistake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema_rs

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import Json, JsonObject

_ENDS = {"int32": 2**31, "int64": 2**63}
"""The formats of integers, and the first number above each; the lowest is as far below zero."""


def conformity(schema: JsonObject) -> Callable[[JsonObject], bool]:
    """Return a function that says True of an object only when `violations` finds nothing in it.

    It may say False of an object without mistakes: of one that JSON cannot hold, and of all when
    the schema has a pattern that the compiler cannot read.
    """
    try:
        validator = jsonschema_rs.validator_for(_bounded(schema), ignore_unknown_formats=True)
    except ValueError:
        return lambda _: False

    def conforms(body: JsonObject) -> bool:
        try:
            return validator.is_valid(body)
        except ValueError:  # a key or a value that JSON does not have
            return False

    return conforms


def _bounded(schema: JsonObject) -> JsonObject:
    """Return a schema with bounds for the formats of integers: compiled formats are of text."""
    made = {key: _bounded_below(value) for key, value in schema.items()}
    kind = schema.get("format")
    if isinstance(kind, str) and kind in _ENDS:
        end = _ENDS[kind]
        made["minimum"] = max([-end, *_number(made, "minimum")])
        made["exclusiveMaximum"] = min([end, *_number(made, "exclusiveMaximum")])
    return made


def _bounded_below(value: Json) -> Json:
    if isinstance(value, list):
        return [_bounded_below(item) for item in value]
    return _bounded(value) if isinstance(value, dict) else value


def _number(schema: JsonObject, key: str) -> list[float]:
    found = schema.get(key)
    return [found] if isinstance(found, int | float) else []
