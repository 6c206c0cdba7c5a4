"""A snapshot of a cluster → what it says of one node pool, one queue, one resource of a queue.

A snapshot may be older than the cluster, and does not know everything: None is not known, and
nobody is warned of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.catalog.hardware.machine import GIB
from genjob.codes import Code
from genjob.quantity import parse_quantity
from genjob.resolve.machine import machine_in
from genjob.wording import did_you_mean, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from genjob.model.environment import NodePool
    from genjob.model.snapshot import ClusterQueue, LocalQueue, NodeGroup, Snapshot

IN_BYTES: Final = frozenset({"memory", "ephemeral-storage"})
"""Resources that a snapshot rounds down to whole Gi."""


class Problem(NamedTuple):
    """What is wrong with a queue, as the snapshot knows it."""

    code: Code
    message: str
    hint: str


def nodes_of(pool: NodePool, snapshot: Snapshot | None) -> list[NodeGroup] | None:
    """Return the nodes that the labels of a pool select; None when that is not known."""
    selector = pool.node_selector or machine_in(pool).selector
    if snapshot is None or snapshot.nodes is None or not selector:
        return None
    if not selector.keys() <= {*snapshot.node_labels}:
        return None
    return [group for group in snapshot.nodes if selector.items() <= group.labels.items()]


def at_most(group: NodeGroup, resource: str) -> Fraction:
    """Return what a pod may certainly not exceed on a node of a group, of one resource."""
    amount = parse_quantity(group.allocatable.get(resource, "0"))
    return amount + GIB - 1 if resource in IN_BYTES and amount >= GIB else amount


def local_queue(snapshot: Snapshot | None, namespace: str, name: str) -> LocalQueue | None:
    """Return a LocalQueue, or None when it is not there or not known."""
    queues = (snapshot.local_queues if snapshot else None) or ()
    here = (each for each in queues if (each.namespace, each.name) == (namespace, name))
    return next(here, None)


def cluster_queue(snapshot: Snapshot | None, queue: LocalQueue | None) -> ClusterQueue | None:
    """Return the ClusterQueue behind a LocalQueue, or None when it is not there or not known."""
    known = snapshot.cluster_queues if snapshot else None
    return known.get(queue.cluster_queue) if known and queue else None


def queue_problem(snapshot: Snapshot, namespace: str, name: str) -> Problem | None:
    """Return why no run of a namespace is admitted through a queue, or None."""
    if snapshot.local_queues is None:
        return None
    queue = local_queue(snapshot, namespace, name)
    if queue is None:
        return _missing(snapshot.local_queues, namespace, name)
    if queue.stop_policy is not None:
        return _stopped(f"LocalQueue {quoted(name)}", queue.stop_policy)
    known = snapshot.cluster_queues
    return None if known is None else _behind(queue, known)


def _behind(queue: LocalQueue, known: Mapping[str, ClusterQueue]) -> Problem | None:
    """Return what is wrong with the ClusterQueue behind a LocalQueue, or None."""
    behind, local = known.get(queue.cluster_queue), f"LocalQueue {quoted(queue.name)}"
    what = f"ClusterQueue {quoted(queue.cluster_queue)}"
    if behind is None:
        message = f"{local} leads to {what}, which the cluster does not have"
        return Problem(Code.QUEUE_NOT_THERE, message, did_you_mean(queue.cluster_queue, known))
    if behind.stop_policy is not None:
        return _stopped(f"{what}, behind {local},", behind.stop_policy)
    return None


def _missing(queues: list[LocalQueue], namespace: str, name: str) -> Problem:
    here = [each.name for each in queues if each.namespace == namespace]
    elsewhere = [each.namespace for each in queues if each.name == name]
    message = f"namespace {quoted(namespace)} of the cluster has no LocalQueue {quoted(name)}"
    if elsewhere:
        message += f"; {listed(elsewhere)} {'has' if len(elsewhere) == 1 else 'have'} one"
    known = f"it has {listed(here)}" if here else "it has none"
    return Problem(Code.QUEUE_NOT_THERE, message, did_you_mean(name, here) or known)


def _stopped(what: str, policy: str) -> Problem:
    message = f"{what} is stopped ({policy}): it admits nothing"
    return Problem(Code.QUEUE_STOPPED, message, "wait until it is resumed, or use another queue")


def most_of(queue: ClusterQueue, resource: str) -> dict[str, Fraction | None]:
    """Return the most that one run may have of a resource: flavor → amount; None is no bound.

    A queue of a cohort borrows up to its limit, and without a limit what the others leave.
    Source: https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#borrowinglimit
    """
    found: dict[str, Fraction | None] = {}
    for quota in queue.quotas:
        if quota.resource == resource:
            limit = quota.borrowing_limit if queue.cohort else "0"
            more = None if limit is None else parse_quantity(limit)
            found[quota.flavor] = None if more is None else parse_quantity(quota.nominal) + more
    return found
