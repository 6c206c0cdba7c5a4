"""A schema of ours and some values → a commented YAML file, as `init` and `new` write it.

Every comment is a field's own description, so the files cannot say anything else than the manual.
"""

from __future__ import annotations

import json
from textwrap import wrap
from typing import TYPE_CHECKING

from genjob.authoring.editor import DEFINITIONS, is_listed_elsewhere
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.jsontypes import Json, JsonObject

_WIDTH = 96


def described(schema: JsonObject, values: JsonObject) -> list[str]:
    """Return the lines of `values`, in their order, each with its description before it.

    A section is written out one level deep. Raises UnwritableError for a text that no YAML holds.
    """
    lines: list[str] = []
    for name, value in values.items():
        field = properties(schema)[name]
        section = _referred(schema, field)
        lines += _heading(schema, field, is_first=not lines)
        if isinstance(value, dict) and section:
            inner = described(_within(schema, section), value)
            lines += [f"{name}:", *(f"  {line}".rstrip() for line in inner)]
        else:
            lines += to_yaml({name: value}).splitlines()
    return lines


def catalogue(schema: JsonObject, values: Mapping[str, Json]) -> list[str]:
    """Return the fields that `values` does not set, each commented out with its default."""
    lines: list[str] = []
    for name, field in properties(schema).items():
        if name not in values:
            heading = _heading(schema, field, is_first=not lines)
            lines += [*heading, f"# {name}: {_default(field)}".rstrip()]
    return lines


def properties(schema: JsonObject) -> dict[str, JsonObject]:
    """Return the fields of a schema, in the order of the model."""
    held = schema.get("properties")
    fields = held if isinstance(held, dict) else {}
    return {name: field for name, field in fields.items() if isinstance(field, dict)}


def target(schema: JsonObject, field: JsonObject) -> JsonObject:
    """Return the section that a field is, or that each item of its list or mapping is."""
    parts = (field, field.get("items"), field.get("additionalProperties"))
    return next((found for part in parts if (found := _referred(schema, part))), {})


def _referred(schema: JsonObject, part: Json) -> JsonObject:
    """Return the definition that a part of a schema refers to; empty when it refers to none."""
    reference = part.get("$ref") if isinstance(part, dict) else None
    definitions = schema.get("$defs")
    if not isinstance(reference, str) or not isinstance(definitions, dict):
        return {}
    found = definitions.get(reference.removeprefix(DEFINITIONS))
    return found if isinstance(found, dict) else {}


def _within(schema: JsonObject, section: JsonObject) -> JsonObject:
    return section | {"$defs": schema.get("$defs")}


def _heading(schema: JsonObject, field: JsonObject, *, is_first: bool) -> list[str]:
    """Return an empty line, but not at the top, the description of a field and its own fields.

    The fields of a partial experiment are not named again, and those of NCCL are too many.
    """
    names = [] if is_listed_elsewhere(field) else [*properties(target(schema, field))]
    named = _comment(f"Fields: {', '.join(names)}.") if names else []
    return [*([] if is_first else [""]), *_comment(description(schema, field)), *named]


def description(schema: JsonObject, field: JsonObject) -> str:
    """Return what a field is for; where it says no more than its section, the section says it."""
    return str(field.get("description") or target(schema, field).get("description", ""))


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, _WIDTH, break_on_hyphens=False)]


def _default(field: JsonObject) -> str:
    if "default" in field:
        return json.dumps(field["default"], ensure_ascii=False).strip('"')
    return "{}" if "$ref" in field else ""
