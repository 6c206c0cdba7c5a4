"""An object meets the schemas of the versions that its environment names."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from genjob.crd.library import SchemaSet, check_objects, kubernetes_versions, operator_versions
from genjob.diagnostics import Finding, Severity, ToolError
from tests.whole_job import ABSENT, CONTAINER, POD, changed, whole_job

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import DocPath, Json, JsonObject
    from tests.whole_job import Absent


def problems(
    body: JsonObject, kubernetes: str = "1.31", schemas: SchemaSet | None = None
) -> list[Finding]:
    found = check_objects([body], operator="1.9", kubernetes=kubernetes, schemas=schemas)
    return [finding for _, finding in found]


def test_the_whole_job_is_accepted() -> None:
    assert check_objects([whole_job()], operator="1.9", kubernetes="1.31") == []


def test_findings_carry_the_index_of_their_object() -> None:
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": {"resource": {}}}
    objects: list[JsonObject] = [whole_job(), cast("JsonObject", claim)]

    ((index, finding),) = check_objects(objects, operator="1.9", kubernetes="1.31")

    assert index == 1
    assert finding.hint == "did you mean 'resources'?"


def test_a_number_in_a_config_map_is_a_finding() -> None:
    config: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"LR": 1e-4}}

    expected = Finding(
        "GJ602",
        ("data", "LR"),
        "found 0.0001 (number), expected a string",
        "put the value in quotes",
    )
    assert [expected] == problems(config)


def test_a_field_that_the_operator_knows_may_be_too_new_for_the_cluster() -> None:
    image = (*POD, "volumes", 1, "image")
    job = changed(whole_job(), image, {"reference": "weights:v1"})

    expected = Finding(
        "GJ601",
        image,
        "unknown field 'image' in spec.pytorchReplicaSpecs.Worker.template.spec.volumes[1]; "
        "Kubernetes 1.30 does not have it",
        "",
        at_key=True,
    )
    too_new = {
        (*CONTAINER, "resources", "claims", 0, "request"),
        (*POD, "resourceClaims", 0, "resourceClaimTemplateName"),
        image,
    }
    found = {each.path: each for each in problems(job, "1.30")}
    assert expected == found[image]
    assert too_new == found.keys()
    assert problems(job, "1.31") == []


def test_a_field_that_the_cluster_knows_may_be_too_new_for_the_operator() -> None:
    job = changed(whole_job(), (*POD, "hostnameOverride"), "rank-0")

    (finding,) = problems(job, "1.35")

    assert (*POD, "hostnameOverride") == finding.path
    assert finding.message.endswith("; the API server would drop it")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*POD, "containers"), ABSENT),
        ((*POD, "containers"), {}),
        ((*CONTAINER, "nme"), "side-car"),
        (POD[:-1], []),
        (POD[:-2], None),
        ((*CONTAINER, "resources", "limits", "memory"), "10 GB"),
        ((*CONTAINER, "env", 0, "value"), None),
    ],
    ids=str,
)
def test_a_mistake_that_both_schemas_see_is_reported_once(
    path: DocPath, value: Json | Absent
) -> None:
    assert len(problems(changed(whole_job(), path, value))) == 1


def test_a_kind_without_a_schema_is_a_warning() -> None:
    queue: JsonObject = {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "LocalQueue"}

    (finding,) = problems(queue)

    assert (finding.code, finding.severity) == ("GJ605", Severity.WARNING)
    assert finding.message == "no schema of kind 'LocalQueue', so its fields are not checked"


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("v1", "../1.30/ConfigMap"),
        ("../kubernetes/1.31/v1", "configmap"),
        ("kubeflow.org/v1", ""),
        ("", "PyTorchJob"),
    ],
)
def test_an_identity_that_is_no_name_has_no_schema(api_version: str, kind: str) -> None:
    (finding,) = problems({"apiVersion": api_version, "kind": kind})

    assert finding.code == "GJ605"


def test_another_api_version_of_a_known_kind_is_an_error() -> None:
    job = changed(whole_job(), ("apiVersion",), "kubeflow.org/v1beta2")

    expected = "found 'kubeflow.org/v1beta2' (string), expected 'kubeflow.org/v1'"
    assert [expected] == [each.message for each in problems(job)]


@pytest.mark.parametrize(
    ("body", "operator", "kubernetes", "message", "hint"),
    [
        (
            {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob"},
            "1.5",
            "1.31",
            "no schemas of training operator '1.5'",
            "known are '1.9'",
        ),
        (
            {"apiVersion": "v1", "kind": "ConfigMap"},
            "1.9",
            "1.3",
            "no schemas of Kubernetes '1.3'",
            "known are '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36' or '1.37'",
        ),
    ],
)
def test_a_version_without_schemas_is_an_error(
    body: JsonObject, operator: str, kubernetes: str, message: str, hint: str
) -> None:
    ((_, finding),) = check_objects([body], operator=operator, kubernetes=kubernetes)

    assert (message, hint) == (finding.message, finding.hint)
    assert finding.severity == Severity.ERROR


def test_a_workspaces_own_schemas_come_before_ours(tmp_path: Path) -> None:
    own = tmp_path / "kubeflow.org/pytorchjob-1.10.json"
    own.parent.mkdir()
    own.write_text('{"properties": {"spec": {"type": "string"}}}', encoding="utf-8")
    schemas = SchemaSet.of(tmp_path)

    assert operator_versions(schemas) == ["1.9", "1.10"]
    ((_, first), *_) = check_objects(
        [whole_job()], operator="1.10", kubernetes="1.31", schemas=schemas
    )
    assert first.message == "found a mapping, expected a string"
    assert problems(whole_job(), schemas=schemas) == []


def test_the_newest_vendored_schema_of_another_group_counts(tmp_path: Path) -> None:
    folder = tmp_path / "kueue.x-k8s.io"
    folder.mkdir()
    (folder / "localqueue-0.9.json").write_text('{"type": "string"}', encoding="utf-8")
    (folder / "localqueue-0.10.json").write_text('{"required": ["spec"]}', encoding="utf-8")
    queue: JsonObject = {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "LocalQueue"}

    (finding,) = problems(queue, schemas=SchemaSet.of(tmp_path))

    assert finding.message == "'spec' is missing at the top level"


def test_a_schema_file_that_is_not_json_is_a_broken_tool(tmp_path: Path) -> None:
    broken = tmp_path / "kubeflow.org/pytorchjob-1.9.json"
    broken.parent.mkdir()
    broken.write_text("{", encoding="utf-8")

    with pytest.raises(ToolError, match=r"cannot read the schema '.*pytorchjob-1\.9\.json': "):
        problems(whole_job(), schemas=SchemaSet.of(tmp_path))


def test_versions_are_in_the_order_of_their_numbers() -> None:
    assert operator_versions() == ["1.9"]
    assert kubernetes_versions()[0] == "1.29"
    assert [f"1.{minor}" for minor in range(29, 38)] == kubernetes_versions()
