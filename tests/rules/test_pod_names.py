"""pod_names.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ660",
        {"pod > initContainers > 0 > name": "Fetch_Data"},
        {"pod > initContainers > 0 > name": "7-fetch"},
        "pod > initContainers > 0 > name",
        "container name 'Fetch_Data' contains 'F'",
        "write 'fetch-data'",
    ),
    (
        "GJ661",
        {"pod > initContainers > 0 > name": "pytorch"},
        {"pod > initContainers > 0 > name": "pytorch-2"},
        "pod > initContainers > 0 > name",
        "another container of the pod is named 'pytorch' too",
        "give each container its own name",
    ),
    (
        "GJ662",
        {"pod > initContainers > 0 > image": "train:1 "},
        {"pod > initContainers > 0 > image": "train:1"},
        "pod > initContainers > 0 > image",
        "image 'train:1 ' contains white space",
        "write 'train:1'",
    ),
    (
        "GJ663",
        {"pod > initContainers > 0 > image": ""},
        {"pod > initContainers > 0 > image": "x"},
        "pod > initContainers > 0",
        "the init container has no image",
        "write 'image'",
    ),
    (
        "GJ664",
        {"main > imagePullPolicy": "IfNotPresnt"},
        {"main > imagePullPolicy": "Never"},
        "main > imagePullPolicy",
        "imagePullPolicy is 'IfNotPresnt', expected 'Always', 'IfNotPresent' or 'Never'",
        "did you mean 'IfNotPresent'?",
    ),
    (
        "GJ665",
        {"pod > dnsPolicy": "ClusterFirstWithHostNetwork"},
        {"pod > dnsPolicy": "Default"},
        "pod > dnsPolicy",
        (
            "dnsPolicy is 'ClusterFirstWithHostNetwork', expected 'ClusterFirst', "
            "'ClusterFirstWithHostNet', 'Default' or 'None'"
        ),
        "did you mean 'ClusterFirstWithHostNet'?",
    ),
    (
        "GJ666",
        {"pod > priorityClassName": "Very_High"},
        {"pod > priorityClassName": "very.high"},
        "pod > priorityClassName",
        "priorityClassName 'Very_High' contains 'V'",
        "write the name of an object",
    ),
    (
        "GJ667",
        {"pod > subdomain": "a.b"},
        {"pod > subdomain": "a-b"},
        "pod > subdomain",
        "subdomain 'a.b' contains '.'",
        "write a DNS label",
    ),
    (
        "GJ668",
        {"pod > initContainers > 0 > restartPolicy": "Never"},
        {"pod > initContainers > 0 > restartPolicy": "Always"},
        "pod > initContainers > 0 > restartPolicy",
        "restartPolicy of an init container is 'Never', expected 'Always'",
        "leave it out for one that ends",
    ),
    (
        "GJ669",
        {"pod > initContainers > 0 > livenessProbe": {"tcpSocket": {"port": 1}}},
        {
            "pod > initContainers > 0 > restartPolicy": "Always",
            "pod > initContainers > 0 > livenessProbe": {"tcpSocket": {"port": 1}},
        },
        "@pod > initContainers > 0 > livenessProbe",
        "an init container without 'restartPolicy: Always' has no livenessProbe",
        "remove livenessProbe",
    ),
    (
        "GJ679",
        {"pod > imagePullSecrets": [{"name": "hub"}, {"name": "hub"}]},
        {"pod > imagePullSecrets": [{"name": "hub"}, {"name": "mirror"}]},
        "pod > imagePullSecrets > 1 > name",
        "imagePullSecrets has 'hub' twice",
        "write it once",
    ),
    (
        "GJ679",
        {"pod > hostAliases": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}, {"ip": "10.0.0.1"}]},
        {"pod > hostAliases": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}]},
        "pod > hostAliases > 2 > ip",
        "hostAliases has '10.0.0.1' twice",
        "write it once",
    ),
    (
        "GJ678",
        {"pod > dnsPolicy": "None"},
        {"pod > dnsPolicy": "None", "pod > dnsConfig": {"nameservers": ["10.0.0.10"]}},
        "pod > dnsPolicy",
        "dnsPolicy 'None' needs a name server",
        "write 'dnsConfig.nameservers'",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
