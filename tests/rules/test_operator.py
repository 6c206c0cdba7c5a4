"""operator.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ630",
        {"metadata > name": "l" * 55},
        {"metadata > name": "l" * 54},
        "metadata > name",
        f"the pod '{'l' * 55}-master-0' and its Service would have 64 characters, 63 are allowed",
        "shorten the name by 1 character",
    ),
    (
        "GJ630",
        {
            "metadata > name": "l" * 54,
            "spec > elasticPolicy": {"minReplicas": 3, "maxReplicas": 11},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        {
            "metadata > name": "l" * 54,
            "spec > elasticPolicy": {"minReplicas": 3, "maxReplicas": 10},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        "metadata > name",
        f"the pod '{'l' * 54}-worker-10' and its Service would have 64 characters, 63 are allowed",
        "shorten the name by 1 character",
    ),
    (
        "GJ631",
        {"spec > pytorchReplicaSpecs > Master": ...},
        {"spec > pytorchReplicaSpecs > Master": ..., "work > args": ["--rdzv_endpoint=etcd:2379"]},
        "@worker",
        "3 workers without a Master and without elasticPolicy cannot find each other",
        "write a Master with 1 replica and 2 workers, or add elasticPolicy",
    ),
    (
        "GJ632",
        {"spec > elasticPolicy": {"minReplicas": 3}},
        {
            "spec > elasticPolicy": {"minReplicas": 2, "maxReplicas": 4},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        "@spec > pytorchReplicaSpecs > Master",
        "a Master beside elasticPolicy: the operator counts the workers alone",
        "make the Master one more replica of the Worker",
    ),
    (
        "GJ633",
        {
            "spec > elasticPolicy": {"minReplicas": 4, "maxReplicas": 2},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        {
            "spec > elasticPolicy": {"minReplicas": 2, "maxReplicas": 4},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        "spec > elasticPolicy > minReplicas",
        "minReplicas 4 is above maxReplicas 2",
        "write minReplicas <= maxReplicas",
    ),
    (
        "GJ634",
        {
            "spec > elasticPolicy": {"minReplicas": 4, "maxReplicas": 8},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        {
            "spec > elasticPolicy": {"minReplicas": 2, "maxReplicas": 4},
            "spec > pytorchReplicaSpecs > Master": ...,
            "worker > replicas": 4,
        },
        "worker > replicas",
        "3 workers at the start, elasticPolicy allows 4 to 8",
        "write replicas from 4 to 8, or change elasticPolicy",
    ),
    (
        "GJ635",
        {"spec > elasticPolicy": {"rdzvConf": []}, "spec > pytorchReplicaSpecs > Master": ...},
        {
            "spec > elasticPolicy": {"rdzvConf": [{"key": "join_timeout", "value": "900"}]},
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        "@spec > elasticPolicy > rdzvConf",
        "an empty rdzvConf ends the operator with a panic",
        "remove rdzvConf",
    ),
    (
        "GJ636",
        {"spec > elasticPolicy": {"standalone": True}, "spec > pytorchReplicaSpecs > Master": ...},
        {"spec > elasticPolicy": {"standalone": False}, "spec > pytorchReplicaSpecs > Master": ...},
        "spec > elasticPolicy > standalone",
        "torchrun cannot read the empty PET_STANDALONE that the operator makes of it",
        "remove standalone",
    ),
    (
        "GJ637",
        {"worker > restartPolicy": "Nevr"},
        {"worker > restartPolicy": "Always"},
        "worker > restartPolicy",
        "restartPolicy is 'Nevr', expected 'Always', 'OnFailure', 'Never' or 'ExitCode'",
        "did you mean 'Never'?",
    ),
    (
        "GJ638",
        {"spec > runPolicy > cleanPodPolicy": "running"},
        {"spec > runPolicy > cleanPodPolicy": "None"},
        "spec > runPolicy > cleanPodPolicy",
        "cleanPodPolicy is 'running', expected 'Running', 'All' or 'None'",
        "did you mean 'Running'?",
    ),
    (
        "GJ639",
        {"spec > nprocPerNode": "gpus"},
        {"spec > nprocPerNode": "gpu"},
        "spec > nprocPerNode",
        ("nprocPerNode is 'gpus', expected a positive number, 'auto', 'gpu', 'cpu' or 'xpu'"),
        "did you mean 'gpu'?",
    ),
    (
        "GJ639",
        {"spec > nprocPerNode": "0"},
        {"spec > nprocPerNode": "08"},
        "spec > nprocPerNode",
        "nprocPerNode is '0', expected a positive number, 'auto', 'gpu', 'cpu' or 'xpu'",
        "write 'auto'",
    ),
    (
        "GJ640",
        {"spec > runPolicy > schedulingPolicy": {"minAvailable": 5}},
        {"spec > runPolicy > schedulingPolicy": {"minAvailable": 4}},
        "spec > runPolicy > schedulingPolicy > minAvailable",
        "minAvailable 5 is above the 4 pods of the job; it never starts",
        "write at most 4, or leave it out",
    ),
    (
        "GJ641",
        {"spec > runPolicy > ttlSecondsAfterFinished": 600},
        {"spec > runPolicy > activeDeadlineSeconds": 600},
        "@spec > runPolicy > ttlSecondsAfterFinished",
        "the operator deletes the finished job, and GitOps then trains it again",
        "remove it, and write 'cleanPodPolicy: Running' to free the machines",
    ),
    (
        "GJ642",
        {"main > readinessProbe": {"exec": {"command": ["true"]}}},
        {"work > readinessProbe": {"exec": {"command": ["true"]}}},
        "@main > readinessProbe",
        "the workers cannot resolve the Master before this probe succeeds",
        "remove it",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
