"""A check and its row of the table: the two values that every family of rules shares."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.diagnostics import Severity
    from genjob.jsontypes import DocPath, JsonObject

    Check: TypeAlias = Callable[[JsonObject], Iterator["Hit"]]


@dataclass(frozen=True, slots=True)
class Hit:
    """One place of an object that breaks a rule; `at_key` means the key itself, not its value."""

    path: DocPath
    message: str
    hint: str = ""
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table; what the rule says and why it is true are the docstring of its check.

    `name` names the offence and reads after "allow"; `code` never changes its meaning.
    """

    code: str
    name: str
    severity: Severity
    check: Check

    @property
    def summary(self) -> str:
        """The offence in one sentence: the first line of the check's docstring."""
        return (inspect.getdoc(self.check) or "").partition("\n")[0]

    @property
    def source(self) -> str:
        """Where the fact stands: the `Source:` in the docstring of the check, or of its file."""
        own, _, source = (inspect.getdoc(self.check) or "").partition("Source: ")
        of_file = (inspect.getdoc(inspect.getmodule(self.check)) or "").partition("Source: ")[2]
        return (source or of_file or own).strip()
