"""pod_ports.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ680",
        {"main > ports > 1 > containerPort": 65536},
        {"main > ports > 1 > containerPort": 65535},
        "main > ports > 1 > containerPort",
        "containerPort 65536 is not a port, expected 1 to 65535",
        "write a port that the program listens on",
    ),
    (
        "GJ681",
        {"main > ports > 1 > name": "prometheus-metrics"},
        {"main > ports > 1 > name": "prom-metrics"},
        "main > ports > 1 > name",
        "port name 'prometheus-metrics' has 18 characters, 15 are allowed",
        "write at most 15 lower-case letters, digits and '-'",
    ),
    (
        "GJ681",
        {"main > ports > 1 > name": "8080"},
        {"main > ports > 1 > name": "h8080"},
        "main > ports > 1 > name",
        "port name '8080' has no letter",
        "write at most 15 lower-case letters, digits and '-'",
    ),
    (
        "GJ682",
        {"main > ports > 1 > protocol": "tcp"},
        {"main > ports > 1 > protocol": "SCTP"},
        "main > ports > 1 > protocol",
        "protocol is 'tcp', expected 'TCP', 'UDP' or 'SCTP'",
        "did you mean 'TCP'?",
    ),
    (
        "GJ683",
        {"main > ports > 1 > name": "pytorchjob-port"},
        {"main > ports > 1 > name": "web"},
        "main > ports > 1 > name",
        "another port of the container is named 'pytorchjob-port' too",
        "give each port its own name",
    ),
    (
        "GJ684",
        {"pod > initContainers > 0 > ports": [{"containerPort": 80}, {"containerPort": 80}]},
        {
            "pod > initContainers > 0 > ports": [
                {"containerPort": 80},
                {"containerPort": 80, "protocol": "UDP"},
            ]
        },
        "pod > initContainers > 0 > ports > 1 > containerPort",
        "port 80 (TCP) is listed twice in the container",
        "remove one of the two",
    ),
    (
        "GJ685",
        {"main > ports > 0 > hostPort": 9000, "main > ports > 1 > hostPort": 9000},
        {"main > ports > 0 > hostPort": 9001, "main > ports > 1 > hostPort": 9000},
        "main > ports > 1 > hostPort",
        "port 9000 (TCP) of the machine is taken twice by the pod",
        "write another port",
    ),
    (
        "GJ686",
        {
            "pod > hostNetwork": True,
            "pod > dnsPolicy": "ClusterFirstWithHostNet",
            "main > ports > 1 > hostPort": 9001,
        },
        {
            "pod > hostNetwork": True,
            "pod > dnsPolicy": "ClusterFirstWithHostNet",
            "main > ports > 1 > hostPort": 9000,
        },
        "main > ports > 1 > hostPort",
        "hostPort 9001 is not containerPort 9000, with hostNetwork",
        "leave hostPort out",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
