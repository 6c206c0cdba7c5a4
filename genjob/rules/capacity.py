"""Rules on a resolved experiment beside the machines of its node pool: is there enough of them.

What is certain is an error. What is only estimated of a type of machine is a warning, because the
node pool may know better.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.catalog.fabrics import AUTO, FABRICS
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.catalog.hardware.machine import GIB
from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.resolve.capacity import (
    gpus_at_start,
    needed_nodes,
    of_machine,
    pods_per_machine,
    shortages,
)
from genjob.resolve.inventory import nodes_of
from genjob.resolve.machine import machine_in
from genjob.rules.policy import policy_place
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.model.environment import NodePool
    from genjob.model.experiment import Experiment
    from genjob.resolve.capacity import Shortage
    from genjob.resolve.job import Job
    from genjob.resolve.machine import Machine


class Unit(NamedTuple):
    """How an amount is written in a message."""

    noun: str
    text: Callable[[Fraction], str]


def _count(amount: Fraction) -> str:
    return f"{floor(amount * 10) / 10:g}"


def _gibibytes(amount: Fraction) -> str:
    return f"{floor(amount / GIB)}Gi"


_CPUS: Final = Unit("CPUs", _count)
_MEMORY: Final = Unit("of memory", _gibibytes)
UNITS: Final = {
    "gpus_per_node": Unit("GPUs", _count),
    "cpu": _CPUS,
    "cpu_limit": _CPUS,
    "memory": _MEMORY,
    "memory_limit": _MEMORY,
}
"""Field of `resources` → how its amount is written."""


def machine_too_small(job: Job) -> Iterator[Finding]:
    """More GPUs, CPUs or memory for a pod than a machine of its node pool has."""
    if job.pool is None:
        return
    roles = ((job.experiment, False), (job.master, True))
    snapshot = job.inputs.environment.snapshot if job.inputs.environment else None
    is_known = bool(nodes_of(job.pool, snapshot))  # its nodes are looked at, not estimated
    for role, is_master in roles[: 2 if job.own_of_master or job.own_of_worker else 1]:
        for shortage in of_machine(role, machine_in(job.pool)):
            if is_known and not shortage.is_certain:
                continue
            path = job.from_master(shortage.path) if is_master else shortage.path
            yield _too_small(job, job.pool, role, shortage, path)


def _too_small(
    job: Job, pool: NodePool, role: Experiment, shortage: Shortage, path: tuple[str | int, ...]
) -> Finding:
    field = str(shortage.path[-1])
    unit = UNITS[field]
    asked, there = unit.text(shortage.asked), unit.text(shortage.there)
    if not shortage.is_certain:
        message = (
            f"found {asked} {unit.noun}; pods may have about {there} of a machine of node pool"
        )
        hint = (
            f"write less; or write '{field.removesuffix('_limit')}' in the node pool, if it is more"
        )
        message = f"{message} {quoted(pool.name)}"
        return Finding(Code.MACHINE_TOO_SMALL, path, message, hint, Severity.WARNING)
    message = f"found {asked} {unit.noun}; a machine of node pool {quoted(pool.name)} has {there}"
    hint = _elsewhere(job, role, shortage, unit) or f"write at most {there}"
    return Finding(Code.MACHINE_TOO_SMALL, path, message, hint)


def _elsewhere(job: Job, role: Experiment, shortage: Shortage, unit: Unit) -> str | None:
    """Return the hint that names the node pool which certainly has most, or None."""
    kinds, best, most = role.resources.accelerator, None, shortage.there
    for other in job.environment.node_pools if job.environment else ():
        machine = machine_in(other)
        amount = _amount(machine, str(shortage.path[-1]))
        if amount is not None and amount > most and (not kinds or machine.accelerator in kinds):
            best, most = other.name, amount
    return None if best is None else f"node pool {quoted(best)} has {unit.text(most)}"


def _amount(machine: Machine, field: str) -> Fraction | None:
    """Return what a machine certainly has of what a field asks for; None when it is not known."""
    if field == "gpus_per_node":
        return None if machine.gpus is None else Fraction(machine.gpus)
    capacity = machine.cpus if field.startswith("cpu") else machine.memory
    return None if capacity is None else capacity.most


def too_few_machines(job: Job) -> Iterator[Finding]:
    """More nodes than the node pool has machines for."""
    if job.pool is None:
        return
    machine, (path, _) = machine_in(job.pool), needed_nodes(job.experiment)
    for shortage in shortages(job.experiment, job.pool, machine):
        if shortage.path == path:
            together = pods_per_machine(job.experiment, machine) or 1
            each = f", for {together} pods each" if together > 1 else ""
            machines = f"{job.pool.nodes} machine{'s' if job.pool.nodes != 1 else ''}"
            message = (
                f"found {shortage.asked} nodes; node pool {quoted(job.pool.name)} has {machines}"
            )
            yield Finding(
                Code.TOO_FEW_MACHINES, path, message + each, _larger(job, job.pool, shortage)
            )


def _larger(job: Job, pool: NodePool, shortage: Shortage) -> str:
    """Return the hint that names the node pool with the most machines of the same kind."""
    kind = machine_in(pool).accelerator
    pools = job.environment.node_pools if job.environment else []
    alike = [each for each in pools if machine_in(each).accelerator == kind and each.nodes]
    largest = max(alike, key=lambda each: each.nodes or 0)
    if (largest.nodes or 0) > (pool.nodes or 0):
        return f"node pool {quoted(largest.name)} has {largest.nodes}"
    return f"write at most {shortage.there}"


def fabric_not_there(job: Job) -> Iterator[Finding]:
    """A fabric that the machines of the node pool do not have."""
    if job.pool is None or job.fabric is None:
        return
    wanted = job.experiment.network.fabric
    if not job.fabric.joins_machines and job.experiment.nodes > 1:
        where = "the job asks for" if wanted != AUTO else f"node pool {quoted(job.pool.name)} has"
        message = f"{where} fabric {quoted(job.fabric.name)}, which joins no machines; found "
        message += f"{job.experiment.nodes} nodes"
        yield Finding(Code.FABRIC_NOT_THERE, ("nodes",), message, "write 1, or another fabric")
    known = INSTANCE_TYPES.get(job.pool.instance_type or "")
    if known and wanted != AUTO and not FABRICS[wanted].works_on(known.fabric):
        message = f"found fabric {quoted(wanted)}; machines of node pool {quoted(job.pool.name)} "
        message += f"({known.name}) have {quoted(known.fabric)}"
        hint = f"write {known.fabric}, or leave it out"
        yield Finding(Code.FABRIC_NOT_THERE, ("network", "fabric"), message, hint)


def over_quota(job: Job) -> Iterator[Finding]:
    """More GPUs for a run than its queue has: Kueue would never admit it."""
    wanted, (path, total) = job.experiment.scheduling.queue, gpus_at_start(job)
    queues = job.environment.queues if job.environment else {}
    for name, queue in queues.items():
        if wanted in {name, queue.local_queue} and queue.gpus is not None and total > queue.gpus:
            where = policy_place(job, "queues", name, "gpus")
            message = f"the run takes {total} GPUs; {where} is {queue.gpus}"
            yield Finding(Code.QUOTA_EXCEEDED, path, message, "use fewer, or another queue")
            return


CAPACITY_RULES: Final[tuple[Callable[[Job], Iterator[Finding]], ...]] = (
    machine_too_small,
    too_few_machines,
    over_quota,
    fabric_not_there,
)
