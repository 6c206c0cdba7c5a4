"""An object and its JSON Schema → findings in words of ours, each mistake once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry

from genjob.codes import Code
from genjob.diagnostics import Finding
from genjob.jsontypes import dotted
from genjob.wording import did_you_mean, found, nearest, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

    from genjob.jsontypes import DocPath, Json, JsonObject

UNKNOWN_FIELD = Code.UNKNOWN_FIELD
WRONG_TYPE = Code.WRONG_FIELD_TYPE
MISSING_FIELD = Code.MISSING_FIELD
WRONG_VALUE = Code.WRONG_FIELD_VALUE

DROPPED = "the API server would drop it"

FEW = 8
"""Fields of an object that a hint lists when none of them is near the unknown one."""

_A = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}
_EXPECTED = {
    "exclusiveMaximum": "less than {}",
    "exclusiveMinimum": "more than {}",
    "format": "{}",
    "maxItems": "at most {} entries",
    "maxLength": "at most {} characters",
    "maxProperties": "at most {} keys",
    "maximum": "at most {}",
    "minItems": "at least {} entries",
    "minLength": "at least {} characters",
    "minProperties": "at least {} keys",
    "minimum": "at least {}",
    "multipleOf": "a multiple of {}",
    "pattern": "text that matches {}",
    "uniqueItems": "no entry twice",
}
_OTHERWISE = "what {1} in its schema allows"

QUANTITY = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
"""What the API server accepts as a quantity in a CRD.

Source: sigs.k8s.io/controller-tools v0.16.5 pkg/crd/known_types.go, resource.Quantity.
"""

_SPECIAL = {
    QUANTITY: "a quantity such as '10Gi', '500m' or '4'",
    "int32": "an integer of 32 bits",
    "int64": "an integer of 64 bits",
}

_RUN_POLICY = "runPolicy"
_OF_RUN_POLICY = frozenset(
    {
        "activeDeadlineSeconds",
        "backoffLimit",
        "cleanPodPolicy",
        "schedulingPolicy",
        "suspend",
        "ttlSecondsAfterFinished",
    }
)
"""What the spec of a job had before runPolicy, or what is taken to be there.

Source: kubeflow/pytorch-operator v0.7.0 pkg/apis/pytorch/v1/types.go
"""

_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("int32")
def _is_int32(value: object) -> bool:
    return not isinstance(value, int | float) or -(2**31) <= value < 2**31


@_FORMATS.checks("int64")
def _is_int64(value: object) -> bool:
    return not isinstance(value, int | float) or -(2**63) <= value < 2**63


def compiled(schema: JsonObject) -> Validator:
    """Return the validator of a schema; it looks nothing up on the network.

    The schema itself is not checked: that takes longer than a thousand validations.
    """
    return Draft202012Validator(schema, registry=Registry(), format_checker=_FORMATS)


def validate(
    body: JsonObject, schema: JsonObject | Validator, *, base: DocPath = (), fate: str = DROPPED
) -> list[Finding]:
    """Return every mistake of `body`, in the order of the paths, each one once.

    `base` is the path at which `body` stands in its object; `fate` says what becomes of an
    unknown field. An unknown field's path ends in the field, a missing one's in its parent.
    """
    validator = compiled(schema) if isinstance(schema, dict) else schema
    findings = [
        finding
        for error in validator.iter_errors(body)
        for leaf in _leaves(error)
        for finding in _findings(leaf, (*base, *leaf.absolute_path), fate)
    ]
    mistyped = {each.path for each in findings if each.code == WRONG_TYPE}
    kept = [each for each in findings if each.code != WRONG_VALUE or each.path not in mistyped]
    return sorted(dict.fromkeys(kept), key=lambda each: [str(key) for key in each.path])


def _where(path: DocPath) -> str:
    return f"in {dotted(path)}" if path else "at the top level"


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the errors that say most: of a choice, those of the branch that got furthest."""
    branches: dict[object, list[ValidationError]] = {}
    for each in error.context or ():
        branches.setdefault(each.relative_schema_path[0], []).append(each)
    depths = {key: min(len(each.relative_path) for each in branches[key]) for key in branches}
    if not any(depths.values()):
        yield error
        return
    for each in branches[max(depths, key=lambda key: depths[key])]:
        yield from _leaves(each)


