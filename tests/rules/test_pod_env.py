"""pod_env.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ670",
        {"main > env > 3 > name": "A=B"},
        {"main > env > 3 > name": "A_B"},
        "main > env > 3 > name",
        "variable name 'A=B' contains '='",
        "write a name such as 'MY_VAR'",
    ),
    (
        "GJ670",
        {"main > envFrom > 0 > prefix": "É"},
        {"main > envFrom > 0 > prefix": ""},
        "main > envFrom > 0 > prefix",
        "variable name 'É' contains 'É'",
        "write a name such as 'MY_VAR'",
    ),
    (
        "GJ671",
        {"main > env > 0 > name": "1ST"},
        {"main > env > 0 > name": "my.env-name"},
        "main > env > 0 > name",
        "variable name '1ST' begins with '1'; Kubernetes before 1.32 refuses it",
        "write letters, digits and '_'",
    ),
    (
        "GJ672",
        {"main > env > 3": {"name": "LR", "value": "2e-4"}},
        {"work > env > 0 > name": "LR"},
        "main > env > 0 > name",
        "LR is set again further down, and the last value wins",
        "remove one of the two",
    ),
    (
        "GJ673",
        {"main > env > 1 > value": "10.0.0.1"},
        {"main > env > 1 > value": ""},
        "@main > env > 1 > valueFrom",
        "variable 'POD_IP' has both 'value' and 'valueFrom'",
        "remove one of the two",
    ),
    (
        "GJ674",
        {"main > env > 1 > valueFrom > secretKeyRef": {"name": "s", "key": "k"}},
        {"main > env > 1 > valueFrom": {"fileKeyRef": {}}},
        "@main > env > 1 > valueFrom",
        (
            "found 'secretKeyRef' and 'fieldRef', expected one of 'configMapKeyRef', "
            "'secretKeyRef', 'fieldRef' or 'resourceFieldRef'"
        ),
        "keep one",
    ),
    (
        "GJ674",
        {"main > envFrom > 0": {"prefix": "A_"}},
        {"main > envFrom > 0": {"secretRef": {"name": "a"}}},
        "@main > envFrom > 0",
        "found no source, expected one of 'configMapRef' or 'secretRef'",
        "write one",
    ),
    (
        "GJ675",
        {"main > env > 2 > valueFrom > secretKeyRef > key": "api key"},
        {"main > env > 2 > valueFrom > secretKeyRef > key": "api.key"},
        "main > env > 2 > valueFrom > secretKeyRef > key",
        "key 'api key' contains a space",
        "write it as it is in the cluster",
    ),
    (
        "GJ675",
        {"main > envFrom > 0 > configMapRef > name": ...},
        {"main > envFrom > 0 > configMapRef > name": "a.b"},
        "@main > envFrom > 0 > configMapRef",
        "configMapRef has no name",
        "write the name of the object",
    ),
    (
        "GJ676",
        {"main > env > 1 > valueFrom > fieldRef > fieldPath": "status.podIp"},
        {"main > env > 1 > valueFrom > fieldRef > fieldPath": "metadata.labels['a.b/team']"},
        "main > env > 1 > valueFrom > fieldRef > fieldPath",
        "fieldPath 'status.podIp' is not offered to a variable",
        "did you mean 'status.podIP'?",
    ),
    (
        "GJ677",
        {"main > env > 3 > valueFrom > resourceFieldRef > resource": "limits.gpu"},
        {"main > env > 3 > valueFrom > resourceFieldRef > resource": "requests.hugepages-2Mi"},
        "main > env > 3 > valueFrom > resourceFieldRef > resource",
        "resource 'limits.gpu' is not offered to a variable",
        (
            "write 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage', "
            "'requests.cpu', 'requests.memory' or 'requests.ephemeral-storage'"
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
