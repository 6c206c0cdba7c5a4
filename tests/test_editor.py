"""The JSON Schemas of our own files say what the models say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from genjob.authoring import editor
from genjob.authoring.scaffold import workspace_files
from genjob.document import read_document_file, value_of
from genjob.model.experiment import NOT_IN_LAYERS, Experiment, Pod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import Json, JsonObject

ROOT = Path(__file__).parent.parent
PLACES = {
    "experiment": "experiments/*/experiment.yaml",
    "environment": "environments/*.yaml",
    "workspace": "genjob.yaml",
}
WORKSPACES = [ROOT, *sorted((ROOT / "tests/cases").iterdir())]
FILES = [
    (kind, path)
    for workspace in WORKSPACES
    for kind, pattern in PLACES.items()
    for path in sorted(workspace.glob(pattern))
]
EXPERIMENT: JsonObject = {
    "version": "genjob/v1",
    "name": "gpu",
    "image": "pytorch:2.6",
    "module": "train",
}
ENVIRONMENT: JsonObject = {"version": "genjob/v1", "name": "dev", "namespace": "ml-dev"}


VALIDATORS = {kind: Draft202012Validator(editor.schema(kind)) for kind in editor.KINDS}


def problems(kind: str, data: Json) -> list[str]:
    """Return what the schema of a kind of file finds in some data, by path."""
    return sorted(error.json_path for error in VALIDATORS[kind].iter_errors(data))


def check_jsonschema(schema: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    """Run the program that editors' and CI's users run."""
    argv = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema)]
    return subprocess.run(
        [*argv, *map(str, files)], capture_output=True, text=True, check=False, encoding="utf-8"
    )


@pytest.mark.parametrize("name", editor.schemas())
def test_a_committed_schema_is_the_one_that_the_models_make(name: str) -> None:
    text = (ROOT / "schemas" / name).read_bytes().decode()

    assert editor.schemas()[name] == text, "run `make schemas`"


@pytest.mark.parametrize("kind", editor.KINDS)
def test_a_schema_is_one_of_draft_2020_12(kind: str) -> None:
    Draft202012Validator.check_schema(editor.schema(kind))

    assert editor.schema(kind)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_schemas_accept_every_file_that_our_tests_and_workspace_render() -> None:
    refused = {}
    for kind, path in FILES:
        document = read_document_file(path, path.name).document
        assert document is not None
        if found := problems(kind, value_of(document.data)):
            refused[path.relative_to(ROOT).as_posix()] = found

    assert {} == refused
    assert len(FILES) > len(PLACES)


def test_check_jsonschema_accepts_the_files_of_a_new_workspace(tmp_path: Path) -> None:
    for name, text in workspace_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    found = {
        kind: check_jsonschema(
            tmp_path / f"schemas/{kind}.schema.json", *sorted(tmp_path.glob(pattern))
        ).returncode
        for kind, pattern in PLACES.items()
    }

    assert {"experiment": 0, "environment": 0, "workspace": 0} == found


def test_check_jsonschema_rejects_a_misspelled_key(tmp_path: Path) -> None:
    file = tmp_path / "experiment.yaml"
    file.write_text(json.dumps(EXPERIMENT | {"resources": {"gpu_per_node": 8}}), encoding="utf-8")
    ran = check_jsonschema(ROOT / "schemas/experiment.schema.json", file)

    assert ran.returncode == 1
    assert "'gpu_per_node' was unexpected" in ran.stdout


@pytest.mark.parametrize(
    ("kind", "data", "path"),
    [
        ("experiment", EXPERIMENT | {"nodse": 2}, "$"),
        ("experiment", EXPERIMENT | {"nodes": "four"}, "$.nodes"),
        ("experiment", EXPERIMENT | {"nodes": 0}, "$.nodes"),
        (
            "experiment",
            EXPERIMENT | {"resources": {"gpus_per_node": None}},
            "$.resources.gpus_per_node",
        ),
        ("experiment", EXPERIMENT | {"resources": {"accelerator": []}}, "$.resources.accelerator"),
        ("experiment", EXPERIMENT | {"name": "7b"}, "$.name"),
        ("experiment", EXPERIMENT | {"master": {"nodes": 2}}, "$.master"),
        ("experiment", EXPERIMENT | {"environments": {"dev": {"name": "x"}}}, "$.environments.dev"),
        (
            "experiment",
            EXPERIMENT | {"environments": {"dev": {"master": {"scheduling": {"spraed": 1}}}}},
            "$.environments.dev.master.scheduling",
        ),
        ("experiment", EXPERIMENT | {"storage": [{"name": "data"}]}, "$.storage[0]"),
        ("experiment", EXPERIMENT | {"environments": {"dev": None}}, "$.environments.dev"),
        ("environment", ENVIRONMENT | {"defaults": {"environments": {}}}, "$.defaults"),
        ("environment", ENVIRONMENT | {"defaults": {"nccl": {"ib_hac": "x"}}}, "$.defaults.nccl"),
        ("environment", ENVIRONMENT | {"node_pools": [{"nodes": 2}]}, "$.node_pools[0]"),
        ("workspace", {"paths": {"base": "x"}}, "$.paths"),
    ],
)
def test_a_schema_rejects_what_the_model_rejects(kind: str, data: Json, path: str) -> None:
    assert [path] == problems(kind, data)


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"storage": [{"name": "data", "read_only": True}]},
        {"elastic": {"max_nodes": 8}},
        {"master": {"storage": [{"name": "data", "nfs": {"path": "/b"}}]}},
        {"args": [1e-4, True, "010"], "config": {"V": 1.10, "ID": 10}},
        {"resources": {"accelerator": "h100", "cpu": 96, "extended": {"rdma/ib": 8}}},
        {"resources": {"accelerator": ["v100", "a100"]}},
        {"nccl": {"ib_hca": "^lo", "socket_ifname": ["eth0"], "buffsize": "8Mi"}},
        {"pod_overrides": {"hostAliases": [{"ip": "10.0.0.1"}]}},
        {"scheduling": {"tolerations": [{"operator": "Exists"}], "topology": {"required": "rack"}}},
    ],
)
def test_an_override_and_a_default_may_be_any_part_of_an_experiment(part: JsonObject) -> None:
    override = EXPERIMENT | {"environments": {"prod": part}}

    assert [] == problems("experiment", override)
    assert [] == problems("environment", ENVIRONMENT | {"defaults": part})


def test_a_partial_experiment_has_the_fields_of_an_experiment_that_layers_may_set() -> None:
    definitions = editor.schema("experiment")["$defs"]
    assert isinstance(definitions, dict)
    partial, pod = definitions["PartialExperiment"], definitions["PartialPod"]
    assert isinstance(partial, dict)
    assert isinstance(pod, dict)

    assert [n for n in Experiment.model_fields if n not in NOT_IN_LAYERS] == [
        *partial["properties"]
    ]  # type: ignore[misc] # a mapping
    assert [*Pod.model_fields] == [*pod["properties"]]  # type: ignore[misc] # a mapping


@pytest.mark.parametrize("kind", editor.KINDS)
def test_every_field_of_a_file_is_described(kind: str) -> None:
    schema = editor.schema(kind)
    bare = [path for path, field in fields(schema, schema, kind) if not said(schema, field)]

    assert [] == bare


def fields(schema: JsonObject, part: Json, path: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield every property of a schema and of its definitions, with a path to name it by."""
    if not isinstance(part, dict):
        return
    for group in ("properties", "$defs"):
        held = part.get(group)
        for name, field in held.items() if isinstance(held, dict) else ():
            assert isinstance(field, dict)
            yield f"{path}.{name}", field
            yield from fields(schema, field, f"{path}.{name}")


def said(schema: JsonObject, field: JsonObject) -> str:
    """Return the description of a field, or of the section that it is."""
    name = str(field.get("$ref", "")).removeprefix(editor.DEFINITIONS)
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    section = definitions.get(name)
    return str(field.get("description") or (section or {}).get("description", ""))  # type: ignore[union-attr] # a mapping


@pytest.mark.parametrize("kind", editor.KINDS)
def test_a_schema_holds_the_definitions_that_it_uses_and_no_others(kind: str) -> None:
    schema = editor.schema(kind)
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)

    assert {*editor.references(schema)} == {*definitions}
