"""The JSON Schemas of our own files say what the models say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from genjob.authoring import editor
from genjob.authoring.scaffold import workspace_files
from genjob.document import read_document, read_document_file, value_of
from genjob.model.base import Model
from genjob.model.experiment import NOT_IN_LAYERS, Experiment, Pod
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import Json, JsonObject
    from tests.conftest import RunsCommand

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


SCHEMAS = {kind: editor.schema(kind) for kind in editor.KINDS}
VALIDATORS = {kind: Draft202012Validator(schema) for kind, schema in SCHEMAS.items()}


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
    definitions = SCHEMAS["experiment"]["$defs"]
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
    schema = SCHEMAS[kind]
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
    schema = SCHEMAS[kind]
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)

    assert {*editor.references(schema)} == {*definitions}


@pytest.mark.parametrize("kind", editor.KINDS)
def test_a_field_whose_form_is_not_evident_has_an_example(kind: str) -> None:
    schema = SCHEMAS[kind]
    bare = [path for path, field in fields(schema, schema, kind) if needs_example(path, field)]

    assert [] == bare


def needs_example(path: str, field: JsonObject) -> bool:
    """Tell whether a field is a mapping, a list or a text of many forms, and shows none.

    Those of NCCL say it in words, and a definition is no field.
    """
    is_structure = field.get("type") in ("object", "array") or isinstance(field.get("type"), list)
    is_field = "$defs.Nccl" not in path and ".Nccl." not in path and "properties" not in field
    return is_field and is_structure and "examples" not in field


def examples() -> Iterator[tuple[str, type[Model], str, Json]]:
    """Yield every example of a model's field."""
    for model in models_below(Model):
        for name, field in model.model_fields.items():
            for example in field.examples or ():
                yield f"{model.__name__}.{name}", model, name, example


def models_below(model: type[Model]) -> Iterator[type[Model]]:
    for each in model.__subclasses__():
        yield each
        yield from models_below(each)


EXAMPLES = [*examples()]


@pytest.mark.parametrize(
    ("model", "name", "example"),
    [each[1:] for each in EXAMPLES],
    ids=[f"{each[0]}-{number}" for number, each in enumerate(EXAMPLES)],
)
def test_an_example_is_what_its_field_takes(model: type[Model], name: str, example: Json) -> None:
    """As it would be typed: written to YAML and read back."""
    document, found = read_document(to_yaml({name: example}).encode(), "example.yaml")
    assert document is not None
    field = model.model_fields[name]

    assert [] == [*found]
    adapter: TypeAdapter[object] = TypeAdapter(Annotated[field.annotation, field])  # type: ignore[arg-type] # a type
    adapter.validate_python(document.data[name])
    assert example in (definitions_of(model)[name]["examples"] or ())  # type: ignore[operator] # a list
    assert [] == [*Draft202012Validator(as_root(model, name)).iter_errors(example)]


DEFINITIONS: JsonObject = {
    name: body
    for kind in editor.KINDS
    for name, body in SCHEMAS[kind]["$defs"].items()  # type: ignore[union-attr] # a mapping
}
NAMED = {model.__name__: SCHEMAS[kind] for kind, model in editor.KINDS.items()}


def definitions_of(model: type[Model]) -> dict[str, JsonObject]:
    """Return the fields of a model, as the schemas of the files have them."""
    everything = {**DEFINITIONS, **NAMED}
    held = everything.get(model.__name__) or everything[f"Partial{model.__name__}"]
    return held["properties"]  # type: ignore[index, call-overload, return-value] # a mapping


def as_root(model: type[Model], name: str) -> JsonObject:
    """Return the schema of one field, with the definitions that it may refer to."""
    return {**definitions_of(model)[name], "$defs": DEFINITIONS}


@pytest.mark.parametrize("folder", [".", "ml/deep"])
def test_every_file_of_init_and_new_names_its_schema(
    folder: str, tmp_path: Path, run_cli: RunsCommand
) -> None:
    settings = tmp_path / "genjob.yaml"
    settings.write_text(f"paths: {{experiments: {folder}/runs}}\n".replace("./", ""), "utf-8")
    run_cli("init", tmp_path)
    run_cli("new", "mine", "--env", "dev", "-C", tmp_path)
    named = {}
    for path in sorted({*tmp_path.rglob("*.yaml")} - {settings}):
        line = path.read_text(encoding="utf-8").split("\n")[0]
        reference = line.removeprefix("# yaml-language-server: $schema=")
        named[path.relative_to(tmp_path).as_posix()] = (path.parent / reference).resolve()
        ran = check_jsonschema(path.parent / reference, path)

        assert (0, "ok -- validation done\n") == (ran.returncode, ran.stdout), path
    runs = f"{folder}/runs".removeprefix("./")
    schemas = tmp_path.resolve() / "schemas"

    assert named == {
        "environments/dev.yaml": schemas / "environment.schema.json",
        "environments/prod.yaml": schemas / "environment.schema.json",
        f"{runs}/hello/experiment.yaml": schemas / "experiment.schema.json",
        f"{runs}/mine/experiment.yaml": schemas / "experiment.schema.json",
    }


BAD: dict[str, tuple[tuple[JsonObject, str], ...]] = {
    "experiment": (
        (EXPERIMENT | {"resources": {"gpu_per_node": 8}}, "'gpu_per_node' was unexpected"),
        (EXPERIMENT | {"launcher": "mpirun"}, "'mpirun' is not one of"),
        (EXPERIMENT | {"nccl": {"ib_hac": "mlx5_0"}}, "'ib_hac' was unexpected"),
        (EXPERIMENT | {"nodes": "four"}, "'four' is not of type 'integer'"),
        ({"version": "genjob/v1", "name": "x"}, "'image' is a required property"),
    ),
    "environment": (
        (ENVIRONMENT | {"name": "Prod"}, "does not match"),
        (ENVIRONMENT | {"node_pools": [{"name": "a", "fabric": "infinband"}]}, "is not one of"),
        (ENVIRONMENT | {"defaults": {"nodse": 2}}, "'nodse' was unexpected"),
    ),
    "workspace": (({"gitops": {"engine": "argo"}}, "'argo' is not one of"),),
}


@pytest.mark.parametrize("kind", BAD)
def test_check_jsonschema_says_what_is_wrong(kind: str, tmp_path: Path) -> None:
    for data, message in BAD[kind]:
        file = tmp_path / f"{kind}.yaml"
        file.write_text(to_yaml(data), encoding="utf-8")
        ran = check_jsonschema(ROOT / f"schemas/{kind}.schema.json", file)

        assert (1, True) == (ran.returncode, message in ran.stdout), ran.stdout
