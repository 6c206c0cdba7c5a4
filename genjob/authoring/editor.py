"""The models of our own files → JSON Schemas (draft 2020-12), for editors and for the manual.

A schema says what the model says: every description, default and choice comes from there. Where a
file takes a part of an experiment (an override, environment defaults, the Master's own section),
the schema is that of the experiment with nothing required.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, cast

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from genjob.model.base import no_items, no_keys
from genjob.model.environment import Environment
from genjob.model.experiment import NOT_IN_LAYERS, Experiment, Pod
from genjob.model.snapshot import Snapshot
from genjob.model.workspace import Workspace
from genjob.variables.schema import json_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import core_schema

    from genjob.jsontypes import Json, JsonObject
    from genjob.model.base import Model

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
KINDS: Final[dict[str, type[Model]]] = {
    "experiment": Experiment,
    "environment": Environment,
    "workspace": Workspace,
    "snapshot": Snapshot,
}
"""Files that people write, or `genjob snapshot`: by the name that `genjob schema show` takes."""

PARTIAL: Final = "Partial"
DEFINITIONS: Final = "#/$defs/"

NCCL: Final = "Nccl"
"""The definition with a field for each NCCL variable, which no model has."""

_NCCL: Final[JsonObject] = {"$ref": f"{DEFINITIONS}{NCCL}"}
_SOME_EXPERIMENT: Final[JsonObject] = {"$ref": f"{DEFINITIONS}{PARTIAL}Experiment"}
_PARTS: Final[dict[tuple[str, str], JsonObject]] = {
    ("Experiment", "master"): {"$ref": f"{DEFINITIONS}{PARTIAL}Pod"},
    ("Experiment", "worker"): {"$ref": f"{DEFINITIONS}{PARTIAL}Pod"},
    ("Experiment", "environments"): {"additionalProperties": _SOME_EXPERIMENT},
    ("Environment", "defaults"): _SOME_EXPERIMENT,
    ("Experiment", "nccl"): _NCCL,
    ("Pod", "nccl"): _NCCL,
    ("NodePool", "nccl"): _NCCL,
}
"""Fields whose values other checks than their model's know: a part of an experiment, which is
checked after the layers are laid, and the variables of NCCL."""

_WORDS: Final = {"ge": "minimum", "le": "maximum", "min_length": "minItems"}
"""Bounds that pydantic leaves in its own words below a validator of ours."""

_OF_A_FIELD: Final = ("default", "description", "examples")
"""What a field says of itself, whatever its value is."""

_WIDTH: Final = 100


class _Generator(GenerateJsonSchema):
    """Says what a person may write: absent is not null, a list of one may be one text."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 # pydantic's signature
        """Leave out titles that repeat the key."""
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """Return the schema without null: our reader refuses an empty value."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Return the schema with its default, an empty list or mapping too, but not null."""
        made = super().default_schema(schema)
        if schema.get("default_factory") in {no_keys, no_items}:
            made["default"] = {} if schema["default_factory"] is no_keys else []
        if made.get("default", ...) is None:
            del made["default"]
        return made

    def function_before_schema(
        self, schema: core_schema.BeforeValidatorFunctionSchema
    ) -> JsonSchemaValue:
        """Return the schema of what goes in: a list, or the one text that becomes a list."""
        made = super().function_before_schema(schema)
        make = cast("object", schema["function"]["function"])
        if made.get("type") == "array" and callable(make) and isinstance(make("text"), list):
            return {"anyOf": [{"type": "string", "minLength": 1}, made]}
        return made


def schemas() -> dict[str, str]:
    """Return the text of each schema, by the name of its file."""
    return {f"{kind}.schema.json": written(schema(kind)) + "\n" for kind in KINDS}


def schema(kind: str) -> JsonObject:
    """Return the schema of one kind of file, one of `KINDS`."""
    definitions = _definitions()
    root = KINDS[kind].__name__
    body = _object(definitions[root])
    used = _reached(body, definitions)
    return {
        "$schema": DIALECT,
        "$comment": f"made from the models; `genjob schema show {kind}` prints it",
        "title": f"genjob {kind}",
        **body,
        "$defs": {name: definitions[name] for name in definitions if name in used},
    }


