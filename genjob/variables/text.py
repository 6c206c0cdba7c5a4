"""A variable and the exact text of its value → the problem that its reader has with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.variables import REGISTRY
from genjob.catalog.variables.variable import Grammar, ValueType
from genjob.variables.grammars import check_allocator, check_path, check_shape
from genjob.variables.lists import check_names, check_per_collective, check_signed_words
from genjob.variables.names import check_age, check_name
from genjob.variables.numbers import check_number
from genjob.variables.words import check_choice, check_flag

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.catalog.variables.variable import Variable
    from genjob.variables.problem import Problem

    Check = Callable[[Variable, str], Problem | None]

_BY_TYPE: Final[dict[ValueType, Check]] = {
    ValueType.FLAG01: check_number,
    ValueType.FLAG_WORD: check_flag,
    ValueType.INTEGER: check_number,
    ValueType.CODE: check_number,
    ValueType.SIZE: check_number,
    ValueType.CHOICE: check_choice,
}
_BY_GRAMMAR: Final[dict[Grammar, Check]] = {
    Grammar.INTERFACES: check_names,
    Grammar.HCAS: check_names,
    Grammar.EXACT_NAMES: check_names,
    Grammar.SIGNED_WORDS: check_signed_words,
    Grammar.PER_COLLECTIVE: check_per_collective,
    Grammar.ALLOCATOR: check_allocator,
    Grammar.PATH: check_path,
}
"""Grammar → its check; of the others the shape is checked."""

_FILLED_IN_LATER: Final = ("$", "{{")
"""Signs of a text that a shell, Kubernetes or a template completes: nothing is known of it."""


def check_text(name: str, text: str | None) -> Problem | None:
    """Return the problem that the reader of a variable has with this exact text, or None.

    A text of None is not known yet: Kubernetes looks it up when the pod starts.

    One problem at most: a name that nobody reads, else one that does nothing any more, else the
    value, else a deprecated name. What the operator sets is left alone: it overwrites the value,
    and the rule on that speaks of it.
    """
    variable = REGISTRY.get(name)
    if variable is None:
        return check_name(name)
    if variable.operator_sets:
        return None
    age = check_age(variable)
    if variable.removed:
        return age
    return age if text is None else check_value(variable, text) or age


def check_value(variable: Variable, text: str) -> Problem | None:
    """Return the problem with the text of a variable alone, or None."""
    if any(sign in text for sign in _FILLED_IN_LATER):
        return None
    if variable.type in _BY_TYPE:
        return _BY_TYPE[variable.type](variable, text)
    if variable.grammar is None or not text:
        return None
    return _BY_GRAMMAR.get(variable.grammar, check_shape)(variable, text)
