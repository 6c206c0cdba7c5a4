"""The `nccl:` section: a mapping with a field for each NCCL variable of the catalogue.

No model of its own: a class with hundreds of fields would slow down the start of every command.
The type takes any field; `problems` says which are wrong, each at its own key or value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import BeforeValidator, JsonValue

from genjob.catalog.variables import FIELDS
from genjob.catalog.variables.variable import ValueType
from genjob.document import Plain, value_of
from genjob.variables import check_field, environment_name, render_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from genjob.document import Raw
    from genjob.jsontypes import Json
    from genjob.variables import Problem

SECTION: Final = "nccl"
"""The key of the section, in an experiment and in a node pool."""

_TEXTS: Final = (ValueType.TEXT, ValueType.LIST)


def _values(raw: object) -> object:
    if not isinstance(raw, dict):
        return raw
    return {field: _as_written(field, value) for field, value in raw.items()}


def _as_written(field: str, raw: Raw) -> Json:
    """Return a value as its variable is written: a text as typed (`1.10`), all others as data."""
    if isinstance(raw, list):
        return [_as_written(field, item) for item in raw]
    if not isinstance(raw, Plain) or raw.value is None or field not in FIELDS:
        return value_of(raw)
    value_type = FIELDS[field].type
    is_size = value_type is ValueType.SIZE and isinstance(raw.value, float)
    return raw.text if value_type in _TEXTS or is_size else raw.value


Nccl: TypeAlias = Annotated[dict[str, JsonValue], BeforeValidator(_values)]
"""The section as the models hold it: field → value; `problems` of what was written says if well."""


def problems(section: Mapping[str, Raw]) -> Iterator[tuple[str, Problem]]:
    """Yield the fields of a section that are wrong, and what is wrong with each."""
    for field, raw in section.items():
        problem = _problem(field, _as_written(field, raw))
        if problem is not None:
            yield field, problem


def _problem(field: str, value: Json) -> Problem | None:
    if isinstance(value, list | dict):
        return check_field(field, value)
    return _of_scalar(field, value)


_of_scalar = lru_cache(maxsize=1024, typed=True)(check_field)
"""`check_field`, remembered: the same values come back in each layer of each experiment."""


def environment(nccl: Mapping[str, Json]) -> dict[str, str]:
    """Return the environment variables of a section without errors, by name of the variable."""
    return {environment_name(field): render_field(field, value) for field, value in nccl.items()}
