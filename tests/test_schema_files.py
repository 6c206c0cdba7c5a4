"""The schema files are what the packages say, and agree with the operator's own CRD."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from genjob.crd.library import kubernetes_versions, schemas_root
from genjob.crd.strict import OBJECT_META, schema_from_crd, strict
from genjob.crd.violations import compiled
from tests.whole_job import ABSENT, CONTAINER, POD, changed, places, whole_job

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from tests.whole_job import Absent

ROOT = Path(__file__).parent.parent
ORACLE = ROOT.parent / "shared/crds/kubeflow.org_pytorchjobs.training-operator-1.9.yaml"
PYTORCHJOB = "kubeflow.org/pytorchjob-1.9.json"
KUBERNETES = [f"kubernetes/{version}" for version in kubernetes_versions()]
KINDS = ("configmap", "persistentvolumeclaim", "podtemplate")
FILES = [PYTORCHJOB, *(f"{folder}/{kind}.json" for folder in KUBERNETES for kind in KINDS)]

DIFFERENCES = {
    " $comment": "ours names its source",
    "/apiVersion enum": "a CRD version is served under one API version",
    "/kind enum": "and as one kind",
    "/metadata properties": "the API server knows the fields of metadata without the CRD",
    "/metadata additionalProperties": "and drops others",
}
"""Where our PyTorchJob schema is not the operator's CRD made strict, and why."""

MUTANTS: list[tuple[DocPath, Json | Absent, bool]] = [
    (("metadata", "name"), 8, False),
    (("metadata", "labelz"), {}, False),
    (("metadata", "creationTimestamp"), None, True),
    (("spec", "runPolicy"), ABSENT, True),
    (("spec", "runPolicy"), None, False),
    (("spec", "runPolicy", "retries"), 3, False),
    (("spec", "runPolicy", "backoffLimit"), "3", False),
    (("spec", "runPolicy", "backoffLimit"), 2**31, False),
    (("spec", "runPolicy", "activeDeadlineSeconds"), 2**31, True),
    (("spec", "runPolicy", "activeDeadlineSeconds"), 2**63, False),
    (("spec", "runPolicy", "suspend"), "no", False),
    (("spec", "runPolicy", "cleanPodPolicy"), "Sometimes", True),
    (("spec", "runPolicy", "schedulingPolicy", "minResources", "memory"), "10 GB", False),
    (("spec", "nprocPerNode"), 8, False),
    (("spec", "elasticPolicy", "rdzvConf", 0, "val"), "x", False),
    (("spec", "elasticPolicy", "metrics", 0, "type"), ABSENT, False),
    (("spec", "pytorchReplicaSpecs"), ABSENT, False),
    (("spec", "pytorchReplicaSpecs", "Wrkr"), {}, True),
    (("spec", "pytorchReplicaSpecs", "Worker", "replicas"), "4", False),
    (("spec", "pytorchReplicaSpecs", "Worker", "restartPolicy"), "Nevr", True),
    (("spec", "pytorchReplicaSpecs", "Worker", "template", "metadata", "generateName"), "a", False),
    ((*POD, "containers"), ABSENT, False),
    ((*POD, "containers"), {}, False),
    ((*POD, "nodeSelector", "gpu"), True, False),
    ((*POD, "tolerations", 0, "tolerationSeconds"), 2**31, True),
    ((*CONTAINER, "name"), ABSENT, False),
    ((*CONTAINER, "image"), ABSENT, True),
    ((*CONTAINER, "args", 1), 1e-4, False),
    ((*CONTAINER, "env", 0, "value"), 0.0001, False),
    ((*CONTAINER, "env", 0, "valuee"), "1e-4", False),
    ((*CONTAINER, "resources", "limits", "cpu"), 0.5, False),
    ((*CONTAINER, "resources", "limits", "cpu"), ".5", True),
    ((*CONTAINER, "resources", "limits", "memory"), "1000GiB", False),
    ((*CONTAINER, "resources", "limit"), {}, False),
    ((*CONTAINER, "livenessProbe", "httpGet", "port"), 8080, True),
    ((*CONTAINER, "livenessProbe", "httpGet", "port"), [8080], False),
    ((*CONTAINER, "ports", 0, "containerPort"), "23456", False),
    ((*POD, "volumes", 1, "emptyDir", "sizeLimit"), "64 Gi", False),
    ((*POD, "volumes", 0, "persistentVolumeClaim", "claimName"), ABSENT, False),
]
"""What stands where in the whole job, and whether the API server would keep it all."""


def read_schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((schemas_root() / name).read_text(encoding="utf-8"))
    return schema


def operator_crd() -> dict[str, Any] | None:
    """Return the operator's own CRD where it lies beside the checkout, else None."""
    return yaml.load(ORACLE.read_bytes(), Loader=yaml.CSafeLoader) if ORACLE.is_file() else None