def _findings(error: ValidationError, path: DocPath, fate: str) -> Iterator[Finding]:
    match error.validator:
        case "additionalProperties":
            yield from _unknown_fields(error, path, fate)
        case "required":
            yield from _missing_fields(error, path)
        case "type":
            yield _wrong_type(_value(error), path, _limits(error))
        case "anyOf" | "oneOf" if error.context:
            yield _no_choice(error, path)
        case _:
            yield _wrong_value(error, path)


def _value(error: ValidationError) -> Json:
    return cast("Json", error.instance)


def _keys(error: ValidationError) -> list[str]:
    return [str(key) for key in cast("JsonObject", error.instance)]


def _known(error: ValidationError) -> list[str]:
    """Return the fields that the schema of a mapping names, sorted."""
    schema = cast("JsonObject", error.schema)
    return sorted(cast("JsonObject", schema.get("properties", {})))


def _limits(error: ValidationError) -> list[str]:
    """Return what the broken rule asks for: its types, its names, its values."""
    limit = cast("Json", error.validator_value)
    limits = limit if isinstance(limit, list) else [limit]
    return [str(each) for each in limits if each is not None and each != "null"]


def _unknown_fields(error: ValidationError, path: DocPath, fate: str) -> Iterator[Finding]:
    known = _known(error)
    for key in _keys(error):
        if key not in known:
            message = f"unknown field {quoted(key)} {_where(path)}; {fate}"
            hint = _moved(key, known) or did_you_mean(key, known) or _few(known)
            yield Finding(UNKNOWN_FIELD, (*path, key), message, hint, at_key=True)


def _moved(key: str, known: list[str]) -> str:
    """Return the hint for a field that stands where older versions of the operator had it."""
    is_moved = key in _OF_RUN_POLICY and _RUN_POLICY in known
    return f"write it under {quoted(_RUN_POLICY)}" if is_moved else ""


def _few(known: list[str]) -> str:
    """Return the hint that lists what a small object may hold."""
    return f"the fields here are {one_of(known)}" if 0 < len(known) <= FEW else ""


def _missing_fields(error: ValidationError, path: DocPath) -> Iterator[Finding]:
    """Yield the missing fields, but for those that an unknown one is a misspelling of."""
    known, present = _known(error), _keys(error)
    is_closed = cast("JsonObject", error.schema).get("additionalProperties") is False
    unknown = [key for key in present if key not in known] if is_closed else []
    misspelled = {nearest(key, known) for key in unknown}
    for name in _limits(error):
        if name not in present and name not in misspelled:
            yield Finding(MISSING_FIELD, path, f"{quoted(name)} is missing {_where(path)}")


def _wrong_type(value: Json, path: DocPath, types: list[str]) -> Finding:
    expected = " or ".join(dict.fromkeys(_A[name] for name in types))
    message = f"found {found(value)}, expected {expected}"
    return Finding(WRONG_TYPE, path, message, _type_hint(value, types))


def _type_hint(value: Json, types: list[str]) -> str:
    if value is None:
        return "give it a value, or leave the field out"
    if "string" in types and isinstance(value, bool | int | float):
        return "put the value in quotes"
    if isinstance(value, str) and _reads_as(value) in types:
        return "leave out the quotes"
    return ""


def _reads_as(text: str) -> str:
    if text in {"true", "false"}:
        return "boolean"
    return "integer" if text.removeprefix("-").isdecimal() else "string"


def _no_choice(error: ValidationError, path: DocPath) -> Finding:
    """Return the finding for a value that fits none of several forms, at its top already."""
    branches = list(error.context or ())
    words = list(dict.fromkeys(word for each in branches for word in _limits(each)))
    if all(each.validator == "type" for each in branches):
        return _wrong_type(_value(error), path, words)
    if all(each.validator == "required" for each in branches):
        return Finding(MISSING_FIELD, path, f"{one_of(words)} is missing {_where(path)}")
    return _wrong_value(error, path)


def _wrong_value(error: ValidationError, path: DocPath) -> Finding:
    limits = _limits(error)
    if error.validator in {"enum", "const"}:
        expected, hint = one_of(limits), did_you_mean(str(error.instance), limits)
    else:
        expected, hint = _expected(str(error.validator), limits), ""
    message = f"found {found(_value(error))}, expected {expected}"
    return Finding(WRONG_VALUE, path, message, hint)


def _expected(rule: str, limits: list[str]) -> str:
    limit = limits[0] if limits else ""
    special = _SPECIAL.get(limit)
    return special or _EXPECTED.get(rule, _OTHERWISE).format(quoted(limit), quoted(rule))
