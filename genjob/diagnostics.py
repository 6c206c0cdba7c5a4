"""What is wrong, and where a person wrote it: the values that every stage reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import DocPath


class Severity(StrEnum):
    """How much a finding weighs: an error stops a render, a warning does not."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A span of one line of a file; line and column count from 1, `end_column` is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem at a route of keys, before anyone knows the line.

    `at_key` points at the key itself (an unknown key) rather than at its value.
    """

    code: str
    path: DocPath
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem at the place where a person wrote it.

    `message` says what was found and what was expected; `hint` says what to write instead.
    """

    code: str
    message: str
    location: Location
    hint: str = ""
    severity: Severity = Severity.ERROR


def has_errors(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> bool:
    """Return whether any finding stops a run; with `strict`, warnings do too."""
    stopping = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return any(d.severity in stopping for d in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings sorted by place, each once."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.location, d.code, d.message))


class ToolError(Exception):
    """A missing or broken tool, or our own fault: exit code 3, one line of advice."""
