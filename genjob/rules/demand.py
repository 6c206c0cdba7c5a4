"""All runs of one environment → what they ask for together, beside its queues and node pools.

Nothing here is an error: a run that has finished stays in Git until it is retired, and asks for
nothing any more.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Severity
from genjob.manifests.pytorchjob import QUEUE_LABEL
from genjob.resolve.inventory import at_most, cluster_queue, local_queue, most_of, nodes_of
from genjob.resolve.machine import machine_in
from genjob.rules.capacity import UNITS
from genjob.rules.requests import gpus_in, job_requests
from genjob.rules.topology import GPU_RESOURCES
from genjob.rules.walk import as_str, get
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from genjob.jsontypes import JsonObject
    from genjob.model.environment import NodePool, Queue
    from genjob.model.snapshot import NodeGroup, Snapshot
    from genjob.resolve.job import Job
    from genjob.resolve.precedence import EnvironmentFile

_ELSEWHERE: Final = "kueue.x-k8s.io/multikueue"
FIELDS: Final = ("gpus_per_node", "cpu", "memory")
"""What is added up, by field of `resources`."""

_SHOWN: Final = 3
"""Runs that a hint names, the largest first."""


class Declared(NamedTuple):
    """What a run that Git declares asks of its environment, small enough to hand on and to keep.

    `pool` is the index of its node pool, `queue` the LocalQueue that admits it; `takes_at_once`
    says whether its pods ask for machines as soon as it is created. `asked` is by field of
    `resources`.
    """

    name: str
    pool: int | None
    queue: str | None
    takes_at_once: bool
    asked: Mapping[str, Fraction]


def declared(job: Job, body: JsonObject) -> Declared:
    """Return what a run asks for, given as its resolved job and its PyTorchJob."""
    queue = as_str(get(body, "metadata", "labels", QUEUE_LABEL))
    policy = get(body, "spec", "runPolicy")
    is_held = get(policy, "suspend") is True or get(policy, "managedBy") == _ELSEWHERE
    at_once = not is_held and queue is None and get(policy, "schedulingPolicy") is None
    requests = job_requests(body)
    asked = {field: _asked(requests, field) for field in FIELDS}
    return Declared(job.experiment.name, job.inputs.pool_index, queue, at_once, asked)


class _Total(NamedTuple):
    """What some runs ask for of one thing, and the names of the largest."""

    runs: int
    amount: Fraction
    largest: str


def check_demand(runs: Sequence[Declared], environment: EnvironmentFile) -> Iterator[Diagnostic]:
    """Yield what the runs of an environment ask for together and it does not have."""
    yield from _queues(runs, environment)
    for index, pool in enumerate(environment.model.node_pools):
        own = [run for run in runs if run.pool == index and run.takes_at_once]
        yield from _pool(own, environment, pool, index)


def _queues(runs: Sequence[Declared], environment: EnvironmentFile) -> Iterator[Diagnostic]:
    unit = UNITS["gpus_per_node"]
    for name, queue in environment.model.queues.items():
        own = [run for run in runs if run.queue == queue.local_queue]
        most = None if queue.oversubscribed else _quota(queue, environment)
        if most is None or (total := _total(own, "gpus_per_node", most)).amount <= most:
            continue
        message = f"the {total.runs} runs of queue {quoted(name)} take {unit.text(total.amount)} "
        message += f"GPUs together; it has {unit.text(most)}"
        hint = f"{total.largest}; retire what has finished, or write 'oversubscribed: true'"
        place = environment.document.locate(("queues", name, "gpus"))
        yield Diagnostic(Code.QUEUE_OVERSUBSCRIBED, message, place, hint, Severity.WARNING)


def _pool(
    runs: Sequence[Declared], environment: EnvironmentFile, pool: NodePool, index: int
) -> Iterator[Diagnostic]:
    """Yield the first thing that a node pool has too little of: the rest follows from it."""
    for field, there in _room(pool, environment.snapshot).items():
        unit = UNITS[field]
        total = _total(runs, field, there)
        if total.amount > there:
            message = f"the {total.runs} runs without a queue on node pool {quoted(pool.name)} "
            message += f"take {unit.text(total.amount)} {unit.noun} together; it has "
            message += unit.text(there)
            hint = f"{total.largest}; retire what has finished, or give them a queue"
            place = environment.document.locate(("node_pools", index, "nodes"))
            yield Diagnostic(Code.POOL_OVERSUBSCRIBED, message, place, hint, Severity.WARNING)
            return


def _quota(queue: Queue, environment: EnvironmentFile) -> Fraction | None:
    """Return the GPUs of a queue: those that its environment says, else those of the snapshot."""
    if queue.gpus is not None:
        return Fraction(queue.gpus)
    there, namespace = environment.snapshot, environment.model.namespace
    behind = cluster_queue(there, local_queue(there, namespace, queue.local_queue))
    if behind is None:
        return None
    bounds = [each for name in GPU_RESOURCES for each in most_of(behind, name).values()]
    known = [each for each in bounds if each is not None]
    return sum(known, Fraction(0)) if bounds and len(known) == len(bounds) else None


def _room(pool: NodePool, snapshot: Snapshot | None) -> dict[str, Fraction]:
    """Return what all machines of a pool have, as far as it is certain, by field of `resources`.

    Without a number of nodes in the environment, it is what the nodes of the snapshot have.
    """
    groups = nodes_of(pool, snapshot) if pool.nodes is None and not pool.autoscaled else None
    if groups:
        return _sizes(groups)
    machine = machine_in(pool)
    each = {
        "gpus_per_node": None if machine.gpus is None else Fraction(machine.gpus),
        "cpu": machine.cpus and machine.cpus.most,
        "memory": machine.memory and machine.memory.most,
    }
    nodes = pool.nodes or 0
    return {field: amount * nodes for field, amount in each.items() if amount and nodes}


def _sizes(groups: Sequence[NodeGroup]) -> dict[str, Fraction]:
    """Return what some nodes have together, by field of `resources`."""
    fields = {"gpus_per_node": GPU_RESOURCES, "cpu": ("cpu",), "memory": ("memory",)}
    found = dict.fromkeys(fields, Fraction(0))
    for group in groups:
        for field, names in fields.items():
            found[field] += group.count * sum(at_most(group, name) for name in names)
    return found


def _total(runs: Sequence[Declared], field: str, most: Fraction) -> _Total:
    """Add up what some runs ask for; one that asks for more than `most` is an error of its own."""
    unit = UNITS[field]
    asked = {run.name: run.asked[field] for run in runs}
    asked = {name: amount for name, amount in asked.items() if 0 < amount <= most}
    ranked = sorted(asked, key=lambda name: (-asked[name], name))
    shown = ", ".join(f"{name} ({unit.text(asked[name])})" for name in ranked[:_SHOWN])
    return _Total(len(asked), sum(asked.values(), Fraction(0)), f"the largest: {shown}")


def _asked(requests: Mapping[str, Fraction], field: str) -> Fraction:
    return gpus_in(requests) if field == "gpus_per_node" else requests.get(field, Fraction(0))
