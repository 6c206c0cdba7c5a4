"""What is wrong with one environment variable: the value that all checks of this room return."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.families import family_of
from genjob.diagnostics import Severity

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable


KNOWN_READERS: Final = ("NCCL", "PyTorch", "torchrun")
"""Readers of which it is known what they do with a text that they do not understand."""


class Fault(StrEnum):
    """The kinds of problems, by the code of their finding."""

    UNKNOWN_VARIABLE = "GJ202"
    MISREAD_VALUE = "GJ203"
    VALUE_OUT_OF_RANGE = "GJ204"
    UNKNOWN_WORD = "GJ205"
    MALFORMED_LIST = "GJ206"
    DEPRECATED_VARIABLE = "GJ207"
    REMOVED_VARIABLE = "GJ208"


@dataclass(frozen=True, slots=True)
class Problem:
    """What a reader of the variable will not do as written; the hint says what to write instead.

    `at_key` means that the name is wrong, or old, and not its value.
    """

    fault: Fault
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    at_key: bool = False

    @property
    def code(self) -> str:
        """The code of the finding: `GJ203`."""
        return self.fault.value


def severity_for(variable: Variable) -> Severity:
    """Return how surely a wrong value fails: an error where the reader's answer to it is known."""
    is_known = family_of(variable.name).reader in KNOWN_READERS
    return Severity.ERROR if is_known else Severity.WARNING
