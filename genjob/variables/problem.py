"""What is wrong with one environment variable: the value that all checks of this room return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.catalog.variables.families import family_of
from genjob.codes import Code
from genjob.diagnostics import Severity

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable


KNOWN_READERS: Final = ("NCCL", "PyTorch", "torchrun")
"""Readers of which it is known what they do with a text that they do not understand."""

CODES: Final = frozenset(
    {
        Code.UNKNOWN_VARIABLE,
        Code.MISREAD_VALUE,
        Code.VALUE_OUT_OF_RANGE,
        Code.UNKNOWN_WORD,
        Code.MALFORMED_LIST,
        Code.DEPRECATED_VARIABLE,
        Code.REMOVED_VARIABLE,
    }
)
"""What a problem may be."""


class Problem(NamedTuple):
    """What a reader of the variable will not do as written; the hint says what to write instead.

    `at_key` means that the name is wrong, or old, and not its value.
    """

    code: Code
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    at_key: bool = False


def severity_for(variable: Variable) -> Severity:
    """Return how surely a wrong value fails: an error where the reader's answer to it is known."""
    is_known = family_of(variable.name).reader in KNOWN_READERS
    return Severity.ERROR if is_known else Severity.WARNING
