"""webhook.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ610",
        {"metadata > name": "7b-sft"},
        {"metadata > name": "sft-7b"},
        "metadata > name",
        ("name '7b-sft' begins with '7', not with a letter; the operator's webhook refuses it"),
        "write 'job-7b-sft'",
    ),
    (
        "GJ610",
        {"metadata > name": "run-v0.1"},
        {"metadata > name": "run-v0-1"},
        "metadata > name",
        "name 'run-v0.1' contains '.'; the operator's webhook refuses it",
        "write 'run-v0-1'",
    ),
    (
        "GJ610",
        {"metadata > name": "Llama"},
        {"metadata > name": "x"},
        "metadata > name",
        "name 'Llama' contains 'L'; the operator's webhook refuses it",
        "write 'llama'",
    ),
    (
        "GJ610",
        {"metadata > name": "l" * 64},
        {"metadata > name": "l" * 50},
        "metadata > name",
        f"name '{'l' * 64}' has 64 characters, 63 are allowed; the operator's webhook refuses it",
        f"write '{'l' * 63}'",
    ),
    (
        "GJ611",
        {"spec > elasticPolicy": {}, "worker": ...},
        {"spec > elasticPolicy": {}, "spec > pytorchReplicaSpecs > Master": ...},
        "@spec > elasticPolicy",
        "elasticPolicy needs a Worker replica spec; the operator's webhook refuses it",
        "add 'spec.pytorchReplicaSpecs.Worker' or remove elasticPolicy",
    ),
    (
        "GJ612",
        {
            "spec > elasticPolicy": {"nProcPerNode": 8},
            "spec > nprocPerNode": ...,
            "spec > pytorchReplicaSpecs > Master": ...,
        },
        {"spec > elasticPolicy": {"minReplicas": 3}, "spec > pytorchReplicaSpecs > Master": ...},
        "@spec > elasticPolicy > nProcPerNode",
        "'nProcPerNode' of elasticPolicy is deprecated",
        "write 'spec.nprocPerNode', as a text",
    ),
    (
        "GJ613",
        {"spec > elasticPolicy": {"nProcPerNode": 8}, "spec > pytorchReplicaSpecs > Master": ...},
        {"spec > nprocPerNode": "gpu"},
        "@spec > elasticPolicy > nProcPerNode",
        ("'nProcPerNode' is given beside 'spec.nprocPerNode'; the operator's webhook refuses it"),
        "remove it",
    ),
    (
        "GJ614",
        {"spec > pytorchReplicaSpecs": {}},
        {"worker": ...},
        "@spec",
        "a PyTorchJob without 'pytorchReplicaSpecs' has no pods, and nobody refuses it",
        "add a Master with 1 replica, and a Worker with the other nodes",
    ),
    (
        "GJ614",
        {"spec > pytorchReplicaSpecs": ...},
        {"worker": ...},
        "@spec",
        "a PyTorchJob without 'pytorchReplicaSpecs' has no pods; the schema of the CRD refuses it",
        "add a Master with 1 replica, and a Worker with the other nodes",
    ),
    (
        "GJ615",
        {
            "spec > pytorchReplicaSpecs > Wroker": {
                "template": {"spec": {"containers": [{"name": "pytorch", "image": "x"}]}}
            }
        },
        {"worker > replicas": 2},
        "@spec > pytorchReplicaSpecs > Wroker",
        "replica type 'Wroker' is not known; the operator's webhook refuses it",
        "did you mean 'Worker'?",
    ),
    (
        "GJ616",
        {"worker": None},
        {"worker": ...},
        "@worker",
        "the replica spec is null; the schema of the CRD refuses it",
        "write the replica spec or remove the key",
    ),
    (
        "GJ617",
        {"worker > template > spec > containers": []},
        {"worker > template > spec > initContainers": []},
        "@worker > template > spec",
        "the replica spec has no containers; the operator's webhook refuses it",
        "add a container named 'pytorch'",
    ),
    (
        "GJ618",
        {"work > image": ...},
        {"work > image": "registry.example.com/train:1"},
        "work",
        "the container has no image; the operator's webhook refuses it",
        "write 'image'",
    ),
    (
        "GJ619",
        {"main > name": "trainer"},
        {"pod > containers > 1": {"name": "trainer", "image": "x"}},
        "main > name",
        ("no container is named 'pytorch' (found: 'trainer'); the operator's webhook refuses it"),
        "name the container that trains 'pytorch'",
    ),
    (
        "GJ620",
        {"spec > pytorchReplicaSpecs > Master > replicas": ...},
        {"spec > pytorchReplicaSpecs > Master > replicas": 1},
        "@spec > pytorchReplicaSpecs > Master",
        "the Master has no 'replicas'; the operator's webhook refuses it",
        "write 'replicas: 1'",
    ),
    (
        "GJ620",
        {"spec > pytorchReplicaSpecs > Master > replicas": 4},
        {"spec > pytorchReplicaSpecs > Master > replicas": 1},
        "spec > pytorchReplicaSpecs > Master > replicas",
        "the Master has 4 replicas, expected 1; the operator's webhook refuses it",
        "write 'replicas: 1', and the other nodes as replicas of the Worker",
    ),
    (
        "GJ621",
        {"worker > replicas": 0},
        {"worker > replicas": ...},
        "worker > replicas",
        ("the Worker has 0 replicas, expected at least 1; the operator's webhook refuses it"),
        "remove the Worker replica spec, or write a positive number",
    ),
    (
        "GJ622",
        {"spec > runPolicy > managedBy": "kueue.x-k8s.io/multikue"},
        {"spec > runPolicy > managedBy": "kueue.x-k8s.io/multikueue"},
        "spec > runPolicy > managedBy",
        (
            "managedBy is 'kueue.x-k8s.io/multikue', expected 'kubeflow.org/training-"
            "operator' or 'kueue.x-k8s.io/multikueue'; the operator's webhook refuses it"
        ),
        "did you mean 'kueue.x-k8s.io/multikueue'?",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
