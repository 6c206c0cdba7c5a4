"""Nodes times processes: what the command, nprocPerNode and the GPUs say of one pod."""

from __future__ import annotations

import pytest

from genjob.prediction import predicted_pods, predicted_scale, ranks_of
from tests.hand_written import job, role

GPUS = "resources: {limits: {nvidia.com/gpu: 8}}"
TORCHRUN = "command: [torchrun, train.py]"


@pytest.mark.parametrize(
    ("nproc", "container", "expected"),
    [
        ("'4'", f"{TORCHRUN}, {GPUS}", 4),
        ("auto", f"{TORCHRUN}, {GPUS}", 8),
        ("gpu", f"{TORCHRUN}, {GPUS}", 8),
        ("auto", "resources: {limits: {nvidia.com/a40: 2}}", 2),
        ("auto", "resources: {limits: {nvidia.com/hostdev: 2}}", 1),
        ("auto", TORCHRUN, None),
        ("cpu", GPUS, None),
        ("auto", "", 1),
        ("'8'", f"command: [python, train.py], {GPUS}", 1),
        ("'8'", f"command: [torchrun, --nproc-per-node=2, train.py], {GPUS}", 2),
        ("'8'", f"command: [torchrun, --nproc_per_node, auto, train.py], {GPUS}", 8),
        ("'8'", "command: [sh, -c, 'torchrun --nproc_per_node=$N train.py']", None),
        ("'8'", "command: [sh, -c, 'torchrun --nproc_per_node=$PET_NPROC_PER_NODE x.py']", 8),
    ],
)
def test_the_processes_of_a_pod(nproc: str, container: str, expected: int | None) -> None:
    body = job(f"nprocPerNode: {nproc}\npytorchReplicaSpecs: {{Master: {role(container)}}}")
    scale = predicted_scale(body)

    assert expected == scale.processes["Master"].count
    assert (None if expected is None else (expected, expected)) == scale.ranks


def test_the_reason_names_what_decided() -> None:
    body = job(f"pytorchReplicaSpecs: {{Master: {role(GPUS)}}}")

    assert "nprocPerNode is 'auto' and the pod has 8 GPUs" == (
        predicted_scale(body).processes["Master"].reason
    )


def test_roles_with_different_gpus_have_different_shares_of_the_ranks() -> None:
    small = "resources: {limits: {nvidia.com/gpu: 4}}"
    body = job(f"pytorchReplicaSpecs: {{Master: {role(small)}, Worker: {role(GPUS, replicas=2)}}}")
    scale = predicted_scale(body)

    assert (20, 20) == scale.ranks
    assert [(0, 3), (4, 11), (12, 19)] == [*ranks_of(scale, predicted_pods(body)).values()]


def test_an_elastic_job_has_a_range_of_ranks_that_no_pod_knows_of() -> None:
    policy = "elasticPolicy: {minReplicas: 2, maxReplicas: 8}"
    body = job(f"{policy}\npytorchReplicaSpecs: {{Worker: {role(GPUS, replicas=4)}}}")
    scale = predicted_scale(body)

    assert (2, 8, (16, 64)) == (scale.least_nodes, scale.most_nodes, scale.ranks)
    assert {} == ranks_of(scale, predicted_pods(body))


def test_a_pod_without_the_training_container_has_no_known_processes() -> None:
    body = job("pytorchReplicaSpecs: {Master: {template: {spec: {containers: [{name: x}]}}}}")

    assert ({}, None) == (predicted_scale(body).processes, predicted_scale(body).ranks)
    assert {} == predicted_pods(body)[0].main


def test_the_deprecated_field_counts_processes_too() -> None:
    body = job(f"elasticPolicy: {{nProcPerNode: 4}}\npytorchReplicaSpecs: {{Worker: {role('')}}}")

    assert (4, 4) == predicted_scale(body).ranks
