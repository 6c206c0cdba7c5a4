"""Two jobs are equal in the canonical form when they mean the same, and only then."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from genjob.importing.canonical import canonical
from genjob.patch import json_equal
from tests.hand_written import job

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

_SPEC = """
pytorchReplicaSpecs:
  Worker:
    replicas: 1
    template: {{spec: {{{pod}}}}}
"""


def in_pod(pod: str) -> JsonObject:
    return job(_SPEC.format(pod=pod))


def in_main(container: str) -> JsonObject:
    return in_pod(f"containers: [{{name: pytorch, image: i, {container}}}]")


def same(one: JsonObject, other: JsonObject) -> bool:
    return json_equal(canonical(one, "llama"), canonical(other, "llama"))


_A, _B = "{name: A, value: x}", "{name: B, value: $(A)}"

SAME = [
    ("command: [sh, -c, x]", "command: [sh], args: [-c, x]"),
    ("resources: {limits: {memory: 1024Mi}}", "resources: {limits: {memory: 1Gi}}"),
    (
        "resources: {limits: {nvidia.com/gpu: 8}}",
        "resources: {limits: {nvidia.com/gpu: '8'}, requests: {nvidia.com/gpu: 8}}",
    ),
    ("env: [{name: A}, {name: B, value: y}]", "env: [{name: B, value: y}, {name: A, value: ''}]"),
    (f"env: [{_A}, {_B}, {{name: C, value: z}}]", f"env: [{{name: C, value: z}}, {_A}, {_B}]"),
    ("volumeMounts: [{name: a, mountPath: /a}]", "volumeMounts: [{mountPath: /a, name: a}]"),
    ("ports: []", "ports: [{name: pytorchjob-port, containerPort: 23456, protocol: TCP}]"),
    ("securityContext: {}", "terminationMessagePolicy: File"),
    ("stdin: false", "tty: null"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_means_the_same_is_equal(one: str, other: str) -> None:
    assert same(in_main(one), in_main(other))


DIFFERENT = [
    ("args: [-c, x]", "command: [-c, x]"),
    ("command: [sh, -c, x]", "command: [sh, -c], args: [y]"),
    ("args: [a, b]", "args: [b, a]"),
    ("args: ['1']", "args: ['01']"),
    (f"env: [{_A}, {_B}]", f"env: [{_B}, {_A}]"),
    (f"env: [{_A}, {{name: A, value: y}}]", f"env: [{{name: A, value: y}}, {_A}]"),
    ("resources: {limits: {memory: 1G}}", "resources: {limits: {memory: 1Gi}}"),
    ("resources: {requests: {memory: 1Gi}}", "resources: {limits: {memory: 1Gi}}"),
    ("ports: []", "ports: [{name: pytorchjob-port, containerPort: 23457}]"),
    ("imagePullPolicy: Always", "imagePullPolicy: Never"),
    ("volumeMounts: [{name: a, mountPath: /a}]", "volumeMounts: [{name: a, mountPath: /b}]"),
    ("stdin: true", "stdin: false"),
    ("env: [{name: A, value: '1'}]", "env: [{name: A, value: 1}]"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_means_something_else_differs(one: str, other: str) -> None:
    assert not same(in_main(one), in_main(other))


_C = "containers: [{name: pytorch, image: i}"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (f"{_C}, {{name: b, image: j}}]", f"{_C}, {{name: b, image: k}}]", False),
        (f"{_C}, {{name: b}}]", "containers: [{name: b}, {name: pytorch, image: i}]", False),
        ("volumes: [{name: a, emptyDir: {}}]", "volumes: [{name: a}]", False),
        ("hostNetwork: true", "hostNetwork: true, dnsPolicy: ClusterFirst", True),
        ("hostNetwork: true", "hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet", False),
        ("initContainers: [{name: a}, {name: b}]", "initContainers: [{name: b}, {name: a}]", False),
        ("tolerations: [{key: a}, {key: b}]", "tolerations: [{key: b}, {key: a}]", True),
        ("nodeSelector: {a: '1'}", "nodeSelector: {a: 1}", False),
        ("restartPolicy: Never", "restartPolicy: Always", False),
    ],
)
def test_the_order_of_containers_counts_and_that_of_tolerations_does_not(
    one: str, other: str, *, expected: bool
) -> None:
    assert expected == same(in_pod(one), in_pod(other))


def test_only_our_own_labels_are_left_out() -> None:
    body = in_main("stdin: true")
    labels: JsonObject = {
        "genjob.dev/experiment": "llama",
        "app.kubernetes.io/name": "llama",
        "app.kubernetes.io/managed-by": "genjob",
    }
    ours, theirs = deepcopy(body), deepcopy(body)
    ours["metadata"] = {"name": "llama", "labels": labels}
    theirs["metadata"] = {"name": "llama", "labels": {"app.kubernetes.io/name": "other"}}

    assert same(body, ours)
    assert not same(body, theirs)


def test_the_input_stays_as_it_was() -> None:
    body = in_main("command: [sh], args: [-c], env: [{name: A}]")
    before = deepcopy(body)
    canonical(body, "llama")

    assert before == body
