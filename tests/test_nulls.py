"""A key without a value is dropped by the API server: a warning, or an error where it is needed."""

from __future__ import annotations

import pytest

from genjob.crd.library import check_objects
from genjob.crd.nulls import has_nulls, without_nulls
from tests.hand_written import job, role


def found(spec: str) -> list[tuple[str, str, str]]:
    """Return severity, last key and message of what the schemas find in a job."""
    return [
        (each.severity.value, str(each.path[-1]), each.message)
        for _, each in check_objects([job(spec)], operator="1.9", kubernetes="1.31")
    ]


def master(container: str, beside: str = "") -> str:
    return f"{{pytorchReplicaSpecs: {{Master: {role(container, beside=beside)}}}}}"


DROPPED = "found no value; the API server drops the field"


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        (master("resources: {limits: {nvidia.com/gpu: null}}"), "nvidia.com/gpu"),
        (master("command: null"), "command"),
        (master("", beside="affinity: null"), "affinity"),
        ("{runPolicy: null, pytorchReplicaSpecs: {}}", "runPolicy"),
        (master("env: [{name: A, value: null}]"), "value"),
        (master("ports: [{containerPort: 80, name: null}]"), "name"),
    ],
)
def test_a_key_without_a_value_is_a_warning(spec: str, key: str) -> None:
    assert [("warning", key, DROPPED)] == found(spec)


@pytest.mark.parametrize(
    "spec",
    [
        master("ports: [{containerPort: 80, protocol: null}]"),
        master("envFrom: [{configMapRef: {name: null}}]"),
        "{runPolicy: {suspend: null}, pytorchReplicaSpecs: {}}",
    ],
)
def test_a_key_without_a_value_that_has_a_default_is_a_note(spec: str) -> None:
    ((severity, _, message),) = found(spec)

    assert ("info", "found no value; the API server takes the default") == (severity, message)


def test_a_key_that_is_needed_is_an_error_alone() -> None:
    spec = "{pytorchReplicaSpecs: {Master: {replicas: 1, template: {spec: {containers: null}}}}}"

    assert [("error", "spec")] == [(severity, key) for severity, key, _ in found(spec)]


def test_an_item_of_a_list_without_a_value_is_an_error() -> None:
    assert [("error", "0", "found null, expected a string")] == found(master("command: [null]"))


def test_a_value_of_a_wrong_type_stays_an_error_beside_nulls() -> None:
    assert [
        ("error", "tty", "found 'x' (string), expected true or false"),
        ("warning", "command", DROPPED),
    ] == found(master("tty: x, command: null"))


def test_nulls_are_taken_out_of_mappings_at_every_depth() -> None:
    body = job("{a: null, b: [null, {c: null, d: 1}], e: {f: {g: null}}}")

    assert job("{b: [null, {d: 1}], e: {f: {}}}") == without_nulls(body)
    assert (True, False) == (has_nulls(body), has_nulls(without_nulls(body)))
