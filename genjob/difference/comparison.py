"""Two sides of a workspace → what became of each run, and what the environments then carry."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from genjob.difference.effect import Effect, Verdict, worst
from genjob.difference.fields import FieldChange, changed_fields
from genjob.difference.objects import ObjectChange, changed_objects
from genjob.difference.queues import QueueUse, queue_uses
from genjob.difference.renames import renamed
from genjob.difference.side import Place, Run, Side
from genjob.difference.usage import Sum, Usage, sum_of, usage_of
from genjob.difference.verdict import effects_of
from genjob.difference.wiring import FileChange, changed_wiring, engine_of
from genjob.manifest import identity
from genjob.runs.claims import CLAIM
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from genjob.git.base import Base
    from genjob.manifest import Identity

_NOT_SAID: Final = (
    "no file says so: this version of genjob renders otherwise, or what was committed was not as "
    "rendered"
)


@dataclass(frozen=True)
class RunChange:
    """A run before and after a change; None on the side where there is none.

    `renamed_from` is the name that the experiment had. `effects` are what the change does.
    """

    place: Place
    before: Run | None
    after: Run | None
    effects: tuple[Effect, ...]
    renamed_from: str | None = None

    @cached_property
    def verdict(self) -> Verdict:
        """The worst of what the change does."""
        return worst([*self.effects])

    @property
    def notes(self) -> list[str]:
        """The sentences of the effects, the worst first, and who is behind what no file says."""
        ordered = sorted(self.effects, key=lambda effect: effect.verdict.rank)
        said = [effect.sentence for effect in ordered if effect.sentence]
        return list(dict.fromkeys([*said, *self._unsaid()]))

    @cached_property
    def usage(self) -> tuple[Usage | None, Usage | None]:
        """What the run takes, before and after."""
        before, after = (usage_of(run) if run else None for run in (self.before, self.after))
        return before, after

    @cached_property
    def fields(self) -> list[FieldChange]:
        """The fields that differ, of a run that is on both sides."""
        jobs = [run.resolved if run else None for run in (self.before, self.after)]
        return [] if jobs[0] is None or jobs[1] is None else changed_fields(jobs[0], jobs[1])

    @cached_property
    def objects(self) -> list[ObjectChange]:
        """The objects that differ."""
        old, new = (run.objects if run else () for run in (self.before, self.after))
        return changed_objects(old, new)

    @property
    def still_held(self) -> tuple[str, ...]:
        """What was held back before, by whatever, and still is."""
        if self.before is None or self.after is None:
            return ()
        return tuple(name for name in self.after.held if name in self.before.held)

    def _unsaid(self) -> Iterator[str]:
        runs = (self.before, self.after)
        is_known = all(run is not None and run.resolved is not None for run in runs)
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


@dataclass(frozen=True)
class EnvironmentChange:
    """What all runs of an environment take together, before and after, and what its queues give.

    `engines` are what applies it, before and after; None on a side that does not have it.
    """

    name: str
    before: Sum
    after: Sum
    queues: tuple[QueueUse, ...]
    engines: tuple[str | None, str | None] = (None, None)

    @property
    def is_handed_over(self) -> bool:
        """Whether another engine applies what one has applied."""
        old, new = self.engines
        return None not in self.engines and "none" not in self.engines and old != new


@dataclass(frozen=True)
class Comparison:
    """What a change means: every run of both sides, and every environment.

    `wiring` are the files of the GitOps engine that differ. `errors` counts what forbids to render
    the work tree.
    """

    base: Base
    runs: tuple[RunChange, ...]
    environments: tuple[EnvironmentChange, ...]
    errors: int = 0
    wiring: tuple[FileChange, ...] = ()

    @property
    def changed(self) -> list[RunChange]:
        """The runs to which something happens, the worst first and then the largest."""
        found = [run for run in self.runs if run.verdict is not Verdict.NO_EFFECT]
        return sorted(found, key=_importance)

    @property
    def verdicts(self) -> Mapping[Verdict, int]:
        """How many runs there are of each verdict, the worst first."""
        counts = Counter(run.verdict for run in self.runs)
        return {verdict: counts[verdict] for verdict in Verdict if counts[verdict]}


def compare_sides(base: Base, before: Side, after: Side, *, errors: int = 0) -> Comparison:
    """Compare two sides of a workspace, run by run."""
    names = _renames(before, after)
    moved = {Place(place.environment, names[place.experiment]) for place in _moved(after, names)}
    places = sorted({*before.runs, *after.runs, *after.unknown, *before.unknown} - moved)
    declared = {identity(body) for run in after.runs.values() for body in run.objects}
    judge = _Judge(before, after, names, declared)
    runs = [judge.change(place) for place in places]
    wiring = tuple(changed_wiring(before, after))
    return Comparison(base, tuple(runs), tuple(_environments(before, after)), errors, wiring)


def _renames(before: Side, after: Side) -> dict[str, str]:
    old, new = before.loaded.experiments, after.loaded.experiments
    gone = {
        name: document
        for name, document in old.items()
        if name not in new and name not in after.loaded.broken
    }
    added = {
        name: document
        for name, document in new.items()
        if name not in old and name not in before.loaded.broken
    }
    return renamed(gone, added)


def _moved(after: Side, names: Mapping[str, str]) -> list[Place]:
    return [place for place in {*after.runs, *after.unknown} if place.experiment in names]


@dataclass(frozen=True)
class _Judge:
    before: Side
    after: Side
    names: Mapping[str, str]
    declared: Collection[Identity]

    def change(self, place: Place) -> RunChange:
        """Return what became of a run."""
        old_name = self.names.get(place.experiment)
        old_place = Place(place.environment, old_name) if old_name else place
        old, new = self.before.runs.get(old_place), self.after.runs.get(place)
        sides = ((self.before, old, old_place, "before"), (self.after, new, place, "now"))
        for side, run, where, when in sides:
            if run is None and side.is_unknown(where):
                effect = Effect(Verdict.UNKNOWN, f"{when}: {side.why(where)}")
                return RunChange(place, old, new, (effect,))
        engines = engine_of(self.before, self.after, place.environment)
        engine = engines[1] or engines[0] or self.after.loaded.settings.gitops.engine
        effects = effects_of(old, new, engine=engine, declared=self.declared)
        if old_name is None or old is None:
            return RunChange(place, old, new, tuple(effects))
        return RunChange(place, old, new, (*effects, _renamed(old)), old_name)


def _renamed(old: Run) -> Effect:
    claims = [identity(body).name for body in old.objects if identity(body).kind == CLAIM]
    hint = f"; to go on with its data, mount what is there: `pvc: {{claim: {claims[0]}}}`"
    sentence = f"renamed from {quoted(old.place.experiment)}{hint if claims else ''}"
    return Effect(Verdict.NEW_RUN, sentence)


def _environments(before: Side, after: Side) -> Iterator[EnvironmentChange]:
    for name in sorted({place.environment for place in {*before.runs, *after.runs}}):
        old, new = (_usages(side, name) for side in (before, after))
        file = after.loaded.environments.get(name) or before.loaded.environments.get(name)
        quotas = file.model.queues.values() if file else ()
        known = {queue.local_queue: queue.gpus for queue in quotas}
        queues = queue_uses(old, new, known)
        engines = engine_of(before, after, name)
        yield EnvironmentChange(name, sum_of(old), sum_of(new), queues, engines)


def _usages(side: Side, environment: str) -> Sequence[Usage]:
    runs = (run for place, run in side.runs.items() if place.environment == environment)
    return [usage_of(run) for run in runs]


def _importance(change: RunChange) -> tuple[int, int, Place]:
    gpus = [usage.gpus if usage else 0 for usage in change.usage]
    return change.verdict.rank, -max(gpus), change.place
