"""Findings about a job → those that its experiment does not allow itself, and idle allowances.

An allowance is a code, or its name, and the reason: `allow: {GJ265: "Tree is faster here"}`. A
warning or a note can always be allowed. An error can be where the cluster takes the object all the
same, so that somebody may know better; never what the API server or the operator would refuse.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from genjob import codes
from genjob.diagnostics import Diagnostic, Severity
from genjob.resolve.merge import value_at
from genjob.rules import RULES
from genjob.together import LATER, find_together, written_at
from genjob.variables.problem import CODES as CODES_OF_VARIABLES
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from genjob.diagnostics import Location
    from genjob.document import Document
    from genjob.resolve.job import Job
    from genjob.together import Footprint
    from genjob.workspace.loading import Loaded

SECTION = "allow"


@cache
def code_of() -> dict[str, str]:
    """Return every finding's code by its code and by its name."""
    from genjob.rulebook import names  # noqa: PLC0415 # few experiments allow anything

    return {**{code: code for code in names().values()}, **names()}


@cache
def _allowable_errors() -> frozenset[str]:
    """Return the codes of errors that the cluster does not refuse."""
    return frozenset(rule.code for rule in RULES if rule.is_allowable) | CODES_OF_VARIABLES


def allows(document: Document, environment: str, code: str) -> bool:
    """Tell whether an experiment allows a finding that is made of several experiments."""
    places = ((SECTION,), ("environments", environment, SECTION))
    sections = [value_at(document.data, place) for place in places]
    words = [word for section in sections if isinstance(section, dict) for word in section]
    return any(code_of().get(word) == code for word in words)


def remaining_together(
    loaded: Loaded, made: Mapping[str, Mapping[str, Footprint]]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the experiments of an environment together, and not allowed.

    `made` is what they make, by experiment and environment.
    """
    for environment in dict.fromkeys(each for there in made.values() for each in there):
        runs = {name: made[name][environment] for name in made if environment in made[name]}
        for name, found in find_together(runs):
            document = loaded.experiments[name]
            if not (found.code in LATER and allows(document, environment, found.code)):
                place = document.locate(written_at(document.data, found.path))
                yield Diagnostic(found.code, found.message, place, found.hint, found.severity)


def is_allowable(diagnostic: Diagnostic) -> bool:
    """Tell whether a reason is enough to leave a finding out."""
    is_error = diagnostic.severity is Severity.ERROR
    return not is_error or diagnostic.code in _allowable_errors()


@dataclass
class Ledger:
    """The allowances of one experiment, over all environments in which it is checked."""

    written: dict[Location, str] = field(default_factory=dict)
    used: set[Location] = field(default_factory=set)
    wrong: list[Diagnostic] = field(default_factory=list)

    def allow(self, job: Job, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the findings that remain of a job, and note which allowances had an effect."""
        places = dict(self._read(job))
        kept = []
        for diagnostic in diagnostics:
            place = places.get(diagnostic.code)
            if place is None or not is_allowable(diagnostic):
                kept.append(diagnostic)
            if place is not None:
                self.used.add(place)
                if not is_allowable(diagnostic):
                    self.wrong.append(_not_allowable(diagnostic, place))
        return kept

    def findings(self, *, is_complete: bool) -> list[Diagnostic]:
        """Return what is wrong with the allowances; idle ones when every environment was seen."""
        return [*self.wrong, *(self._idle() if is_complete else ())]

    def _read(self, job: Job) -> Iterator[tuple[str, Location]]:
        """Yield the codes that a job allows, and where; those of an environment are not noted.

        An environment's defaults are for all experiments, so one of them alone may have no need.
        """
        own = job.inputs.experiment.locate(()).file
        for word in job.experiment.allow:
            place = job.locate((SECTION, word), at_key=True)
            code = code_of().get(word)
            if code is None:
                self.wrong.append(_unknown(word, place))
                continue
            if place.file == own:
                self.written[place] = word
            yield code, place

    def _idle(self) -> Iterator[Diagnostic]:
        for place, word in self.written.items():
            if place not in self.used and code_of()[word] not in LATER:
                message = f"there is no finding {quoted(word)} to allow"
                yield Diagnostic(
                    codes.Code.IDLE_ALLOWANCE, message, place, "remove it", Severity.WARNING
                )


def _unknown(word: str, place: Location) -> Diagnostic:
    message = f"{quoted(word)} is no code and no name of a finding"
    names = [name for name in code_of() if not name.startswith("GJ")]
    hint = did_you_mean(word, names) or "docs/rules.md lists them"
    return Diagnostic(codes.Code.UNKNOWN_ALLOWANCE, message, place, hint)


def _not_allowable(diagnostic: Diagnostic, place: Location) -> Diagnostic:
    message = f"{diagnostic.code} cannot be allowed: the job fails, whatever the reason"
    hint = "correct what it says, and remove this"
    return Diagnostic(codes.Code.IDLE_ALLOWANCE, message, place, hint)
