"""The fields of `nccl:` → the JSON Schema of the section, with a description of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.variables import FIELDS
from genjob.catalog.variables.variable import PREFIX, ValueType, Variable
from genjob.variables.fields import takes_list
from genjob.variables.values import default_of

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

_TEXT: Final[JsonObject] = {"type": ["string", "number", "boolean"], "minLength": 1}
_LIST: Final[JsonObject] = {"type": "array", "items": _TEXT, "minItems": 1}
_TEXT_OR_LIST: Final[JsonObject] = {"anyOf": [_LIST, _TEXT]}


def json_schema() -> JsonObject:
    """Return the JSON Schema (draft 2020-12) of the `nccl:` mapping, its fields sorted.

    It says at least what an editor can tell: everything that `check_field` lets pass is valid.
    """
    properties: JsonObject = {field: _property(FIELDS[field]) for field in sorted(FIELDS)}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def described(variable: Variable) -> str:
    """Return the text that an editor shows beside a field: name, meaning, default, since, note."""
    default = default_of(variable)
    parts = (
        f"{variable.name}: {variable.meaning}",
        f"Default: {default}." if default is not None else "",
        f"Since NCCL {variable.since}." if variable.since else "",
        f"Deprecated {variable.deprecated}." if variable.deprecated else "",
        f"Does nothing since NCCL {variable.removed}." if variable.removed else "",
        f"Write {variable.replaced_by.removeprefix(PREFIX).lower()} instead."
        if variable.replaced_by.startswith(PREFIX) and "=" not in variable.replaced_by
        else "",
        variable.note,
    )
    return " ".join(part for part in parts if part)


def _property(variable: Variable) -> JsonObject:
    said: JsonObject = {"description": described(variable)}
    if variable.deprecated or variable.removed:
        said["deprecated"] = True
    return {**_values(variable), **said}


def _values(variable: Variable) -> JsonObject:
    match variable.type:
        case ValueType.FLAG01 | ValueType.FLAG_WORD:
            return {"type": "boolean"}
        case ValueType.INTEGER:
            return _bounded(variable)
        case ValueType.CODE:
            codes: list[Json] = [int(choice) for choice in variable.choices]
            return {"enum": codes}
        case ValueType.SIZE:
            return {"type": ["string", "number"], "examples": ["8Mi", 8388608]}
        case ValueType.CHOICE:
            words: list[Json] = [*(variable.newer_choices or variable.choices)]
            return {"enum": words}
        case _:  # a list or a text
            return _TEXT_OR_LIST if takes_list(variable) else _TEXT


def _bounded(variable: Variable) -> JsonObject:
    bounds = {"minimum": variable.minimum, "maximum": variable.maximum}
    return {"type": "integer"} | {key: at for key, at in bounds.items() if at is not None}
