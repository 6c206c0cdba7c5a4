"""The health of a job, run through the interpreters, over what the operator really writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gitops.evaluators import argo_cd_health, flux_status
from tests.gitops.operator_status import NAME, conditions

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

QUEUE = {"kueue.x-k8s.io/queue-name": "nlp"}


def job(
    *events: str, queue: bool = False, suspend: bool = False, **status: JsonObject
) -> JsonObject:
    """Return a job after these events; without any it has no status at all."""
    body: JsonObject = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": NAME, "labels": {**QUEUE} if queue else {"team": "nlp"}},
        "spec": {"runPolicy": {"suspend": suspend}},
        **status,
    }
    return body | {"status": {"conditions": [*conditions(events)]}} if events else body


@pytest.mark.parametrize(
    ("body", "argo_cd", "flux", "message"),
    [
        (job(), "Progressing", "Unknown", "waiting for the training operator"),
        (job(status={}), "Progressing", "InProgress", "waiting for the training operator"),
        (job("created"), "Progressing", "InProgress", f"PyTorchJob {NAME} is created."),
        (job("created", "running"), "Healthy", "Current", f"PyTorchJob {NAME} is running."),
        (
            job("created", "running", "restarting"),
            "Progressing",
            "InProgress",
            f"PyTorchJob {NAME} is restarting.",
        ),
        (
            job("created", "running", "restarting", "running"),
            "Healthy",
            "Current",
            f"PyTorchJob {NAME} is running.",
        ),
        (
            job("created", "running", "succeeded"),
            "Healthy",
            "Current",
            f"PyTorchJob {NAME} is succeeded.",
        ),
        (
            job("created", "running", "failed"),
            "Degraded",
            "Failed",
            f"PyTorchJob {NAME} is failed.",
        ),
        (
            job("created", "running", "restarting", "failed"),
            "Degraded",
            "Failed",
            f"PyTorchJob {NAME} is failed.",
        ),
        (
            job("created", "running", "restarting", "succeeded"),
            "Healthy",
            "Current",
            f"PyTorchJob {NAME} is succeeded.",
        ),
        (
            job("created", "suspended", queue=True, suspend=True),
            "Suspended",
            "Current",
            f"waiting in queue 'nlp': PyTorchJob {NAME} is suspended.",
        ),
        (
            job("created", "suspended", suspend=True),
            "Suspended",
            "Current",
            f"PyTorchJob {NAME} is suspended.",
        ),
        (
            job(queue=True, suspend=True),
            "Suspended",
            "Unknown",
            "waiting in queue 'nlp': suspended before the training operator saw it",
        ),
        (
            job("created", "running", "suspended", queue=True, suspend=True),
            "Suspended",
            "Current",
            f"waiting in queue 'nlp': PyTorchJob {NAME} is suspended.",
        ),
        (
            job("created", "running", "restarting", "suspended", suspend=True),
            "Suspended",
            "Current",
            f"PyTorchJob {NAME} is suspended.",
        ),
        (
            job("created", "suspended", "resumed", queue=True),
            "Progressing",
            "InProgress",
            f"PyTorchJob {NAME} is created.",
        ),
        (
            job("created", "suspended", "resumed", "running", queue=True),
            "Healthy",
            "Current",
            f"PyTorchJob {NAME} is running.",
        ),
        (
            job("created", "suspended", "resumed", "running", "failed", queue=True, suspend=True),
            "Degraded",
            "Failed",
            f"PyTorchJob {NAME} is failed.",
        ),
    ],
    ids=[
        "just created, no status",
        "a status without conditions",
        "created",
        "running",
        "restarting",
        "running again",
        "succeeded",
        "failed",
        "failed while it restarted",
        "succeeded while it restarted",
        "queued",
        "suspended in Git",
        "queued, unseen by the operator",
        "evicted",
        "suspended while it restarted",
        "admitted, not yet running",
        "running after its queue",
        "failed, then suspended",
    ],
)
def test_a_job_has_the_health_of_its_conditions(
    body: JsonObject, argo_cd: str, flux: str, message: str
) -> None:
    assert (argo_cd, message) == argo_cd_health(body)
    assert flux == flux_status(body)


def test_a_job_that_both_succeeded_and_failed_has_failed() -> None:
    """Of an elastic job, one worker can succeed and another fail in the same pass."""
    both: JsonObject = {
        "conditions": [
            {"type": "Succeeded", "status": "True", "message": "successfully completed"},
            {"type": "Failed", "status": "True", "message": "1 Worker replica(s) failed"},
        ]
    }

    assert ("Degraded", "1 Worker replica(s) failed") == argo_cd_health(job(status=both))
    assert "Failed" == flux_status(job(status=both))


@pytest.mark.parametrize("body", [{}, {"spec": {}}, {"metadata": {}, "spec": {"runPolicy": {}}}])
def test_the_lua_survives_an_object_with_nothing_in_it(body: JsonObject) -> None:
    assert "Progressing" == argo_cd_health(body).status


def test_a_condition_without_a_message_is_shown_by_its_type() -> None:
    status: JsonObject = {"conditions": [{"type": "Running", "status": "True"}]}

    assert ("Healthy", "Running") == argo_cd_health(job(status=status))


@pytest.mark.parametrize(
    ("phase", "flux"), [("Bound", "Current"), ("Pending", "Current"), ("Lost", "Failed")]
)
def test_a_claim_that_waits_for_its_first_pod_does_not_hold_flux_up(phase: str, flux: str) -> None:
    claim: JsonObject = {"kind": "PersistentVolumeClaim", "status": {"phase": phase}}

    assert flux == flux_status(claim)
