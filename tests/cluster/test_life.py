"""The life of a job under the real operator: what GitOps must know of it, and what we say of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pytest

from genjob.diagnostics import Severity
from genjob.prediction import held_back
from genjob.rules import check_job
from genjob.rules.walk import as_list, as_object, get
from tests.cluster import kubelets
from tests.cluster.api import eventually
from tests.cluster.overlays import placed
from tests.cluster.running_jobs import pods_of, services_of, true_conditions
from tests.gitops.evaluators import argo_cd_health, flux_status
from tests.gitops.operator_status import conditions
from tools.rule_examples import completed

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject
    from tests.cluster.api import Cluster


MULTI_KUEUE = "kueue.x-k8s.io/multikueue"


class Running(NamedTuple):
    """A job whose pods all run; `body` is what was applied."""

    body: JsonObject
    pods: dict[str, JsonObject]


def applied(cluster: Cluster, namespace: str, snippet: JsonObject, pods: int) -> Running:
    """Apply a job, given as in the examples of rules, and wait for so many pods of it."""
    cluster.new_namespace(namespace)
    job = placed(completed(snippet), namespace).job
    assert cluster.apply(job).is_accepted
    made = eventually(lambda: pods_of(cluster, job), lambda found: len(found) == pods)
    assert len(made) == pods
    return Running(job, made)


def running(cluster: Cluster, namespace: str, snippet: JsonObject, pods: int) -> Running:
    """Apply a job and let its pods run."""
    started = applied(cluster, namespace, snippet, pods)
    for pod in started.pods.values():
        kubelets.runs(cluster, pod)
    assert "Running" in reached(cluster, started.body, "Running")
    return started


def reached(cluster: Cluster, job: JsonObject, condition: str) -> list[str]:
    """Wait for a condition of a job; return all that hold then."""
    return eventually(lambda: true_conditions(cluster, job), lambda found: condition in found)


def uid(body: JsonObject | None) -> Json:
    """Return what tells an object from another one of its name."""
    return get(body, "metadata", "uid")


def image(pod: JsonObject) -> Json:
    """Return the image of the container that trains."""
    return as_object(as_list(get(pod, "spec", "containers"))[0])["image"]


def test_a_time_to_live_deletes_the_job_and_what_applies_again_trains_again(
    cluster: Cluster,
) -> None:
    snippet: JsonObject = {
        "worker": None,
        "job": {"spec": {"runPolicy": {"ttlSecondsAfterFinished": 1, "cleanPodPolicy": "All"}}},
    }
    job, pods = running(cluster, "ttl", snippet, 1)
    first = cluster.get(job)

    assert "GJ641" in {finding.code for finding in check_job(job)}
    kubelets.ends(cluster, pods["train-master-0"], 0)
    assert eventually(lambda: cluster.get(job), lambda found: found is None) is None

    assert cluster.apply(job).is_accepted  # what a self-healing engine does
    again = eventually(lambda: pods_of(cluster, job), bool)
    assert uid(first) != uid(cluster.get(job))
    assert uid(pods["train-master-0"]) != uid(again["train-master-0"])


def test_an_edit_of_a_running_job_reaches_only_new_pods(cluster: Cluster) -> None:
    job, pods = running(cluster, "edited", {"container": {"image": "train:1"}}, 2)
    edited = placed(completed({"container": {"image": "train:2"}}), "edited").job
    assert cluster.apply(edited).is_accepted
    assert {"train:1"} == {image(pod) for pod in pods_of(cluster, job).values()}

    cluster.delete(pods["train-worker-0"])  # as an eviction does
    after = eventually(
        lambda: pods_of(cluster, job),
        lambda found: uid(found.get("train-worker-0")) not in {None, uid(pods["train-worker-0"])},
    )

    assert "train:1" == image(after["train-master-0"])
    assert uid(pods["train-master-0"]) == uid(after["train-master-0"])
    assert "train:2" == image(after["train-worker-0"])


def test_an_edit_of_a_finished_job_changes_nothing(cluster: Cluster) -> None:
    job, pods = running(cluster, "finished", {"worker": None}, 1)
    kubelets.ends(cluster, pods["train-master-0"], 0)
    assert "Succeeded" in reached(cluster, job, "Succeeded")
    edited = placed(completed({"worker": {"replicas": 2}}), "finished").job
    assert cluster.apply(edited).is_accepted
    running(cluster, "after-the-edit", {"worker": None}, 1)  # by then it has seen the edit

    assert {"train-master-0"} == pods_of(cluster, job).keys()
    assert ["Created", "Succeeded"] == true_conditions(cluster, job)


def test_a_job_of_multikueue_gets_no_pods_here(cluster: Cluster) -> None:
    elsewhere: JsonObject = {"job": {"spec": {"runPolicy": {"managedBy": MULTI_KUEUE}}}}
    job = placed(completed(elsewhere), "elsewhere").job
    cluster.new_namespace("elsewhere")
    assert cluster.apply(job).is_accepted
    running(cluster, "after-multikueue", {"worker": None}, 1)  # by then it has seen the first

    assert held_back(job) == "MultiKueue runs it in another cluster"
    assert {} == pods_of(cluster, job)
    assert [] == true_conditions(cluster, job)


def test_a_job_whose_services_are_refused_never_counts_as_running(cluster: Cluster) -> None:
    nameless: JsonObject = {"worker": None, "container": {"ports": [{"containerPort": 6006}]}}
    job, pods = applied(cluster, "no-services", nameless, 1)
    kubelets.runs(cluster, pods["train-master-0"])
    running(cluster, "after-no-services", {"worker": None}, 1)  # by then it has seen the pod

    assert ["GJ687"] == [each.code for each in check_job(job) if each.severity is Severity.ERROR]
    assert {} == services_of(cluster, job)
    assert "Running" not in true_conditions(cluster, job)


def test_when_the_master_is_done_the_workers_that_run_are_freed(cluster: Cluster) -> None:
    job, pods = running(cluster, "freed", {"worker": {"replicas": 2}}, 3)
    kubelets.ends(cluster, pods["train-worker-0"], 0)
    kubelets.ends(cluster, pods["train-master-0"], 0)
    left = {"train-master-0", "train-worker-0"}  # what has finished keeps its logs

    assert "Succeeded" in reached(cluster, job, "Succeeded")
    assert left == eventually(lambda: pods_of(cluster, job).keys(), lambda found: found == left)


SUSPENDED: JsonObject = {"spec": {"runPolicy": {"suspend": True}}}
RESUMED: JsonObject = {"spec": {"runPolicy": {"suspend": False}}}
LIVES: dict[str, tuple[str, ...]] = {
    "created": ("created",),
    "running": ("created", "running"),
    "succeeded": ("created", "running", "succeeded"),
    "failed": ("created", "running", "failed"),
    "restarting": ("created", "running", "restarting"),
    "restarted": ("created", "running", "restarting", "running"),
    "suspended": ("created", "running", "suspended"),
    "resumed": ("created", "running", "suspended", "resumed"),
}
HEALTH = {
    "created": ("Progressing", "InProgress"),
    "running": ("Healthy", "Current"),
    "succeeded": ("Healthy", "Current"),
    "failed": ("Degraded", "Failed"),
    "restarting": ("Progressing", "InProgress"),
    "restarted": ("Healthy", "Current"),
    "suspended": ("Suspended", "Current"),
    "resumed": ("Progressing", "InProgress"),
}
"""What Argo CD and Flux show at the end of each life."""


EXIT_CODES = {"succeeded": 0, "failed": 1, "restarting": 137}


def lived(cluster: Cluster, namespace: str, events: tuple[str, ...]) -> JsonObject:
    """Let a job of one pod live through events, waiting for the operator after each."""
    snippet: JsonObject = {"worker": None, "master": {"restartPolicy": "ExitCode"}}
    job = applied(cluster, namespace, snippet, 1).body
    for event in events:
        happens(cluster, job, event)
        assert eventually(partial(is_seen, cluster, job, event), bool), event
    stored = cluster.get(job)
    assert stored is not None
    return stored


def happens(cluster: Cluster, job: JsonObject, event: str) -> None:
    """Let an event happen to a job of one pod."""
    if event in {"suspended", "resumed"}:
        cluster.merge(job, SUSPENDED if event == "suspended" else RESUMED)
    elif event != "created":
        (pod,) = eventually(lambda: [*pods_of(cluster, job).values()], bool)
        if event == "running":
            kubelets.runs(cluster, pod)
        else:
            kubelets.ends(cluster, pod, EXIT_CODES[event])


def is_seen(cluster: Cluster, job: JsonObject, event: str) -> bool:
    """Tell whether the operator has written what it writes at an event."""
    found = true_conditions(cluster, job)
    return "Suspended" not in found if event == "resumed" else event.capitalize() in found


@pytest.mark.parametrize("name", LIVES)
def test_the_operator_writes_the_conditions_that_health_is_read_from(
    cluster: Cluster, name: str
) -> None:
    stored = lived(cluster, f"life-{name}", LIVES[name])
    written = [as_object(each) for each in as_list(get(stored, "status", "conditions"))]

    keys = ("type", "status", "reason")
    expected = [{key: each[key] for key in keys} for each in conditions(LIVES[name])]
    assert expected == [{key: each[key] for key in keys} for each in written]
    assert HEALTH[name] == (argo_cd_health(stored).status, flux_status(stored))
