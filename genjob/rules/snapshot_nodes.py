"""A job and the nodes of a snapshot → why its pods would find no room on them.

In the order of the scheduler: labels, taints, size, and then how many nodes are left. All are
warnings, because the cluster may have changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.quantity import binary_text, decimal_text
from genjob.resolve.inventory import IN_BYTES, at_most, nodes_of
from genjob.rules.node_match import matching, pods_on, selected, short_of, unmet, untolerated
from genjob.rules.requests import pod_requests
from genjob.rules.snapshot_queues import flavors_of
from genjob.rules.topology import node_range
from genjob.rules.walk import REPLICA_SPECS, as_object, get, parts, pod_specs
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.model.snapshot import NodeGroup, Snapshot, Taint
    from genjob.resolve.job import Job

_GKE: Final = "-gke."
_MINIMUM: Final[DocPath] = ("spec", "elasticPolicy", "minReplicas")
AGAIN: Final = "or take the snapshot again"


def check_nodes(job: Job, body: JsonObject, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what keeps the pods of a job from all nodes of a snapshot, by its first obstacle."""
    if snapshot.nodes is None:
        return
    for path, pod in pod_specs(body):
        groups = matching(pod, snapshot)
        open_to_it = [each for each in groups if not _taints(each, body, pod, snapshot)]
        requests = pod_requests(pod)
        fitting = [each for each in open_to_it if not short_of(each, requests)]
        if not groups:
            yield from _no_labels(job, path, pod, snapshot)
        elif not open_to_it:
            yield from _tainted(groups, body, pod, path, snapshot)
        elif not fitting:
            yield from _too_small(open_to_it, requests, pod, path)
        else:
            yield from _too_few(job, body, fitting, requests)


def _no_labels(job: Job, path: DocPath, pod: JsonObject, snapshot: Snapshot) -> Iterator[Finding]:
    """Find a pod that no node has the labels for; not where its whole node pool has none."""
    if job.pool is not None and (job.pool.autoscaled or nodes_of(job.pool, snapshot) == []):
        return
    selector = as_object(pod.get("nodeSelector"))
    labels = ", ".join(f"{key}={value}" for key, value in sorted(selector.items()))
    where, message = (*path, "nodeSelector"), f"no node of the snapshot has the labels {labels}"
    if selected(pod, snapshot):
        below, key = unmet(pod, snapshot)
        where = (*path, *below)
        what = f"has what is demanded of label {quoted(key)}" if key else "meets the affinity"
        message = f"no node of the snapshot{labels and f' with the labels {labels}'} {what}"
    hint = f"correct the labels, {AGAIN}"
    yield Finding(Code.NODE_NOT_THERE, where, message, hint, Severity.WARNING)


def _taints(group: NodeGroup, body: JsonObject, pod: JsonObject, snapshot: Snapshot) -> list[Taint]:
    """Return the taints that keep a pod away, after all that is added to it on its way.

    GKE tolerates the taint of a device that the pod asks for. Kueue adds what the flavor says; of
    a queue whose flavors are not known, nothing is said.
    Source: https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
    #extendedresourcetoleration (v1.31); https://kueue.sigs.k8s.io/docs/concepts/resource_flavor/
    """
    flavors = flavors_of(body, snapshot)
    if flavors is None:
        return []
    own = [each for _, each in parts((), pod.get("tolerations"))]
    added = [each for flavor in flavors for each in flavor.tolerations]
    found = untolerated(group, [*own, *added])
    on_gke = pod_requests(pod).keys() if _GKE in (snapshot.kubernetes or "") else ()
    return [taint for taint in found if taint.key not in on_gke]


def _tainted(
    groups: Sequence[NodeGroup], body: JsonObject, pod: JsonObject, path: DocPath, there: Snapshot
) -> Iterator[Finding]:
    nearest = min(groups, key=lambda group: (len(_taints(group, body, pod, there)), -group.count))
    for taint in _taints(nearest, body, pod, there):
        text = f"{taint.key}{taint.value and f'={taint.value}'}:{taint.effect}"
        message = f"all nodes of the snapshot with these labels have taints; {quoted(text)} is not "
        message += "tolerated"
        hint = f"add the toleration to the node pool or to the experiment, {AGAIN}"
        where = (*path, "tolerations")
        yield Finding(Code.TAINT_NOT_TOLERATED, where, message, hint, Severity.WARNING)


def _too_small(
    groups: Sequence[NodeGroup], requests: dict[str, Fraction], pod: JsonObject, path: DocPath
) -> Iterator[Finding]:
    nearest = min(groups, key=lambda group: (len(short_of(group, requests)), -group.count))
    for name in short_of(nearest, requests):
        most = max(at_most(group, name) for group in groups)
        message = f"a pod asks for {_amount(requests[name], name)} of {quoted(name)}; no node of "
        message += f"the snapshot that takes it has more than {_amount(most, name)}"
        where = _where(pod, path, name)
        yield Finding(
            Code.NODE_TOO_SMALL, where, message, f"ask for less, {AGAIN}", Severity.WARNING
        )


def _where(pod: JsonObject, path: DocPath, resource: str) -> DocPath:
    """Return where a pod asks for a resource, the training container first."""
    for field in ("containers", "initContainers"):
        for index, container in parts((field,), pod.get(field)):
            for kind in ("requests", "limits"):
                if resource in as_object(get(container, "resources", kind)):
                    return (*path, *index, "resources", kind, resource)
    return path


def _amount(amount: Fraction, resource: str) -> str:
    """Return an amount as a person writes it; bytes in whole Gi where they are that many."""
    if resource not in IN_BYTES:
        return decimal_text(amount)
    gibibytes = amount // 2**30
    return f"{gibibytes}Gi" if gibibytes else binary_text(amount)


def _too_few(
    job: Job, body: JsonObject, groups: Sequence[NodeGroup], requests: dict[str, Fraction]
) -> Iterator[Finding]:
    """Find a job that needs more nodes than there are, where its environment does not say it."""
    pool, bounds = job.pool, node_range(body)
    if bounds is None or (pool is not None and (pool.autoscaled or pool.nodes is not None)):
        return
    spread = job.experiment.scheduling.spread == "required"
    if not requests or (room := pods_on(groups, requests, spread=spread)) >= bounds[0]:
        return
    path = _MINIMUM if job.experiment.elastic else REPLICA_SPECS
    nodes = sum(group.count for group in groups)
    message = f"found {bounds[0]} nodes; the snapshot has {nodes} that take a pod, with room for "
    message += f"{room}"
    hint = f"write at most {room}, {AGAIN}"
    yield Finding(Code.TOO_FEW_MACHINES, path, message, hint, Severity.WARNING)
