"""What a PyTorchJob is when it is not one of today's API: one finding, and the job of today."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.foreign.forms import (
    API_VERSION,
    embedded_finding,
    embedded_jobs,
    embedded_texts,
    is_job,
    other_form,
)
from tests.hand_written import job, role

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

TODAY = job(f"{{pytorchReplicaSpecs: {{Master: {role('')}}}}}")
LISTED = job("{replicaSpecs: [{replicaType: MASTER}]}")


def other(body: JsonObject, **fields: Json) -> JsonObject:
    """Return an object with other fields; one that is None is left out."""
    return {key: value for key, value in {**body, **fields}.items() if value is not None}


def test_a_job_of_today_has_no_other_form() -> None:
    assert other_form(TODAY) is None
    assert other_form({"kind": "Secret", "apiVersion": "v1"}) is None


@pytest.mark.parametrize("version", ["v1alpha2", "v1beta1", "v1beta2", "v2", "v1alpha1"])
def test_an_old_version_of_the_same_shape_is_the_job_of_today(version: str) -> None:
    form = other_form(other(TODAY, apiVersion=f"kubeflow.org/{version}"))

    assert form is not None
    assert TODAY == form.body
    assert "GJ802" == form.finding.code
    assert f"the operator does not serve 'kubeflow.org/{version}'" == form.finding.message


def test_the_list_shaped_version_ends_there() -> None:
    form = other_form(other(LISTED, apiVersion="kubeflow.org/v1alpha1"))

    assert form is not None
    assert (None, "GJ802") == (form.body, form.finding.code)
    assert "whose replica specs are a list" in form.finding.message


def test_a_job_of_another_operator_is_left_alone() -> None:
    form = other_form(other(TODAY, apiVersion="training.kubedl.io/v1alpha1"))

    assert form is not None
    assert (None, "GJ803", "warning") == (form.body, form.finding.code, form.finding.severity)


@pytest.mark.parametrize("kind", [None, "PytorchJob", "Job", 1])
def test_another_kind_with_the_fields_of_a_job_is_meant_to_be_one(kind: Json) -> None:
    form = other_form(other(TODAY, kind=kind))

    assert form is not None
    assert (TODAY, "GJ805") == (form.body, form.finding.code)


def test_without_an_api_version_it_is_meant_to_be_that_of_today() -> None:
    form = other_form(other(TODAY, apiVersion=None))

    assert form is not None
    assert (TODAY, "GJ802", "write 'apiVersion: kubeflow.org/v1'") == (
        form.body,
        form.finding.code,
        form.finding.hint,
    )


def test_a_kind_of_another_group_with_such_a_field_is_its_own() -> None:
    assert not is_job(other(TODAY, apiVersion="example.com/v1", kind="Sweep"))


def test_jobs_are_found_inside_other_objects() -> None:
    shell: JsonObject = {
        "kind": "AppWrapper",
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "metadata": {"name": "w"},
        "spec": {"components": [{"template": TODAY}, {"template": {"kind": "Service"}}]},
    }

    assert [(("spec", "components", 0, "template"), TODAY)] == embedded_jobs(shell)
    assert "a PyTorchJob is inside the AppWrapper 'w'" == embedded_finding(shell, ("spec",)).message
    assert [] == embedded_jobs(TODAY)


def test_the_text_of_a_job_is_found_inside_other_objects() -> None:
    text = f"apiVersion: {API_VERSION}\nkind: PyTorchJob\n"
    shell: JsonObject = {"kind": "ConfigMap", "data": {"a": text, "b": "# kind: PyTorchJob"}}

    assert [("data", "a")] == embedded_texts(shell)
