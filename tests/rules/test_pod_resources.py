"""pod_resources.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ350",
        {"main > resources > limits > memory": "1000 GiB"},
        {"main > resources > limits > memory": "1.5Ti"},
        "main > resources > limits > memory",
        "'memory' is '1000 GiB' (string), expected a quantity",
        "write '1000Gi'",
    ),
    (
        "GJ350",
        {"main > resources > requests > cpu": "eight"},
        {"main > resources > requests > cpu": 0.5},
        "main > resources > requests > cpu",
        "'cpu' is 'eight' (string), expected a quantity",
        "write a number with a unit: '500m', '64Gi'",
    ),
    (
        "GJ351",
        {"main > resources > requests > cpu": "-1"},
        {"main > resources > requests > cpu": "0"},
        "main > resources > requests > cpu",
        "'cpu' is negative: -1",
        "write a positive amount",
    ),
    (
        "GJ352",
        {"main > resources > limits > gpu": 8},
        {"main > resources > limits > ephemeral-storage": "1Ti"},
        "@main > resources > limits > gpu",
        "resource 'gpu' is not known",
        "write a device with its domain: 'nvidia.com/gpu'",
    ),
    (
        "GJ352",
        {"main > resources > limits > mem": "8Gi"},
        {"main > resources > limits > memory": "2Ti"},
        "@main > resources > limits > mem",
        "resource 'mem' is not known",
        "did you mean 'memory'?",
    ),
    (
        "GJ352",
        {"main > resources > limits > NVIDIA/gpu": 8},
        {"main > resources > limits > nvidia.com/mig-1g.5gb": 8},
        "@main > resources > limits > NVIDIA/gpu",
        "resource name 'NVIDIA/gpu' has a prefix that contains 'N'",
        "write 'domain/name'",
    ),
    (
        "GJ353",
        {"main > resources > limits > example.com/fpga": "0.5"},
        {"main > resources > limits > example.com/fpga": "1e0"},
        "main > resources > limits > example.com/fpga",
        "'example.com/fpga' is '0.5' (string), expected a whole number",
        "write how many devices a pod gets",
    ),
    (
        "GJ354",
        {"main > resources > requests > memory": "1001Gi"},
        {"main > resources > requests > memory": "999Gi"},
        "main > resources > requests > memory",
        "the request of 'memory' is above its limit",
        "raise the limit or lower the request",
    ),
    (
        "GJ355",
        {"main > resources > requests > nvidia.com/gpu": "4"},
        {"main > resources > requests > nvidia.com/gpu": "8000m"},
        "main > resources > requests > nvidia.com/gpu",
        "the request of 'nvidia.com/gpu' differs from its limit",
        "write the limit alone; the request follows it",
    ),
    (
        "GJ356",
        {"main > resources > requests > example.com/fpga": 32},
        {"main > resources > limits > example.com/fpga": 32},
        "main > resources > requests > example.com/fpga",
        "'example.com/fpga' is requested without a limit",
        "write it as a limit",
    ),
    (
        "GJ357",
        {"pod > initContainers > 0 > resources": {"limits": {"hugepages-1Gi": "2Gi"}}},
        {
            "pod > initContainers > 0 > resources": {
                "limits": {"hugepages-1Gi": "2Gi", "memory": "1Gi"}
            }
        },
        "@pod > initContainers > 0 > resources > limits > hugepages-1Gi",
        "'hugepages-1Gi' needs an amount of cpu or memory beside it",
        "add memory",
    ),
    (
        "GJ361",
        {"main > resources > limits > hugepages-2Mi": "3Mi"},
        {"main > resources > limits > hugepages-2Mi": "6Mi"},
        "main > resources > limits > hugepages-2Mi",
        "'hugepages-2Mi' is '3Mi' (string), expected whole pages",
        "write a multiple of 2Mi",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
