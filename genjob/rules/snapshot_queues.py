"""A job and the queues of a snapshot → why Kueue would not admit it.

All are warnings, because the cluster may have changed since.
Source: kubernetes-sigs/kueue v0.13 pkg/scheduler/flavorassigner; a pod set gets each resource from
one flavor, and a resource that no resource group covers is a reason to wait for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.manifest import identity
from genjob.manifests.pytorchjob import QUEUE_LABEL
from genjob.quantity import binary_text, decimal_text
from genjob.resolve.inventory import (
    IN_BYTES,
    cluster_queue,
    local_queue,
    most_of,
    queue_problem,
)
from genjob.rules.requests import job_requests, role_requests
from genjob.rules.walk import as_str, get
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.model.snapshot import ClusterQueue, Flavor, Snapshot
    from genjob.resolve.job import Job

_LABEL: Final[DocPath] = ("metadata", "labels", QUEUE_LABEL)


def queue_of(body: JsonObject) -> str | None:
    """Return the LocalQueue that admits a job."""
    return as_str(get(body, "metadata", "labels", QUEUE_LABEL))


def flavors_of(body: JsonObject, snapshot: Snapshot) -> list[Flavor] | None:
    """Return the flavors that a job may get; none without a queue, None when they are not known."""
    name = queue_of(body)
    if name is None:
        return []
    queue = cluster_queue(snapshot, local_queue(snapshot, identity(body).namespace, name))
    if queue is None or snapshot.flavors is None:
        return None
    names = dict.fromkeys(quota.flavor for quota in queue.quotas)
    return [snapshot.flavors[each] for each in names if each in snapshot.flavors]


def check_queue(job: Job, body: JsonObject, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what is wrong with the queue of a job, and what it has too little of."""
    name, namespace = queue_of(body), identity(body).namespace
    if name is None:
        return
    listed = job.environment.queues.values() if job.environment else ()
    problem = queue_problem(snapshot, namespace, name)
    if problem is not None and name not in {each.local_queue for each in listed}:
        yield Finding(problem.code, _LABEL, problem.message, problem.hint, Severity.WARNING)
    local = local_queue(snapshot, namespace, name)
    queue = cluster_queue(snapshot, local)
    if local is not None and queue is not None:
        yield from _not_covered(body, queue, local.cluster_queue)
        yield from _too_much(body, queue, local.cluster_queue)


def _not_covered(body: JsonObject, queue: ClusterQueue, name: str) -> Iterator[Finding]:
    covered = {quota.resource for quota in queue.quotas}
    for resource in job_requests(body):
        if resource not in covered:
            message = f"ClusterQueue {quoted(name)} has no quota of {quoted(resource)}, which the "
            message += "pods ask for: Kueue does not admit them"
            hint = "let it cover the resource, or Kueue's configuration exclude it"
            yield Finding(Code.RESOURCE_WITHOUT_QUOTA, _LABEL, message, hint, Severity.WARNING)


def _too_much(body: JsonObject, queue: ClusterQueue, name: str) -> Iterator[Finding]:
    for resource, total in job_requests(body).items():
        bounds = most_of(queue, resource)
        known = [amount for amount in bounds.values() if amount is not None]
        if not known or len(known) < len(bounds):
            continue
        largest = max(asked.get(resource, 0) for asked in role_requests(body).values())
        asked, most = (largest, max(known)) if largest > max(known) else (total, sum(known))
        if asked > most:
            message = f"the run asks for {_text(asked, resource)} of {quoted(resource)}; "
            message += f"ClusterQueue {quoted(name)} gives at most {_text(most, resource)}"
            hint = "use fewer, or another queue"
            yield Finding(Code.QUOTA_EXCEEDED, _LABEL, message, hint, Severity.WARNING)


def _text(amount: Fraction | int, resource: str) -> str:
    return binary_text(amount) if resource in IN_BYTES else decimal_text(amount)
