"""What became of each run → what a change means, and what the environments then carry."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from genjob.difference.effect import Verdict, remaining
from genjob.difference.queues import QueueUse, queue_uses
from genjob.difference.usage import Sum, sum_of
from genjob.difference.wiring import FileChange, changed_wiring, engine_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from genjob.difference.change import RunChange
    from genjob.difference.side import Place
    from genjob.git.base import Base
    from genjob.manifest import Identity
    from genjob.workspace.loading import Loaded


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


def compared(base: Base, before: Loaded, after: Loaded, changes: Iterable[RunChange]) -> Comparison:
    """Return what a change means, of which it is known what becomes of each run."""
    runs = sorted(changes, key=lambda change: change.place)
    environments = tuple(_environments(before, after, runs))
    wiring = tuple(changed_wiring(before, after))
    return Comparison(base, tuple(runs), environments, wiring=wiring)


def settled(change: RunChange, declared: Collection[Identity]) -> RunChange:
    """Return what becomes of a run, now that all objects are known that Git will have."""
    effects = remaining(change.effects, declared)
    if len(effects) == len(change.effects):
        return change
    return replace(change, effects=tuple(effects))


def _environments(
    before: Loaded, after: Loaded, runs: Sequence[RunChange]
) -> Iterator[EnvironmentChange]:
    there: dict[str, list[RunChange]] = {}
    for run in runs:
        if run.before or run.after:
            there.setdefault(run.place.environment, []).append(run)
    for name, changes in sorted(there.items()):
        old = [run.before.usage for run in changes if run.before]
        new = [run.after.usage for run in changes if run.after]
        queues = queue_uses(old, new, _quotas(before, after, name))
        yield EnvironmentChange(
            name, sum_of(old), sum_of(new), queues, engine_of(before, after, name)
        )


def _quotas(before: Loaded, after: Loaded, environment: str) -> Mapping[str, int | None]:
    file = after.environments.get(environment) or before.environments.get(environment)
    queues = file.model.queues.values() if file else ()
    return {queue.local_queue: queue.gpus for queue in queues}


def _importance(change: RunChange) -> tuple[int, int, Place]:
    gpus = [usage.gpus if usage else 0 for usage in change.usage]
    return change.verdict.rank, -max(gpus), change.place