def _definitions() -> dict[str, Json]:
    """Return all models as definitions, and those of partial experiments."""
    models: list[type[Model]] = [*KINDS.values(), Pod]
    _, made = models_json_schema(
        [(model, "validation") for model in models], schema_generator=_Generator
    )
    definitions = {name: _tidy(body) for name, body in made["$defs"].items()}
    definitions[NCCL] = {"description": "NCCL settings, one for each variable.", **json_schema()}
    for (name, field), part in _PARTS.items():
        properties = _object(_object(definitions[name])["properties"])
        old = _object(properties[field])
        kept: JsonObject = {key: old[key] for key in _OF_A_FIELD if key in old}
        properties[field] = {**({} if "$ref" in part else {"type": "object"}), **part, **kept}
    return definitions | _partial(definitions)


def _partial(definitions: Mapping[str, Json]) -> dict[str, Json]:
    """Return a second definition, with nothing required, of each that requires something."""
    strict = {name for name, body in definitions.items() if _requires(body, definitions)}
    strict -= {KINDS["environment"].__name__}
    made = {PARTIAL + name: _relaxed(definitions[name], strict) for name in sorted(strict)}
    properties = _object(_object(made[f"{PARTIAL}Experiment"])["properties"])
    for field in NOT_IN_LAYERS:
        del properties[field]
    return made


def _requires(body: Json, definitions: Mapping[str, Json]) -> bool:
    within = [body, *(definitions[name] for name in _reached(body, definitions, partial=False))]
    return any(_object(each).get("required") for each in within)


def _relaxed(schema: Json, strict: set[str]) -> Json:
    """Return a schema with nothing required, whose references lead to such ones."""
    if isinstance(schema, list):
        return [_relaxed(each, strict) for each in schema]
    if not isinstance(schema, dict):
        return schema
    is_object = "properties" in schema
    made = {
        k: _relaxed(v, strict) for k, v in schema.items() if not (is_object and k == "required")
    }
    name = str(made.get("$ref", "")).removeprefix(DEFINITIONS)
    return made | {"$ref": f"{DEFINITIONS}{PARTIAL}{name}"} if name in strict else made


def _reached(body: Json, definitions: Mapping[str, Json], *, partial: bool = True) -> set[str]:
    """Return the definitions that a schema refers to, directly or through others."""
    reached: set[str] = set()
    waiting = [*references(body)]
    while waiting:
        name = waiting.pop()
        if name not in reached and (partial or not name.startswith(PARTIAL)):
            reached.add(name)
            waiting += references(definitions[name])
    return reached


def references(schema: Json) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to directly."""
    if isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.removeprefix(DEFINITIONS)
        for each in schema.values():
            yield from references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


def is_listed_elsewhere(field: Json) -> bool:
    """Tell whether another place describes the keys of a field: an experiment's, or NCCL's."""
    return any(name.startswith((PARTIAL, NCCL)) for name in references(field))


def _tidy(schema: Json) -> Json:
    """Return a schema in JSON Schema's own words, without titles."""
    if isinstance(schema, list):
        return [_tidy(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made: JsonObject = {}
    for key, value in schema.items():
        if key == "properties":
            made[key] = {name: _tidy(each) for name, each in _object(value).items()}
        elif key not in {"title", "default", "examples", "enum"}:
            made[_WORDS.get(key, key)] = _tidy(value)
        elif key != "title":
            made[key] = value
    return made


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def written(value: Json, indent: int = 0, lead: int = 0) -> str:
    """Return JSON with each value on one line where it fits, else one line for each part.

    `lead` is how much of the first line is taken already, beside the indent.
    """
    flat = json.dumps(value, ensure_ascii=False)
    if indent + lead + len(flat) < _WIDTH or not isinstance(value, dict | list):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        keys = {f"{json.dumps(key)}: ": each for key, each in value.items()}
        parts = [key + written(each, inner, len(key)) for key, each in keys.items()]
    else:
        parts = [written(each, inner) for each in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    line = "\n" + " " * inner
    return f"{first}{line}" + f",{line}".join(parts) + f"\n{' ' * indent}{last}"
