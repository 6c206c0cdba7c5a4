"""A comparison → the rows of its tables, which text and Markdown share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.difference.figures import UNKNOWN, change, figure
from genjob.difference.usage import sum_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from genjob.difference.comparison import Comparison, EnvironmentChange
    from genjob.difference.groups import Group
    from genjob.difference.usage import Sum, Usage

NOTHING: Final = "-"
_OVER: Final = "over its quota: runs wait"


class Table(NamedTuple):
    """A heading and rows of cells."""

    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


_OF_RUNS: dict[str, Callable[[Sum], str]] = {
    "nodes": lambda total: figure(total.nodes),
    "GPUs": lambda total: figure(total.gpus),
    "GPU-hours": lambda total: _at_least(figure(total.gpu_hours), total.unbounded),
    "cost": lambda total: _at_least(figure(total.cost), total.unpriced),
}
"""Column → what it shows of what runs take together."""


def groups_table(groups: Sequence[Group]) -> Table:
    """Return a row for each group: verdict, where, and what its runs take before and after."""
    head = ("verdict", "experiment", "environment", *_OF_RUNS, "ranks", "queue")
    return Table(head, [_group(each) for each in groups])


def environments_table(environments: Sequence[EnvironmentChange]) -> Table:
    """Return a row for each environment."""
    shown = {"runs": lambda total: figure(total.runs), **_OF_RUNS}
    rows = [
        (each.name, *(change(show(each.before), show(each.after)) for show in shown.values()))
        for each in environments
    ]
    return Table(("environment", *shown), rows)


def queues_table(environments: Sequence[EnvironmentChange]) -> Table:
    """Return a row for each queue that a run names."""
    rows: list[tuple[str, ...]] = [
        (
            queue.name,
            each.name,
            change(figure(queue.before), figure(queue.after)),
            NOTHING if queue.quota is None else figure(queue.quota),
            _OVER if queue.is_over else "",
        )
        for each in environments
        for queue in each.queues
    ]
    return Table(("queue", "environment", "GPUs asked for", "quota", ""), rows)


def counts_line(comparison: Comparison) -> str:
    """Return how many runs there are of each verdict: `new run: 2, no effect: 197`."""
    counts = [f"{verdict}: {count}" for verdict, count in comparison.verdicts.items()]
    return ", ".join(counts) or "no runs"


def base_line(comparison: Comparison) -> str:
    """Return what the work tree is compared with."""
    base = comparison.base
    return f"compared with {base.said}, {base.short}"


def _group(group: Group) -> tuple[str, ...]:
    place, usages = group.first.place, group.usages
    sums = [sum_of(each) if each else None for each in usages]
    cells = [[show(each) if each else NOTHING for each in sums] for show in _OF_RUNS.values()]
    cells += [[show(each) if each else NOTHING for each in usages] for show in (_ranks, _queue)]
    changes = (change(before, after) for before, after in cells)
    return (str(group.first.verdict), group.name, place.environment, *changes)


def _ranks(usages: Sequence[Usage]) -> str:
    ranks = [each.ranks for each in usages]
    return _at_least(figure(sum(each for each in ranks if each is not None)), ranks.count(None))


def _queue(usages: Sequence[Usage]) -> str:
    return ", ".join(sorted({each.queue or NOTHING for each in usages}))


def _at_least(text: str, unknown: int) -> str:
    """Return a sum to which what is unknown or unbounded must be added."""
    if not unknown:
        return text
    return UNKNOWN if text == "0" else f"{text} + {UNKNOWN}"
