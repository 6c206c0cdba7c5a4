"""A pod, or a whole job → what the scheduler and Kueue must find for it.

Source: KEP-753 (sidecar containers), "Resources calculation for scheduling and pod admission";
https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
(v1.31). The overhead of a RuntimeClass is not counted.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from genjob.quantity import read_quantity
from genjob.rules.topology import GPU_RESOURCES, replicas
from genjob.rules.walk import as_object, get, parts, replica_specs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.jsontypes import JsonObject


def pod_requests(pod: JsonObject) -> dict[str, Fraction]:
    """Return what a pod spec asks of one node: resource → amount, by the names of Kubernetes.

    A limit without a request is a request. Init containers run one after the other, beside those
    sidecars that were started before.
    """
    beside: dict[str, Fraction] = {}
    peaks: list[dict[str, Fraction]] = []
    for _, container in parts((), pod.get("initContainers")):
        own = _of(container)
        if container.get("restartPolicy") == "Always":
            beside = _sum(beside, own)
        else:
            peaks.append(_sum(beside, own))
    for _, container in parts((), pod.get("containers")):
        beside = _sum(beside, _of(container))
    return {
        name: max(each.get(name, Fraction(0)) for each in (beside, *peaks))
        for name in dict.fromkeys(name for each in (beside, *peaks) for name in each)
    }


def role_requests(job: JsonObject) -> dict[str, dict[str, Fraction]]:
    """Return what all pods of each role of a job ask for together: role → resource → amount."""
    found = {}
    for role, spec in replica_specs(job).items():
        count = replicas(job, role) or 0
        each = pod_requests(as_object(get(spec, "template", "spec")))
        found[role] = {name: amount * count for name, amount in each.items()}
    return found


def job_requests(job: JsonObject) -> dict[str, Fraction]:
    """Return what all pods of a job ask for together: resource → amount."""
    total: dict[str, Fraction] = {}
    for requests in role_requests(job).values():
        total = _sum(total, requests)
    return total


def gpus_in(requests: Mapping[str, Fraction]) -> Fraction:
    """Return the whole GPUs among some requests, of whatever vendor."""
    return sum((requests.get(name, Fraction(0)) for name in GPU_RESOURCES), Fraction(0))


def _of(container: JsonObject) -> dict[str, Fraction]:
    limits, requests = (
        as_object(get(container, "resources", kind)) for kind in ("limits", "requests")
    )
    amounts = {name: read_quantity(value) for name, value in {**limits, **requests}.items()}
    return {name: amount for name, amount in amounts.items() if amount}


def _sum(left: Mapping[str, Fraction], right: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {
        name: left.get(name, Fraction(0)) + right.get(name, Fraction(0))
        for name in dict.fromkeys((*left, *right))
    }
