"""An experiment and a node pool → what the experiment asks for and the pool does not have."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from genjob.quantity import parse_quantity
from genjob.resolve.merge import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath
    from genjob.model.environment import NodePool
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job
    from genjob.resolve.machine import Capacity, Machine


class Shortage(NamedTuple):
    """An amount that is asked for and what is there of it: known for certain, or estimated."""

    path: DocPath
    asked: Fraction
    there: Fraction
    is_certain: bool

    @property
    def fit(self) -> Fraction:
        """How much of what is asked for is there, below 1."""
        return self.there / self.asked


def shortages(experiment: Experiment, pool: NodePool, machine: Machine) -> list[Shortage]:
    """Return what a pool has too little of."""
    return [*of_machine(experiment, machine), *_of_machines(experiment, pool, machine)]


def of_machine(role: Experiment, machine: Machine) -> Iterator[Shortage]:
    """Yield what one machine has too little of for one pod of a role."""
    gpus = role.resources.gpus_per_node or 0
    if machine.gpus is not None and gpus > machine.gpus:
        path = ("resources", "gpus_per_node")
        yield Shortage(path, Fraction(gpus), Fraction(machine.gpus), is_certain=True)
    for field, amount, capacity in _requests(role, machine):
        path = ("resources", field)
        if capacity.most is not None and amount > capacity.most:
            yield Shortage(path, amount, capacity.most, is_certain=True)
        elif amount > capacity.free:
            yield Shortage(path, amount, capacity.free, is_certain=False)


def _requests(role: Experiment, machine: Machine) -> Iterator[tuple[str, Fraction, Capacity]]:
    """Yield what the scheduler must find, and what there is of it, by the field that asks for it.

    A limit alone is a request too.
    """
    for name, capacity in (("cpu", machine.cpus), ("memory", machine.memory)):
        for field in (name, f"{name}_limit"):
            text = getattr(role.resources, field)
            if text is not None and capacity is not None:
                yield field, parse_quantity(text), capacity
                break


def needed_nodes(experiment: Experiment) -> tuple[DocPath, int]:
    """Return the pods that must run at once for the job to train, and the field that says so."""
    if experiment.elastic is not None:
        return ("elastic", "min_nodes"), experiment.elastic.min_nodes
    return ("nodes",), experiment.nodes


def most_nodes(experiment: Experiment) -> tuple[DocPath, int]:
    """Return the most pods that a run may have, and the field that says so."""
    if experiment.elastic is not None and experiment.elastic.max_nodes > experiment.nodes:
        return ("elastic", "max_nodes"), experiment.elastic.max_nodes
    return ("nodes",), experiment.nodes


def most_gpus(job: Job) -> tuple[DocPath, int]:
    """Return the most GPUs that a run may have, and the field that says so."""
    path, nodes = most_nodes(job.experiment)
    return _gpus(job, path, nodes)


def gpus_at_start(job: Job) -> tuple[DocPath, int]:
    """Return the GPUs that a run starts with, which a queue must admit, and what says so."""
    return _gpus(job, ("nodes",), job.experiment.nodes)


def _gpus(job: Job, path: DocPath, nodes: int) -> tuple[DocPath, int]:
    each = job.experiment.resources.gpus_per_node or 0
    total = each * nodes
    if job.experiment.elastic is None:  # the Master is one of the nodes
        total += (job.master.resources.gpus_per_node or 0) - each
    is_written = value_at(job.tree, path) is not None
    return (path if is_written else ("resources", "gpus_per_node")), total


def pods_per_machine(experiment: Experiment, machine: Machine) -> int | None:
    """Return the most pods of a job that a machine has room for; None when that is not known."""
    if experiment.scheduling.spread == "required":
        return 1
    asked = experiment.resources
    gpus = (
        machine.gpus if asked.gpus_per_node is None and asked.accelerator else asked.gpus_per_node
    )
    rooms = [machine.gpus // gpus] if gpus and machine.gpus else []
    for _, amount, capacity in _requests(experiment, machine):
        if capacity.most is not None and amount:
            rooms.append(int(capacity.most // amount))
    return max(1, min(rooms)) if rooms else None


def _of_machines(experiment: Experiment, pool: NodePool, machine: Machine) -> Iterator[Shortage]:
    path, wanted = needed_nodes(experiment)
    together = pods_per_machine(experiment, machine)
    if pool.nodes is None or together is None:
        return
    if wanted > pool.nodes * together:
        yield Shortage(path, Fraction(wanted), Fraction(pool.nodes * together), is_certain=True)
