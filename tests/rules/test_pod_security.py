"""pod_security.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ690",
        {"main > securityContext": {"privileged": True, "allowPrivilegeEscalation": False}},
        {"main > securityContext": {"privileged": True}},
        "main > securityContext > allowPrivilegeEscalation",
        "'allowPrivilegeEscalation: false' contradicts 'privileged: true'",
        "remove one of the two",
    ),
    (
        "GJ691",
        {
            "main > securityContext": {
                "capabilities": {"add": ["CAP_SYS_ADMIN"]},
                "allowPrivilegeEscalation": False,
            }
        },
        {
            "main > securityContext": {
                "capabilities": {"add": ["SYS_ADMIN"]},
                "allowPrivilegeEscalation": False,
            }
        },
        "main > securityContext > allowPrivilegeEscalation",
        "'allowPrivilegeEscalation: false' contradicts capability 'CAP_SYS_ADMIN'",
        "remove one of the two",
    ),
    (
        "GJ692",
        {"main > securityContext > capabilities > add > 0": "CAP_IPC_LOCK"},
        {"main > securityContext > capabilities > add > 0": "SYS_PTRACE"},
        "main > securityContext > capabilities > add > 0",
        "capability 'CAP_IPC_LOCK' is written with 'CAP_'",
        "write 'IPC_LOCK'",
    ),
    (
        "GJ693",
        {"pod > securityContext > runAsUser": 0, "main > securityContext > runAsNonRoot": True},
        {"pod > securityContext > runAsUser": 0},
        "pod > securityContext > runAsUser",
        "user 0 is root, and 'runAsNonRoot: true' refuses it",
        "write another user, or drop runAsNonRoot",
    ),
    (
        "GJ694",
        {"pod > securityContext > fsGroup": -1},
        {"pod > securityContext > fsGroup": 0},
        "pod > securityContext > fsGroup",
        "fsGroup is -1, expected 0 to 2147483647",
        "write the number of a user or a group",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
