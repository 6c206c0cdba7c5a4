"""A job in the cluster → its pods, Services and conditions; and what kubelets would have done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.walk import as_list, as_object, get
from tests.cluster.api import eventually

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import JsonObject
    from genjob.prediction import PredictedPod, PredictedService
    from tests.cluster.api import Cluster

JOB_NAME = "training.kubeflow.org/job-name"


def pods_of(cluster: Cluster, job: JsonObject) -> dict[str, JsonObject]:
    """Return the pods that the operator has made of a job, by name."""
    return _by_name(cluster, "v1/Pod", job)


def services_of(cluster: Cluster, job: JsonObject) -> dict[str, JsonObject]:
    """Return the Services that the operator has made of a job, by name."""
    return _by_name(cluster, "v1/Service", job)


def _by_name(cluster: Cluster, kind: str, job: JsonObject) -> dict[str, JsonObject]:
    metadata = as_object(job["metadata"])
    found = cluster.items(kind, str(metadata["namespace"]), f"{JOB_NAME}={metadata['name']}")
    return {str(get(each, "metadata", "name")): each for each in found}


def complaints(cluster: Cluster, job: JsonObject) -> list[str]:
    """Return what the operator could not do, as it said in events."""
    metadata = as_object(job["metadata"])
    found = cluster.items("v1/Event", str(metadata["namespace"]))
    return [
        str(each["message"])
        for each in found
        if each["type"] == "Warning" and get(each, "involvedObject", "name") == metadata["name"]
    ]


def names(predicted: Iterable[PredictedPod | PredictedService]) -> set[str]:
    """Return the names of what was predicted."""
    return {each.name for each in predicted}


def true_conditions(cluster: Cluster, job: JsonObject) -> list[str]:
    """Return the conditions of a job that hold, in the order in which the operator wrote them."""
    stored = cluster.get(job)
    return [
        str(each["type"])
        for each in (as_object(each) for each in as_list(get(stored, "status", "conditions")))
        if each["status"] == "True"
    ]


def is_of_multikueue(job: JsonObject) -> bool:
    """Tell whether a job is for another cluster to run."""
    return get(job, "spec", "runPolicy", "managedBy") == "kueue.x-k8s.io/multikueue"


def resumed(cluster: Cluster, job: JsonObject) -> JsonObject:
    """Let a suspended job run, once the operator has seen that it is suspended.

    Kueue is not there: a job of a queue runs at once.
    """
    if get(job, "spec", "runPolicy", "suspend") is not True:
        return job
    waiting = eventually(lambda: true_conditions(cluster, job), lambda c: "Suspended" in c)
    assert "Suspended" in waiting
    assert {} == pods_of(cluster, job)
    return cluster.merge(job, {"spec": {"runPolicy": {"suspend": False}}})
