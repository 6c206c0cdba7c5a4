"""The `nccl:` section, made from the table of NCCL variables, and its environment."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, create_model

from genjob.catalog.nccl import VARIABLES, ValueType, Variable, variable_name
from genjob.document import Plain
from genjob.model.base import Flag, Int, Model, Quantity, Text, Word
from genjob.quantity import parse_quantity


def _words(raw: object) -> object:
    """Let a list be written as one text too: `^lo,docker` is one word that NCCL splits itself."""
    return [raw] if isinstance(raw, str | Plain) else raw


def _annotation(variable: Variable) -> Any:  # noqa: ANN401 # a type, for create_model
    bounds = Field(ge=variable.minimum, le=variable.maximum)
    match variable.type:
        case ValueType.FLAG:
            return Flag
        case ValueType.INTEGER:
            return Annotated[Int, bounds]
        case ValueType.CHOICE:
            return Literal[variable.choices]
        case ValueType.LIST:
            return Annotated[list[Word], BeforeValidator(_words), Field(min_length=1)]
        case ValueType.SIZE:
            return Quantity
        case ValueType.TEXT:
            return Text


def _described(variable: Variable) -> Any:  # noqa: ANN401 # a (type, default) pair
    return (
        _annotation(variable) | None,
        Field(default=None, description=f"{variable.name}: {variable.meaning}"),
    )


Nccl: type[Model] = create_model(
    "Nccl",
    __base__=Model,
    __doc__="NCCL settings; the field is the variable: `ib_hca` is `NCCL_IB_HCA`.",
    **{variable.field: _described(variable) for variable in VARIABLES},
)

_TYPES = {variable.field: variable.type for variable in VARIABLES}


def environment(nccl: Model) -> dict[str, str]:
    """Return the environment variables of an `nccl:` section, by name of the variable."""
    written = nccl.model_dump(exclude_none=True)
    return {
        variable_name(field): _rendered(_TYPES[field], value) for field, value in written.items()
    }


def _rendered(value_type: ValueType, value: Any) -> str:  # noqa: ANN401 # checked by the model
    match value_type:
        case ValueType.FLAG:
            return "1" if value else "0"
        case ValueType.LIST:
            return ",".join(value)
        case ValueType.SIZE:
            return str(int(parse_quantity(value)))
        case ValueType.INTEGER | ValueType.CHOICE | ValueType.TEXT:
            return str(value)
