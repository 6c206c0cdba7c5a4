"""operator_pods.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ647",
        {"main > env > 0 > name": "MASTER_PORT"},
        {"main > env > 0 > name": "LEARNING_RATE"},
        "main > env > 0 > name",
        "the operator overwrites MASTER_PORT in each pod",
        "remove it, and name the port of the container 'pytorchjob-port'",
    ),
    (
        "GJ647",
        {
            "spec > elasticPolicy": {"minReplicas": 2, "maxReplicas": 4},
            "spec > pytorchReplicaSpecs > Master": ...,
            "work > env > 0 > name": "PET_RDZV_ENDPOINT",
        },
        {
            "spec > elasticPolicy": {"minReplicas": 2, "maxReplicas": 4},
            "spec > pytorchReplicaSpecs > Master": ...,
            "work > env > 0 > name": "RANK",
        },
        "work > env > 0 > name",
        "the operator overwrites PET_RDZV_ENDPOINT in each pod",
        "remove it",
    ),
    (
        "GJ648",
        {"pod > restartPolicy": "Never"},
        {"worker > restartPolicy": "Never"},
        "@pod > restartPolicy",
        "restartPolicy 'Never' of the pod is overwritten by the replica spec's",
        "write it beside 'replicas', or remove it",
    ),
    (
        "GJ649",
        {"pod > hostNetwork": True},
        {"pod > hostNetwork": True, "pod > dnsPolicy": "ClusterFirstWithHostNet"},
        "pod > hostNetwork",
        "with hostNetwork and dnsPolicy 'ClusterFirst' pods cannot resolve each other",
        "write 'dnsPolicy: ClusterFirstWithHostNet'",
    ),
    (
        "GJ649",
        {
            "spec > elasticPolicy": {
                "minReplicas": 2,
                "maxReplicas": 4,
                "rdzvConf": [{"key": "is_host", "value": "true"}],
            },
            "spec > pytorchReplicaSpecs > Master": ...,
            "worker > template > spec > hostNetwork": True,
            "worker > template > spec > dnsPolicy": "Default",
        },
        {"worker": ..., "pod > hostNetwork": True},
        "worker > template > spec > dnsPolicy",
        "with hostNetwork and dnsPolicy 'Default' pods cannot resolve each other",
        "write 'dnsPolicy: ClusterFirstWithHostNet'",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
