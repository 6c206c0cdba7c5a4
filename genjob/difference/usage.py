"""A run → what it takes: nodes, GPUs, ranks, its queue, and GPU-hours and cost to its deadline."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from genjob.prediction import predicted_scale
from genjob.prediction.devices import gpus_of
from genjob.resolve.machine import machine_in
from genjob.rules.walk import as_int, get, parts, pod_specs
from genjob.runs.hold import queue_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.difference.side import Run
    from genjob.jsontypes import JsonObject
    from genjob.model.environment import NodePool

_SECONDS_PER_HOUR: Final = 3600


@dataclass(frozen=True)
class Usage:
    """What a run takes; None is not known, or has no bound.

    `pods` and `gpus_per_pod` are by role. An elastic run counts with its most nodes. `price` is for
    an hour of the whole run, in the unit of the node pool's.
    """

    pods: dict[str, int]
    gpus_per_pod: dict[str, int]
    nodes: int
    ranks: int | None
    queue: str | None
    pool: str | None
    fabric: str | None
    hours: Fraction | None
    price: Fraction | None

    @property
    def gpus(self) -> int:
        """The GPUs of all pods."""
        return sum(count * self.gpus_per_pod.get(role, 0) for role, count in self.pods.items())

    @property
    def gpu_hours(self) -> Fraction | None:
        """GPUs for as long as the deadline lets the run go on."""
        if not self.gpus:
            return Fraction()
        return None if self.hours is None else self.gpus * self.hours

    @property
    def cost(self) -> Fraction | None:
        """The price of the run when it goes on to its deadline."""
        return None if self.hours is None or self.price is None else self.price * self.hours


def usage_of(run: Run) -> Usage:
    """Return what a run takes.

    Its size is that of its objects; the node pool is that of its files, also when the run is held.
    """
    job, resolved = run.job, run.resolved
    scale = predicted_scale(job)
    pods = {**scale.pods}
    if scale.is_elastic:
        pods["Worker"] = scale.most_nodes
    gpus = {str(path[2]): _gpus(pod) for path, pod in pod_specs(job)}
    pool = resolved.pool if resolved else None
    queue = queue_of(job)
    return Usage(
        pods,
        gpus,
        scale.most_nodes,
        scale.ranks[1] if scale.ranks else None,
        queue if isinstance(queue, str) else None,
        pool.name if pool else None,
        resolved.fabric.name if resolved and resolved.fabric else None,
        hours_of(job),
        _price(pool, pods, gpus),
    )


def _gpus(pod: JsonObject) -> int:
    return sum(gpus_of(container) for _, container in parts((), pod.get("containers")))


def hours_of(job: JsonObject) -> Fraction | None:
    """Return how long a job may run, None without a deadline."""
    seconds = as_int(get(job, "spec", "runPolicy", "activeDeadlineSeconds"))
    return None if seconds is None else Fraction(seconds, _SECONDS_PER_HOUR)


def _price(pool: NodePool | None, pods: dict[str, int], gpus: dict[str, int]) -> Fraction | None:
    """Return the price of all pods for an hour; a pod is its share of a machine's GPUs, or all."""
    if pool is None or pool.price_per_node_hour is None:
        return None
    there = machine_in(pool).gpus
    shares = (count * _share(gpus.get(role, 0), there) for role, count in pods.items())
    return Fraction(str(pool.price_per_node_hour)) * sum(shares)


def _share(gpus: int, there: int | None) -> Fraction:
    return Fraction(gpus, there) if gpus and there else Fraction(1)


@dataclass(frozen=True, slots=True)
class Sum:
    """What several runs take together; `unbounded` of them have no deadline, `unpriced` no cost."""

    runs: int
    nodes: int
    gpus: int
    gpu_hours: Fraction
    cost: Fraction
    unbounded: int
    unpriced: int


def sum_of(usages: Iterable[Usage]) -> Sum:
    """Return what runs take together."""
    every = [*usages]
    hours, costs = [each.gpu_hours for each in every], [each.cost for each in every]
    return Sum(
        len(every),
        sum(each.nodes for each in every),
        sum(each.gpus for each in every),
        sum((each for each in hours if each is not None), Fraction()),
        sum((each for each in costs if each is not None), Fraction()),
        hours.count(None),
        costs.count(None),
    )
