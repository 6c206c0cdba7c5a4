"""pod_scheduling.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ550",
        {"pod > nodeSelector > gpu": "NVIDIA A100"},
        {"pod > nodeSelector > gpu": "NVIDIA-A100"},
        "pod > nodeSelector > gpu",
        "label value 'NVIDIA A100' contains a space",
        "write the value of a node's label",
    ),
    (
        "GJ550",
        {"pod > nodeSelector > gpu type": "a100"},
        {"pod > nodeSelector > gpu.type": "a100"},
        "@pod > nodeSelector > gpu type",
        "label key 'gpu type' contains a space",
        "write a node's label",
    ),
    (
        "GJ551",
        {"pod > tolerations > 0 > effect": "NoScedule"},
        {"pod > tolerations > 0 > effect": ""},
        "pod > tolerations > 0 > effect",
        "effect is 'NoScedule', expected 'NoSchedule', 'PreferNoSchedule' or 'NoExecute'",
        "did you mean 'NoSchedule'?",
    ),
    (
        "GJ552",
        {"pod > tolerations > 0 > value": "present"},
        {"pod > tolerations > 0 > operator": "Equal", "pod > tolerations > 0 > value": "present"},
        "@pod > tolerations > 0 > value",
        "a toleration with operator 'Exists' has no value",
        "remove the value, or write 'operator: Equal'",
    ),
    (
        "GJ553",
        {"pod > tolerations > 0": {"operator": "Equal"}},
        {"pod > tolerations > 0": {"operator": "Exists"}},
        "pod > tolerations > 0",
        "a toleration with operator 'Equal' needs a key",
        "write 'key', or 'operator: Exists' for every taint",
    ),
    (
        "GJ554",
        {"pod > tolerations > 1 > value": "a b"},
        {"pod > tolerations > 1 > value": "a_b"},
        "pod > tolerations > 1 > value",
        "taint value 'a b' contains a space",
        "write the taint's value",
    ),
    (
        "GJ554",
        {"pod > tolerations > 1 > key": "gpu only"},
        {"pod > tolerations > 1 > key": "example.com/gpu"},
        "pod > tolerations > 1 > key",
        "taint key 'gpu only' contains a space",
        "write the taint's key",
    ),
    (
        "GJ555",
        {"pod > tolerations > 0 > tolerationSeconds": 60},
        {
            "pod > tolerations > 0 > tolerationSeconds": 60,
            "pod > tolerations > 0 > effect": "NoExecute",
        },
        "@pod > tolerations > 0 > tolerationSeconds",
        "tolerationSeconds needs 'effect: NoExecute'",
        "remove it",
    ),
    (
        "GJ556",
        {"pod > topologySpreadConstraints > 0 > maxSkew": 0},
        {"pod > topologySpreadConstraints > 0 > maxSkew": 1},
        "pod > topologySpreadConstraints > 0 > maxSkew",
        "maxSkew is 0, expected at least 1",
        "write 1",
    ),
    (
        "GJ557",
        {"pod > topologySpreadConstraints > 0 > whenUnsatisfiable": "doNotSchedule"},
        {"pod > topologySpreadConstraints > 0 > whenUnsatisfiable": "ScheduleAnyway"},
        "pod > topologySpreadConstraints > 0 > whenUnsatisfiable",
        ("whenUnsatisfiable is 'doNotSchedule', expected 'DoNotSchedule' or 'ScheduleAnyway'"),
        "did you mean 'DoNotSchedule'?",
    ),
    (
        "GJ558",
        {"pod > topologySpreadConstraints > 0 > topologyKey": ""},
        {"pod > topologySpreadConstraints > 0 > topologyKey": "zone"},
        "pod > topologySpreadConstraints > 0 > topologyKey",
        "topologyKey is empty",
        "write a node's label such as 'kubernetes.io/hostname'",
    ),
    (
        "GJ559",
        {
            "pod > topologySpreadConstraints > 1": {
                "maxSkew": 2,
                "topologyKey": "kubernetes.io/hostname",
                "whenUnsatisfiable": "DoNotSchedule",
            }
        },
        {
            "pod > topologySpreadConstraints > 1": {
                "maxSkew": 2,
                "topologyKey": "zone",
                "whenUnsatisfiable": "DoNotSchedule",
            }
        },
        "pod > topologySpreadConstraints > 1 > topologyKey",
        "another spread over 'kubernetes.io/hostname' has the same whenUnsatisfiable",
        "remove one of the two",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
