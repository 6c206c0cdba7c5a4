"""A field of `nccl:` and its value → the problem with it, and the text that NCCL is given.

Stricter than the environment: one way to write a value, so that nobody has to know what NCCL makes
of a text. Flags are YAML booleans, sizes are quantities, levels are spelled as NCCL compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.variables import FIELDS
from genjob.catalog.variables.variable import PREFIX, Grammar, ValueType
from genjob.codes import Code
from genjob.quantity import binary_text, parse_quantity, read_quantity
from genjob.variables.names import check_age, check_field_name, field_name
from genjob.variables.numbers import FALSE_WORDS, TRUE_WORDS, expected, in_bytes
from genjob.variables.problem import Problem
from genjob.variables.text import check_value
from genjob.wording import did_you_mean, found, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.catalog.variables.variable import Variable
    from genjob.jsontypes import Json

    Shape = Callable[[Variable, Json], Problem | None]


def check_field(field: str, value: Json) -> Problem | None:
    """Return what is wrong with a field of `nccl:` and its value, or None.

    One problem at most; a problem with the name points at the key.
    """
    variable = FIELDS.get(field)
    if variable is None:
        return check_field_name(field)
    age = check_age(variable, _spelled)
    if variable.removed:
        return age
    fault = _shape(variable, value) or check_value(variable, render_field(field, value))
    return fault or age


def render_field(field: str, value: Json) -> str:
    """Return the text of the variable for a value that `check_field` lets pass.

    Booleans become 1 and 0, quantities plain bytes, lists one text.
    """
    variable = FIELDS[field]
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return variable.separator.join(str(item) for item in value)
    if variable.type is ValueType.SIZE and isinstance(value, str):
        return str(int(parse_quantity(value)))
    return str(value)


def takes_list(variable: Variable) -> bool:
    """Tell whether a value may be written as a list: `algo` is one, though its grammar has more."""
    return variable.type is ValueType.LIST or variable.grammar is Grammar.PER_COLLECTIVE


def _spelled(name: str) -> str:
    """Return a variable as a person writes it beside `nccl:`."""
    return field_name(name) if name.startswith(PREFIX) else f"{name} under env"


def _shape(variable: Variable, value: Json) -> Problem | None:
    return _SHAPES[variable.type](variable, value)


def _flag(_: Variable, value: Json) -> Problem | None:
    if isinstance(value, bool):
        return None
    word = str(value).lower()
    hint = ""
    if word in {"1", *TRUE_WORDS}:
        hint = "write true"
    elif word in {"0", *FALSE_WORDS}:
        hint = "write false"
    return _refused(value, "true or false", hint)


def _integer(variable: Variable, value: Json) -> Problem | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return None
    hint = ""
    if isinstance(value, bool):
        hint = f"write {int(value)}"
    elif isinstance(value, str) and value.isascii() and value.isdecimal():
        hint = f"write {value.lstrip('0') or '0'} without quotes or leading zeros"
    return _refused(value, expected(variable), hint)


def _size(_: Variable, value: Json) -> Problem | None:
    size = read_quantity(value) if not isinstance(value, float) else None
    if size is not None and size.denominator == 1:
        return None
    count = in_bytes(value) if isinstance(value, str) else None
    hint = f"write {binary_text(count)}" if count else ""
    return _refused(value, "a whole number of bytes such as 8Mi or 8388608", hint)


def _choice(variable: Variable, value: Json) -> Problem | None:
    known = variable.newer_choices or variable.choices
    if isinstance(value, str) and value in known:
        return None
    fault = Code.UNKNOWN_WORD if isinstance(value, str) else Code.MISREAD_VALUE
    hint = did_you_mean(value, known) if isinstance(value, str) else ""
    return Problem(fault, f"found {found(value)}; expected {one_of(known)}", hint)


def _text(variable: Variable, value: Json) -> Problem | None:
    return _list(variable, value) if takes_list(variable) else _item(value, "a text")


def _list(_: Variable, value: Json) -> Problem | None:
    if isinstance(value, list) and value:
        return next(filter(None, (_item(item, "a text") for item in value)), None)
    return _item(value, "a list or a text")


def _item(value: Json, wanted: str) -> Problem | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if is_number or (isinstance(value, str) and value):
        return None
    hint = "write it in quotes" if isinstance(value, bool | float) else ""
    return _refused(value, wanted, hint)


def _refused(value: Json, wanted: str, hint: str) -> Problem:
    return Problem(Code.MISREAD_VALUE, f"found {found(value)}; expected {wanted}", hint)


_SHAPES: Final[dict[ValueType, Shape]] = {
    ValueType.FLAG01: _flag,
    ValueType.FLAG_WORD: _flag,
    ValueType.INTEGER: _integer,
    ValueType.CODE: _integer,
    ValueType.SIZE: _size,
    ValueType.CHOICE: _choice,
    ValueType.LIST: _list,
    ValueType.TEXT: _text,
}
"""Type → the check that a value is written in the one way."""