def mutants(job: JsonObject) -> Iterator[tuple[DocPath, Json | Absent]]:
    """Each value left out and of two other types, and each mapping with a key more."""
    for path, value in places(job):
        if isinstance(value, dict):
            yield (*path, "nobodyKnows"), 1
        if path:
            yield from ((path, ABSENT), (path, 0.5))
            yield path, [] if isinstance(value, dict) else {}


def expanded(schema: Json, definitions: JsonObject) -> Json:
    """A schema without references."""
    if isinstance(schema, list):
        return [expanded(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(name := schema.get("$ref"), str):
        return expanded(definitions[name.removeprefix("#/$defs/")], definitions)
    return {key: expanded(each, definitions) for key, each in schema.items()}


def fields(schema: Json, path: str = "") -> Iterator[tuple[str, Json | list[str]]]:
    """Each fact that a schema states, by the field and the keyword."""
    assert isinstance(schema, dict)
    for keyword, value in schema.items():
        if keyword == "properties" and isinstance(value, dict):
            yield f"{path} properties", sorted(value)
            for name, child in value.items():
                yield from fields(child, f"{path}/{name}")
        elif keyword in {"items", "additionalProperties"} and isinstance(value, dict):
            yield from fields(value, f"{path}/{keyword}")
        else:
            yield f"{path} {keyword}", sorted(map(str, value)) if isinstance(value, list) else value


def test_the_files_are_what_the_script_makes() -> None:
    run = subprocess.run(
        [sys.executable, "tools/make_schemas.py", "--check"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_a_json_schema_that_names_its_source_and_stands_alone(name: str) -> None:
    schema = read_schema(name)

    Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)
    referred = set(re.findall(r'"\$ref": "([^"]*)"', text))
    definitions = schema["$defs"]
    assert {f"#/$defs/{each}" for each in definitions} == referred
    stated = {key.rpartition(" ")[2] for key, _ in fields(expanded(schema, definitions))}
    assert not stated & {"default", "description", "oneOf"}
    assert not {each for each in stated if each.startswith("x-")}
    assert "kubernetes-validate 1.37.0" in str(schema["$comment"])


@pytest.mark.parametrize("name", FILES)
def test_each_object_of_a_file_refuses_fields_that_it_does_not_name(name: str) -> None:
    schema = read_schema(name)
    definitions = schema["$defs"]

    for each in [schema, *definitions.values()]:
        if "properties" in each:
            assert each["additionalProperties"] is False


@pytest.mark.parametrize("folder", KUBERNETES)
def test_metadata_is_the_same_in_every_kubernetes_version(folder: str) -> None:
    definitions = read_schema(f"{folder}/configmap.json")["$defs"]
    theirs = dict(fields(expanded(definitions["ObjectMeta"], definitions)))

    expected = {key: theirs[key] for key in theirs if "s/items" not in key}
    expected["/finalizers/items type"] = theirs["/finalizers/items type"]
    assert expected == dict(fields(OBJECT_META))


def test_our_schema_states_what_the_operators_crd_states() -> None:
    """Where the CRD is not there, nothing is compared, and the recorded mutants have to do."""
    if (crd := operator_crd()) is None:
        return
    ours = read_schema(PYTORCHJOB)
    definitions = ours.pop("$defs")
    own = dict(fields(expanded(ours, definitions)))
    theirs = dict(fields(strict(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])))

    keys = {key for key in own.keys() | theirs.keys() if not key.startswith("/metadata/")}
    different = {key for key in keys if own.get(key) != theirs.get(key)}
    shown = {key: (own.get(key), theirs.get(key)) for key in different - DIFFERENCES.keys()}
    assert shown == {}
    assert different == DIFFERENCES.keys()


@pytest.mark.parametrize(("path", "value", "is_kept"), MUTANTS, ids=str)
def test_a_changed_job_is_judged_as_recorded(
    path: DocPath, value: Json | Absent, *, is_kept: bool
) -> None:
    job = changed(whole_job(), path, value)
    schemas = [read_schema(PYTORCHJOB)]
    if (crd := operator_crd()) is not None:
        schemas.append(schema_from_crd(crd))

    for schema in schemas:
        assert is_kept == compiled(schema).is_valid(job)


def test_every_mutant_is_judged_as_the_operators_crd_does() -> None:
    """Where the CRD is not there, nothing is compared."""
    if (crd := operator_crd()) is None:
        return
    ours, theirs = compiled(read_schema(PYTORCHJOB)), compiled(schema_from_crd(crd))
    job = whole_job()
    cases = [(path, value, changed(job, path, value)) for path, value in mutants(job)]

    verdicts = [(path, value, theirs.is_valid(mutant)) for path, value, mutant in cases]
    refused = [verdict for *_, verdict in verdicts].count(False)
    assert len(cases) > refused > len(cases) / 2
    assert verdicts == [(path, value, ours.is_valid(mutant)) for path, value, mutant in cases]
