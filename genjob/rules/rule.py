"""A check and its row of the table: the two values that every family of rules shares."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from genjob.diagnostics import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.jsontypes import DocPath

Subject = TypeVar("Subject")
"""What a rule looks at: a whole object, or what was read of it once for a family."""

_PARAGRAPH = r"^{label}: ((?:.+\n?)+?)(?=^[A-Z]\w+: |\n|\Z)"


class Hit(NamedTuple):
    """One place of an object that breaks a rule; `at_key` means the key itself, not its value.

    `severity` is that of its rule unless the case is more or less certain than usual.
    """

    path: DocPath
    message: str
    hint: str = ""
    at_key: bool = False
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Rule(Generic[Subject]):
    """A row of the table; what the rule says and why it is true are the docstring of its check.

    `name` names the offence and reads after "allow"; `code` never changes its meaning.
    `is_allowable` is of an error that an experiment may allow itself: the cluster takes the object,
    so that somebody may know better.
    """

    code: str
    name: str
    severity: Severity
    check: Callable[[Subject], Iterator[Hit]]
    is_allowable: bool = False

    @property
    def summary(self) -> str:
        """The offence in one sentence: the first line of the check's docstring."""
        return (inspect.getdoc(self.check) or "").partition("\n")[0]

    @property
    def symptom(self) -> str:
        """What a person sees: the `Symptom:` in the docstring of the check, or of its file."""
        return self._said("Symptom")

    @property
    def source(self) -> str:
        """Where the fact stands: the `Source:` in the docstring of the check, or of its file."""
        return self._said("Source")

    def findings(self, subject: Subject) -> list[Finding]:
        """Return what the rule finds."""
        return [self._finding(hit) for hit in self.check(subject)]

    def _finding(self, hit: Hit) -> Finding:
        severity = hit.severity or self.severity
        return Finding(self.code, hit.path, hit.message, hit.hint, severity, hit.at_key)

    def _said(self, label: str) -> str:
        for owner in (self.check, inspect.getmodule(self.check)):
            pattern = _PARAGRAPH.format(label=label)
            found = re.search(pattern, inspect.getdoc(owner) or "", re.MULTILINE)
            if found:
                return " ".join(found[1].split())
        return ""
