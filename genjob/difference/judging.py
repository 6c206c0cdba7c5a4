"""An experiment in two states of a workspace → what it comes to, and what becomes of its runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from genjob.diagnostics import Diagnostic, Severity, in_order
from genjob.difference.change import RunChange, change_of
from genjob.difference.effect import Effect, Verdict
from genjob.difference.side import UNREADABLE, Place, Run, Side, environments_of, past, present
from genjob.difference.verdict import effects_of
from genjob.difference.wiring import engine_of
from genjob.manifest import identity
from genjob.rendering import Rendering, render_one
from genjob.runs.claims import CLAIM
from genjob.selection import relevant, selected
from genjob.survey import Outcome, outcome_from
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.difference.commit import There
    from genjob.selection import Selection
    from genjob.workspace.loading import Loaded


class Unit(NamedTuple):
    """An experiment, the name that it had, and the environments in which it may have runs."""

    name: str
    old: str
    environments: tuple[str, ...]

    @property
    def is_renamed(self) -> bool:
        """Whether it had another name."""
        return self.name != self.old


@dataclass(frozen=True)
class Judged:
    """What an experiment comes to, None where it is not rendered, and what becomes of its runs.

    `unusable` is why its file cannot be used as it was. `against` is the digest of what it was
    compared with.
    """

    outcome: Outcome | None
    changes: tuple[RunChange, ...]
    unusable: Diagnostic | None
    against: bytes

    @property
    def claims(self) -> frozenset[str] | None:
        """The claims of experiments that it refers to now, None when it misses one."""
        return self.outcome.claims if self.outcome is not None else frozenset()

    def as_found(self) -> Judged:
        """Return the same without texts."""
        return replace(self, outcome=self.outcome.as_found() if self.outcome else None)

    def as_written(self, files: Mapping[str, bytes]) -> None:
        """Return None: nothing is written here, so somebody else was at work."""


@dataclass(frozen=True)
class Judge:
    """Two states of a workspace, `there` and `now`; `names` are new name → old name."""

    there: There
    now: Loaded
    selection: Selection
    names: Mapping[str, str]

    def __call__(self, name: str) -> Judged:
        """Judge an experiment of `units`; it needs nothing that was found of another."""
        unit, rendering, outcome = self.units[name], Rendering(), None
        if name in self._selected:
            rendering = render_one(self.now, self.selection, name)
            outcome = outcome_from(self.now, rendering, planned=True, name=name)
        after = present(self.now, self.selection, name, rendering)
        is_same = outcome is not None and outcome.is_done and name in self.there.alike
        before = self._before(unit, after.runs if is_same else {})
        known = {*before.runs, *before.unknown, *after.runs, *after.unknown}
        places = [each for each in unit.environments if each in known]
        changes = tuple(self._change(unit, each, before, after) for each in places)
        return Judged(outcome, changes, self._unusable(unit.old, before), self.against(name))

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """The experiments to judge, by name."""
        names = {*self.now.experiments, *self.there.loaded.experiments, *self.there.folders}
        units = (self._unit(name) for name in sorted(names))
        return {
            unit.name: unit for unit in units if unit.environments or unit.name in self._selected
        }

    def against(self, name: str) -> bytes:
        """Return a digest of all that an experiment is compared with."""
        unit, there = self.units[name], self.there
        parts = (unit, there.is_exact, there.state(unit.old))
        return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()

    @cached_property
    def _selected(self) -> frozenset[str]:
        return frozenset(selected(self.now, self.selection))

    def _unit(self, name: str) -> Unit:
        after = environments_of(self.now, name, self.selection.environments)
        old = self.names.get(name, name)
        before = {*self._places(old)}
        if name in self.names.values():
            new = next(each for each, was in self.names.items() if was == name)
            before -= {*environments_of(self.now, new, self.selection.environments)}
        return Unit(name, old, tuple(sorted({*after, *before})))

    def _places(self, name: str) -> list[str]:
        """Return where an experiment may have had runs."""
        wanted = self.selection.environments
        if not self.there.is_exact:
            return environments_of(self.there.loaded, name, wanted)
        there = sorted(self.there.folders.get(name, ()))
        return [each for each in there if wanted is None or each in wanted]

    def _before(self, unit: Unit, same: Mapping[str, Run]) -> Side:
        """Return an experiment as it was; `same` are its runs where it is as it was."""
        there = self.there
        places = {*self._places(unit.old)}.intersection(unit.environments) - same.keys()
        loaded = there.where(unit.old)
        side = past(loaded, unit.old, sorted(places), is_exact=there.is_exact)
        return replace(side, runs={**side.runs, **same})

    def _change(self, unit: Unit, environment: str, before: Side, after: Side) -> RunChange:
        place = Place(environment, unit.name)
        old, new = before.runs.get(environment), after.runs.get(environment)
        if reason := self._reason(unit, environment, before, after):
            return change_of(place, old, new, [Effect(Verdict.UNKNOWN, reason)])
        if old is new:
            return change_of(place, old, new, [])
        engines = engine_of(self.there.loaded, self.now, environment)
        engine = engines[1] or engines[0] or self.now.settings.gitops.engine
        effects = effects_of(old, new, engine=engine)
        if not unit.is_renamed or old is None:
            return change_of(place, old, new, effects)
        return change_of(place, old, new, [*effects, _renamed(old)], unit.old)

    def _reason(self, unit: Unit, environment: str, before: Side, after: Side) -> str:
        """Return why the states cannot be compared; nothing where they can."""
        if environment not in before.runs:
            reason = before.unknown.get(environment)
            is_broken = _is_broken(self.there.loaded, unit.old, environment)
            if reason or (is_broken and not self.there.is_exact):
                return f"before: {reason or UNREADABLE}"
        if environment not in after.runs:
            reason = after.unknown.get(environment)
            if reason or _is_broken(self.now, unit.name, environment):
                return f"now: {reason or UNREADABLE}"
        return ""

    def _unusable(self, name: str, before: Side) -> Diagnostic | None:
        """Return the first error of a file that cannot be used as it was."""
        loaded = self.there.where(name)
        is_lost = before.unknown or any(run.resolved is None for run in before.runs.values())
        if not is_lost or name not in loaded.experiments:
            return None
        found = in_order([*relevant(loaded, self.selection), *before.problems])
        file = loaded.experiments[name].file
        errors = (each for each in found if each.severity is Severity.ERROR)
        return next((each for each in errors if each.location.file == file), None)


def _is_broken(loaded: Loaded, name: str, environment: str) -> bool:
    return name in loaded.broken or environment in loaded.broken_environments


def _renamed(old: Run) -> Effect:
    claims = [identity(body).name for body in old.objects if identity(body).kind == CLAIM]
    hint = f"; to go on with its data, mount what is there: `pvc: {{claim: {claims[0]}}}`"
    sentence = f"renamed from {quoted(old.place.experiment)}{hint if claims else ''}"
    return Effect(Verdict.NEW_RUN, sentence)
