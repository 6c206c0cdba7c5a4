"""pod_affinity.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ560",
        {"terms > 0 > matchExpressions > 0 > operator": "in"},
        {"terms > 0 > matchExpressions > 0 > operator": "NotIn"},
        "terms > 0 > matchExpressions > 0 > operator",
        "operator is 'in', expected 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt' or 'Lt'",
        "did you mean 'In'?",
    ),
    (
        "GJ560",
        {"wishes > 0 > podAffinityTerm > labelSelector > matchExpressions > 0 > operator": "Gt"},
        {"wishes > 0 > podAffinityTerm > labelSelector > matchExpressions > 0 > operator": "In"},
        "wishes > 0 > podAffinityTerm > labelSelector > matchExpressions > 0 > operator",
        "operator is 'Gt', expected 'In', 'NotIn', 'Exists' or 'DoesNotExist'",
        "",
    ),
    (
        "GJ561",
        {"terms > 0 > matchExpressions > 0 > values": []},
        {"terms > 0 > matchExpressions > 0 > values": ["a", "b"]},
        "terms > 0 > matchExpressions > 0",
        "operator 'In' needs values",
        "write 'values'",
    ),
    (
        "GJ561",
        {"terms > 0 > matchExpressions > 0 > operator": "Gt"},
        {"terms > 0 > matchExpressions > 0": {"key": "gpus", "operator": "Gt", "values": ["7"]}},
        "terms > 0 > matchExpressions > 0 > values",
        "operator 'Gt' needs one whole number, found 'h100'",
        "write one number, as a text",
    ),
    (
        "GJ562",
        {"terms > 0 > matchExpressions > 0 > operator": "Exists"},
        {"terms > 0 > matchExpressions > 0": {"key": "gpus", "operator": "Exists"}},
        "@terms > 0 > matchExpressions > 0 > values",
        "operator 'Exists' has no values",
        "remove them, or write 'In'",
    ),
    (
        "GJ563",
        {"terms > 0 > matchExpressions > 0 > key": "gpu type"},
        {"terms > 0 > matchExpressions > 0 > key": "example.com/gpu"},
        "terms > 0 > matchExpressions > 0 > key",
        "label key 'gpu type' contains a space",
        "write a label's key",
    ),
    (
        "GJ564",
        {"demands > 0 > labelSelector > matchLabels > team": "a b"},
        {"demands > 0 > labelSelector > matchLabels > team": "a"},
        "demands > 0 > labelSelector > matchLabels > team",
        "label value 'a b' contains a space",
        "write a label's value",
    ),
    (
        "GJ565",
        {
            "pod > affinity > nodeAffinity > requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": []
            }
        },
        {"terms > 0": {}},
        "terms",
        "nodeSelectorTerms is empty",
        "write a term, or remove the affinity",
    ),
    (
        "GJ566",
        {"demands > 0 > topologyKey": ""},
        {"demands > 0 > topologyKey": "example.com/rack"},
        "demands > 0 > topologyKey",
        "topologyKey '' is empty",
        "write a node's label such as 'kubernetes.io/hostname'",
    ),
    (
        "GJ567",
        {"wishes > 0 > weight": 101},
        {"wishes > 0 > weight": 1},
        "wishes > 0 > weight",
        "weight is 101, expected 1 to 100",
        "write 100 for the strongest wish",
    ),
    (
        "GJ568",
        {"wishes > 0 > podAffinityTerm > labelSelector > matchExpressions > 0 > values": ["a b"]},
        {"wishes > 0 > podAffinityTerm > labelSelector > matchExpressions > 0 > values": ["a.b"]},
        "wishes > 0 > podAffinityTerm > labelSelector > matchExpressions > 0 > values > 0",
        "label value 'a b' contains a space",
        "write a label's value",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
