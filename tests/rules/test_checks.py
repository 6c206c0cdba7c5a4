"""The three entries: a job, any object, objects that are applied together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.diagnostics import Finding, Severity
from genjob.rules import check_job, check_object, check_objects

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

CONFIG_MAP: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


def test_the_valid_job_has_no_findings(job: JsonObject) -> None:
    assert [] == check_job(job)
    assert [] == check_object(job)


def test_a_kind_without_rules_of_its_own_is_held_to_those_of_metadata() -> None:
    secret: JsonObject = {"kind": "Secret", "metadata": {"name": "a", "labels": {"x": "a b"}}}

    assert ["GJ652"] == [finding.code for finding in check_object(secret)]


def test_findings_of_several_objects_carry_the_index_of_their_object() -> None:
    bad: JsonObject = {**CONFIG_MAP, "metadata": {"name": "b"}, "data": {"a b": ""}}

    assert [(1, "GJ490")] == [(i, f.code) for i, f in check_objects([CONFIG_MAP, bad])]


def test_the_second_of_two_objects_with_one_name_is_reported() -> None:
    other_namespace: JsonObject = {**CONFIG_MAP, "metadata": {"name": "a", "namespace": "ml"}}
    other_kind: JsonObject = {**CONFIG_MAP, "kind": "Secret"}
    expected = Finding(
        "GJ657",
        ("metadata", "name"),
        "another ConfigMap is named 'a' too",
        "give each object its own name",
        Severity.ERROR,
    )

    assert [(3, expected)] == check_objects([CONFIG_MAP, other_namespace, other_kind, CONFIG_MAP])


def test_all_mistakes_of_a_job_are_found_in_one_run() -> None:
    """The report that a Worker-only job has no state: kubeflow/trainer, found by a user."""
    job: JsonObject = {
        "kind": "PyTorchJob",
        "metadata": {"name": "job"},
        "spec": {
            "pytorchReplicaSpecs": {
                "Worker": {
                    "replicas": 2,
                    "template": {
                        "spec": {
                            "restartPolicy": "OnFailure",
                            "containers": [{"name": "container1", "image": "x"}],
                        }
                    },
                }
            }
        },
    }

    assert ["GJ619", "GJ631", "GJ648"] == [finding.code for finding in check_job(job)]


def test_a_misspelled_role_is_reported_alone(job: JsonObject) -> None:
    spec = job["spec"]
    assert isinstance(spec, dict)
    roles = spec["pytorchReplicaSpecs"]
    assert isinstance(roles, dict)
    roles["Mastre"] = roles.pop("Master")

    assert ["GJ615"] == [finding.code for finding in check_job(job)]


def test_a_job_of_another_operator_is_held_to_the_rules_of_metadata_alone(job: JsonObject) -> None:
    spec: JsonObject = {"pytorchReplicaSpecs": {"Boss": None}}
    other: JsonObject = {**job, "apiVersion": "training.kubedl.io/v1alpha1", "spec": spec}

    assert [] == check_object(other)
    assert ["GJ615"] == [each.code for each in check_object({**job, "spec": spec})][:1]
