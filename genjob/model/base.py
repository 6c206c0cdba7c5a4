"""The base of all models and the types of their fields, fed from a Document's raw tree."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from genjob import quantity
from genjob.document import Plain, value_of
from genjob.model import duration
from genjob.wording import listed, one_of


class Model(BaseModel):
    """A mapping that a person writes: unknown keys are refused, values are never coerced."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        populate_by_name=True,
        allow_inf_nan=False,
        defer_build=True,
    )


def refusal(expected: str, hint: str = "") -> PydanticCustomError:
    """Return the error for a value that is not what was expected; what was found is added."""
    return PydanticCustomError("refused", "{expected}", {"expected": expected, "hint": hint})


def as_typed(raw: object) -> object:
    """Return the text of a scalar exactly as it was typed: `1e-4`, `yes`, `1.10`, `010`.

    Raises:
        PydanticCustomError: for an empty value or `null`, which would be a guess.
    """
    if not isinstance(raw, Plain):
        return raw
    if raw.value is None:
        raise refusal("a text", 'write "" for an empty text')
    return raw.text


def as_value(raw: object) -> object:
    """Return the JSON value of a raw tree: YAML 1.2 numbers, booleans and null."""
    return value_of(raw) if isinstance(raw, Plain | dict | list | str) else raw


def _quantity(text: str) -> str:
    try:
        number = quantity.parse_quantity(text)
    except ValueError:
        raise refusal("a quantity such as '10Gi', '500m' or '4'", _without_b(text)) from None
    if number < 0:
        raise refusal("a quantity of 0 or more")
    return text


def _without_b(text: str) -> str:
    """Return the hint for bytes as other tools write them: `10GB`, `10 GiB`."""
    number = re.fullmatch(r"([0-9.]+)\s*([KkMGTPE])(i?)[Bb]?", text)
    if number is None:
        return ""
    count, unit, binary = number.groups()
    exact = f"{count}{unit.upper()}i"
    return f"write {exact}" if binary else f"write {exact} for units of 1024, or {count}{unit}"


def _duration(text: str) -> str:
    try:
        duration.seconds(text)
    except ValueError:
        raise refusal("a duration such as 72h, 90m or 1h30m") from None
    return text


_SCALAR = {"type": ["string", "number", "boolean"]}

Text: TypeAlias = Annotated[str, BeforeValidator(as_typed), WithJsonSchema(_SCALAR)]
"""A string; numbers and booleans arrive as they were typed."""

Word: TypeAlias = Annotated[
    Text, Field(min_length=1), WithJsonSchema({"type": "string", "minLength": 1})
]
"""A string that says something."""

Int: TypeAlias = Annotated[int, BeforeValidator(as_value)]
Flag: TypeAlias = Annotated[bool, BeforeValidator(as_value)]
Count: TypeAlias = Annotated[Int, Field(ge=1)]
Number: TypeAlias = Annotated[float, BeforeValidator(as_value), Field(strict=False, ge=0)]

Quantity: TypeAlias = Annotated[
    Text,
    AfterValidator(_quantity),
    WithJsonSchema({"type": ["string", "number"], "examples": ["512Gi", "500m", 96]}),
]
"""A Kubernetes quantity: `512Gi` is 512 * 2³⁰ bytes, `500m` is half a CPU."""

Duration: TypeAlias = Annotated[
    Text,
    AfterValidator(_duration),
    WithJsonSchema({"type": ["string", "integer"], "examples": ["72h", "90m", "1h30m"]}),
]
"""A length of time: `72h`, `90m`, `1h30m`; a bare number is seconds."""

RawObject: TypeAlias = Annotated[dict[str, Any], BeforeValidator(as_value)]
"""A piece of Kubernetes in Kubernetes' own spelling, checked on the rendered object."""

RawList: TypeAlias = Annotated[list[RawObject], BeforeValidator(as_value)]

TextMap: TypeAlias = dict[str, Text]


def exactly_one(model: Model, names: tuple[str, ...], what: str) -> None:
    """Refuse a model that sets none or several of `names`.

    Raises:
        PydanticCustomError: naming what was set and what may be.
    """
    given = [name for name in names if getattr(model, name) is not None]
    if len(given) == 1:
        return
    message = f"found {listed(given) or 'none'}; {what} is exactly one of {one_of(names)}"
    raise PydanticCustomError("exactly_one", "{message}", {"message": message})
