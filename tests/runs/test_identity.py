"""A run is what reaches its pods and how they meet; nothing else makes it another one."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from genjob.runs.identity import HASH_LENGTH, JOB_NAME_LABEL, job_of, objects_digest, run_hash

if TYPE_CHECKING:
    from collections.abc import Callable

JOB: dict[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "PyTorchJob",
    "metadata": {"name": "llama", "labels": {"team": "nlp"}, "annotations": {"owner": "me"}},
    "spec": {
        "nprocPerNode": "8",
        "runPolicy": {"backoffLimit": 3},
        "pytorchReplicaSpecs": {
            "Worker": {
                "replicas": 3,
                "restartPolicy": "OnFailure",
                "template": {
                    "metadata": {"labels": {"team": "nlp"}, "annotations": {"net": "a"}},
                    "spec": {
                        "containers": [
                            {
                                "name": "pytorch",
                                "image": "x:1",
                                "args": ["--lr=1e-4"],
                                "env": [{"name": "A", "value": "1"}],
                                "resources": {"limits": {"memory": "1000Gi", "cpu": "500m"}},
                            }
                        ],
                        "affinity": {"labels": {JOB_NAME_LABEL: "llama"}},
                        "volumes": [{"name": "shm", "emptyDir": {"sizeLimit": "1Gi"}}],
                    },
                },
            }
        },
    },
}


def worker(job: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = job["spec"]["pytorchReplicaSpecs"]["Worker"]
    return found


def container(job: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = worker(job)["template"]["spec"]["containers"][0]
    return found


def renamed(job: dict[str, Any]) -> None:
    """Name the run as a rendered one is: the spread over machines names it too."""
    job["metadata"]["name"] = "llama-0a1b2c3d"
    worker(job)["template"]["spec"]["affinity"]["labels"][JOB_NAME_LABEL] = "llama-0a1b2c3d"


SAME: dict[str, Callable[[dict[str, Any]], object]] = {
    "a label": lambda job: job["metadata"]["labels"].update(team="vision"),
    "an annotation of the job": lambda job: job["metadata"]["annotations"].clear(),
    "a label of the pods": lambda job: worker(job)["template"]["metadata"]["labels"].clear(),
    "the run policy": lambda job: job["spec"]["runPolicy"].update(backoffLimit=9, suspend=True),
    "the restart policy": lambda job: worker(job).update(restartPolicy="Never"),
    "memory spelled otherwise": lambda job: container(job)["resources"]["limits"].update(
        memory="1024000Mi"
    ),
    "cpu spelled otherwise": lambda job: container(job)["resources"]["limits"].update(cpu=0.5),
    "a size spelled otherwise": lambda job: worker(job)["template"]["spec"]["volumes"][0][
        "emptyDir"
    ].update(sizeLimit="1024Mi"),
    "the name of the run": renamed,
}

OTHER: dict[str, Callable[[dict[str, Any]], object]] = {
    "an image": lambda job: container(job).update(image="x:2"),
    "an argument": lambda job: container(job)["args"].append("--epochs=1"),
    "a value of the environment": lambda job: container(job)["env"][0].update(value="01"),
    "the number of nodes": lambda job: worker(job).update(replicas=4),
    "the processes of a node": lambda job: job["spec"].update(nprocPerNode="4"),
    "memory": lambda job: container(job)["resources"]["limits"].update(memory="1001Gi"),
    "an annotation of the pods": lambda job: worker(job)["template"]["metadata"][
        "annotations"
    ].update(net="b"),
    "a rendezvous": lambda job: job["spec"].update(elasticPolicy={"minReplicas": 1}),
    "a Master": lambda job: job["spec"]["pytorchReplicaSpecs"].update(Master=worker(job)),
    "a label that names another job": lambda job: worker(job)["template"]["spec"]["affinity"][
        "labels"
    ].update({JOB_NAME_LABEL: "another"}),
}


@pytest.mark.parametrize("what", SAME)
def test_the_run_stays_the_same_whatever_happens_to(what: str) -> None:
    changed = copy.deepcopy(JOB)
    SAME[what](changed)

    assert changed != JOB
    assert run_hash(JOB) == run_hash(changed)


@pytest.mark.parametrize("what", OTHER)
def test_it_is_another_run_with_another(what: str) -> None:
    changed = copy.deepcopy(JOB)
    OTHER[what](changed)

    assert run_hash(JOB) != run_hash(changed)


def test_the_identity_is_eight_digits_that_never_change() -> None:
    """A newer version of the program must find the runs that an older one named."""
    assert "3309fcb2" == run_hash(JOB)
    assert HASH_LENGTH == len(run_hash(JOB))


def test_the_order_of_keys_means_nothing() -> None:
    spec = dict(reversed(list(JOB["spec"].items())))

    assert run_hash(JOB) == run_hash({"spec": spec, "metadata": JOB["metadata"]})


def test_a_job_is_found_among_its_objects() -> None:
    assert JOB is job_of([{"kind": "ConfigMap"}, JOB])
    with pytest.raises(ValueError, match="no job among the objects"):
        job_of([{"kind": "ConfigMap"}])


def test_a_number_is_the_one_that_kustomize_hands_on() -> None:
    """It writes 30.0 as 30, and the identity of a committed run is read from that."""
    whole, point = copy.deepcopy(JOB), copy.deepcopy(JOB)
    worker(whole)["template"]["spec"]["terminationGracePeriodSeconds"] = 30
    worker(point)["template"]["spec"]["terminationGracePeriodSeconds"] = 30.0

    assert run_hash(whole) == run_hash(point)
    assert objects_digest([whole]) == objects_digest([point])


def test_the_digest_of_objects_is_of_all_of_them_in_any_order() -> None:
    other: dict[str, Any] = {"kind": "ConfigMap", "metadata": {"name": "a"}}

    assert objects_digest([JOB, other]) == objects_digest([other, JOB])
    assert objects_digest([JOB, other]) != objects_digest([JOB])
