"""The base of all models and the types of their fields, fed from a Document's raw tree."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import (
    any_schema,
    bool_schema,
    dict_schema,
    float_schema,
    int_schema,
    list_schema,
    str_schema,
)
from pydantic_core.core_schema import no_info_after_validator_function as after
from pydantic_core.core_schema import no_info_before_validator_function as before

from genjob import quantity
from genjob.document import Plain, value_of
from genjob.model import duration
from genjob.wording import listed, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from genjob.jsontypes import JsonObject


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


AnyModel = TypeVar("AnyModel", bound=Model)


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


class Type:
    """How pydantic reads a value, made once for all fields of a type.

    Annotations of pydantic's own are taken apart again at each of three hundred fields: that was a
    tenth of a run of one experiment. `published` is the JSON Schema where that of `core` says less.
    """

    def __init__(self, core: CoreSchema, published: JsonObject | None = None) -> None:
        self.core = core
        self._published = published

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return cast("CoreSchema", {**self.core})  # pydantic adds what a field says of itself

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(core) if self._published is None else {**self._published}


def _integer(least: int | None = None) -> Type:
    return Type(before(as_value, int_schema(ge=least)))


def word(check: Callable[[str], str], published: JsonObject | None = None) -> Type:
    """Return the type of texts that say something and that a check lets pass."""
    return Type(after(check, _WORD), published or _SOMETHING)


_SCALAR: JsonObject = {"type": ["string", "number", "boolean"]}
_SCALARS: JsonObject = {"type": "object", "additionalProperties": _SCALAR}
_SOMETHING: JsonObject = {"type": "string", "minLength": 1}
_AMOUNT: JsonObject = {"type": ["string", "number"], "examples": ["512Gi", "500m", 96]}
_TIME: JsonObject = {"type": ["string", "integer"], "examples": ["72h", "90m", "1h30m"]}

_TEXT = before(as_typed, str_schema())
_WORD = before(as_typed, str_schema(min_length=1))
_OBJECT = dict_schema(str_schema(), any_schema())

Text: TypeAlias = Annotated[str, Type(_TEXT, _SCALAR)]
"""A string; numbers and booleans arrive as they were typed."""

Word: TypeAlias = Annotated[str, Type(_WORD, _SOMETHING)]
"""A string that says something."""

Int: TypeAlias = Annotated[int, _integer()]
Natural: TypeAlias = Annotated[int, _integer(0)]
Count: TypeAlias = Annotated[int, _integer(1)]
Flag: TypeAlias = Annotated[bool, Type(before(as_value, bool_schema()))]
Number: TypeAlias = Annotated[float, Type(before(as_value, float_schema(strict=False, ge=0)))]

Quantity: TypeAlias = Annotated[str, Type(after(_quantity, _TEXT), _AMOUNT)]
"""A Kubernetes quantity: `512Gi` is 512 * 2³⁰ bytes, `500m` is half a CPU."""

Duration: TypeAlias = Annotated[str, Type(after(_duration, _TEXT), _TIME)]
"""A length of time: `72h`, `90m`, `1h30m`; a bare number is seconds."""

RawObject: TypeAlias = Annotated[dict[str, Any], Type(before(as_value, _OBJECT))]
"""A piece of Kubernetes in Kubernetes' own spelling, checked on the rendered object."""

RawList: TypeAlias = Annotated[list[dict[str, Any]], Type(before(as_value, list_schema(_OBJECT)))]

TextMap: TypeAlias = Annotated[dict[str, str], Type(dict_schema(str_schema(), _TEXT), _SCALARS)]


def nothing_set(model: type[AnyModel]) -> Callable[[], AnyModel]:
    """Return what makes a model of which nothing is set: always the same one, as it is frozen.

    It is made without a validator, which would take as long to build as that of the field.
    """
    return cast("Callable[[], AnyModel]", cache(model.model_construct))


def no_items() -> list[Any]:
    """Return an empty list.

    pydantic asks for the signature of what makes a default; that of `list` is parsed each time.
    """
    return []


def no_keys() -> dict[str, Any]:
    """Return an empty mapping; see `no_items`."""
    return {}


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
