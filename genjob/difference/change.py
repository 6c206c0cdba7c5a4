"""A run on two sides → what becomes of it, small enough to hand on and to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.difference.effect import Effect, Verdict, worst
from genjob.difference.fields import FieldChange, changed_fields
from genjob.difference.objects import ObjectChange, changed_objects
from genjob.difference.usage import Usage, usage_of
from genjob.manifest import identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.difference.side import Place, Run

_NOT_SAID: Final = (
    "no file says so: this version of genjob renders otherwise, or what was committed was not as "
    "rendered"
)


@dataclass(frozen=True)
class Brief:
    """A run without its objects: its name, what it takes, and what it does not get.

    `is_known` tells whether its files can be used.
    """

    name: str
    usage: Usage
    held: tuple[str, ...]
    is_known: bool


@dataclass(frozen=True)
class RunChange:
    """A run before and after a change; None on the side where there is none.

    `renamed_from` is the name that the experiment had. `effects` are what the change does, `fields`
    those that differ, of a run that is on both sides, and `objects` those that differ; without
    effects there are none.
    """

    place: Place
    before: Brief | None
    after: Brief | None
    effects: tuple[Effect, ...]
    fields: tuple[FieldChange, ...] = ()
    objects: tuple[ObjectChange, ...] = ()
    renamed_from: str | None = None

    @property
    def verdict(self) -> Verdict:
        """The worst of what the change does."""
        return worst([*self.effects])

    @property
    def notes(self) -> list[str]:
        """The sentences of the effects, the worst first, and who is behind what no file says."""
        ordered = sorted(self.effects, key=lambda effect: effect.verdict.rank)
        said = [effect.sentence for effect in ordered if effect.sentence]
        return list(dict.fromkeys([*said, *self._unsaid()]))

    @property
    def usage(self) -> tuple[Usage | None, Usage | None]:
        """What the run takes, before and after."""
        before, after = (run.usage if run else None for run in (self.before, self.after))
        return before, after

    @property
    def still_held(self) -> tuple[str, ...]:
        """What was held back before, by whatever, and still is."""
        if self.before is None or self.after is None:
            return ()
        return tuple(name for name in self.after.held if name in self.before.held)

    def _unsaid(self) -> Iterator[str]:
        runs = (self.before, self.after)
        is_known = all(run is not None and run.is_known for run in runs)
        if (
            is_known
            and not self.renamed_from
            and self.objects
            and not self.fields
            and not self._is_taken
        ):
            yield _NOT_SAID

    @property
    def _is_taken(self) -> bool:
        """Whether the change is one that was held back before."""
        held = [run.held if run else () for run in (self.before, self.after)]
        return held[0] != held[1]


def change_of(
    place: Place,
    before: Run | None,
    after: Run | None,
    effects: Sequence[Effect],
    renamed_from: str | None = None,
) -> RunChange:
    """Return what becomes of a run, of which the effects are known."""
    was = brief(before) if before else None
    now = was if after is before else brief(after) if after else None
    if not effects:
        return RunChange(place, was, now, ())
    old, new = (run.objects if run else () for run in (before, after))
    fields, objects = _fields(before, after), changed_objects(old, new)
    return RunChange(place, was, now, tuple(effects), fields, tuple(objects), renamed_from)


def brief(run: Run) -> Brief:
    """Return a run in brief."""
    return Brief(identity(run.job).name, usage_of(run), run.held, run.resolved is not None)


def _fields(before: Run | None, after: Run | None) -> tuple[FieldChange, ...]:
    jobs = [run.resolved if run else None for run in (before, after)]
    return () if jobs[0] is None or jobs[1] is None else (*changed_fields(jobs[0], jobs[1]),)
