"""Our models and two packages → schemas/: JSON Schemas of what people write and what we render.

What we render comes from kubeflow-training (the operator's API) and kubernetes-validate.

Usage: python tools/make_schemas.py [--check]

With `--check` nothing is written; files that differ are named and the exit code is 1.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kubeflow.training import models
from kubeflow.training.configuration import Configuration

from genjob.authoring import editor
from genjob.crd.strict import identified, schema_text
from genjob.crd.violations import QUANTITY
from genjob.report import json_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROOT = Path(__file__).parent.parent / "schemas"

KUBERNETES = ("1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
"""The versions that an environment can name: from the oldest that runs training-operator 1.9 to the
newest that kubernetes-validate has."""

OPERATORS = {"1.9": "1.31"}
"""Each training-operator version → the Kubernetes version whose API its CRDs were generated from.

Source: kubeflow/training-operator release-1.9 go.mod, k8s.io/api v0.31.
"""

CORE = "io.k8s.api.core.v1."
OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
KINDS = {
    "configmap": CORE + "ConfigMap",
    "persistentvolumeclaim": CORE + "PersistentVolumeClaim",
    "podtemplate": CORE + "PodTemplateSpec",
}
"""The file of each Kubernetes version → the definition that it holds."""

Schema: TypeAlias = dict[str, Any]

# What the generated SDK does not say as the CRD does; each line is a fact of the Go types.
# Source: kubeflow/training-operator release-1.9 pkg/apis/kubeflow.org/v1/{common,pytorch}_types.go
NOT_REQUIRED = {("KubeflowOrgV1PyTorchJobSpec", "run_policy")}  # kubebuilder:validation:Optional
INT64 = {("KubeflowOrgV1RunPolicy", "active_deadline_seconds")}  # *int64; all others are int32

KUBERNETES_TYPES = {
    "Quantity": "io.k8s.apimachinery.pkg.api.resource.Quantity",
    "K8sIoApiAutoscalingV2MetricSpec": "io.k8s.api.autoscaling.v2.MetricSpec",
    "V1LabelSelector": "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
    "V1PodTemplateSpec": CORE + "PodTemplateSpec",
}
"""The names that the SDK has for types of Kubernetes."""

SCALARS: dict[str, Schema] = {
    "bool": {"type": "boolean"},
    "datetime": {"type": "string", "format": "date-time"},
    "str": {"type": "string"},
    "V1ObjectMeta": {},  # `identified` has it
}

OWN_SHAPES: dict[str, Schema] = {
    "Quantity": {"type": ["integer", "string"], "pattern": QUANTITY},
    "IntOrString": {"type": ["integer", "string"]},
    "Time": {"type": ["string", "null"], "format": "date-time"},
}
"""Definitions that kubernetes-validate has more loosely than the API server."""

EMBEDDED_OBJECT_META: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
        "finalizers": {"type": "array", "items": {"type": "string"}},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "name": {"type": "string"},
        "namespace": {"type": "string"},
    },
}
"""What is left of ObjectMeta inside a custom resource; the API server drops the rest.

Source: sigs.k8s.io/controller-tools v0.16.5 pkg/crd/known_types.go, KnownPackages, ObjectMeta.
"""


def main(arguments: list[str]) -> int:
    """Write the schemas, or with `--check` compare; return the exit code."""
    planned = {f"kubernetes/{v}/{name}": text for v in KUBERNETES for name, text in core_files(v)}
    planned |= {f"kubeflow.org/pytorchjob-{v}.json": pytorchjob(v) for v in OPERATORS}
    planned |= editor.schemas()
    planned["findings.schema.json"] = editor.written(json_report.SCHEMA) + "\n"
    if "--check" in arguments:
        return check(planned)
    for name, text in planned.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(planned)} schemas, {sum(map(len, planned.values()))} bytes")
    return 0


def check(planned: Mapping[str, str]) -> int:
    """Name the files that are not as planned, and those in `kubernetes/` that nobody planned."""
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("kubernetes/*/*")}
    wrong = sorted(files - planned.keys())
    wrong += [name for name, text in planned.items() if read(name) != text]
    for name in wrong:
        print(f"schemas/{name} is not what tools/make_schemas.py makes", file=sys.stderr)
    return 1 if wrong else 0


def read(name: str) -> str | None:
    """Return the text of a schema, None when there is no such file."""
    path = ROOT / name
    return path.read_bytes().decode() if path.is_file() else None


def core_files(version: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of the schema files of one Kubernetes version."""
    definitions = kubernetes_definitions(version)
    for name, root in KINDS.items():
        schema, shared = complete(kubernetes_schema(definitions[root]), definitions)
        yield f"{name}.json", file_text(schema, shared, kubernetes_source(version))


def pytorchjob(operator: str) -> str:
    """Return the schema file of PyTorchJob for one version of the operator."""
    version = OPERATORS[operator]
    definitions = kubernetes_definitions(version) | {OBJECT_META: EMBEDDED_OBJECT_META}
    schema, shared = complete(sdk_schema("KubeflowOrgV1PyTorchJob"), definitions)
    source = f"kubeflow-training {metadata.version('kubeflow-training')}"
    schema = identified(schema, "kubeflow.org/v1", "PyTorchJob")
    return file_text(schema, shared, f"{source}, {kubernetes_source(version)}")


def kubernetes_source(version: str) -> str:
    """Return where the definitions of a Kubernetes version come from."""
    package = f"kubernetes-validate {metadata.version('kubernetes-validate')}"
    return f"{package} (Kubernetes {version}.0)"


def file_text(schema: Schema, shared: Schema, source: str) -> str:
    """Return the text of a file that names its source."""
    comment = f"made by tools/make_schemas.py from {source}"
    return schema_text(schema | {"$comment": comment, "$defs": shared})


def kubernetes_definitions(version: str) -> dict[str, Schema]:
    """Return the definitions of one Kubernetes version by their full names."""
    folder = resources.files("kubernetes_validate") / "kubernetes-json-schema"
    file = folder / f"v{version}.0-local-strict" / "_definitions.json"
    held: dict[str, Schema] = json.loads(file.read_text(encoding="utf-8"))["$defs"]
    return held


def complete(schema: Schema, definitions: Mapping[str, Schema]) -> tuple[Schema, Schema]:
    """Return the schema and, by short name, all definitions that it needs.

    Raises:
        ValueError: two definitions have one short name.
    """
    shared: Schema = {}
    sources: dict[str, str] = {}
    waiting = references(schema)
    while waiting:
        name = waiting.pop()
        short = short_name(name)
        if sources.setdefault(short, name) != name:
            raise ValueError(f"two definitions are called {short!r}: {sources[short]} and {name}")
        if short not in shared:
            shared[short] = OWN_SHAPES.get(short) or definition(name, definitions)
            waiting += references(shared[short])
    return shorten(schema), {name: shorten(each) for name, each in shared.items()}


def definition(name: str, definitions: Mapping[str, Schema]) -> Schema:
    """Return a type of the SDK or of Kubernetes as a strict schema."""
    if name in definitions:
        return kubernetes_schema(definitions[name])
    return sdk_schema(name)


def references(schema: Schema) -> list[str]:
    """Return the full names of the definitions that a schema refers to."""
    return re.findall(r'"\$ref": "(?:#/\$defs/)?([^"]+)"', json.dumps(schema))


def shorten(schema: Schema) -> Schema:
    """Return a schema whose references are to short names."""
    made: Schema = json.loads(json.dumps(schema), object_hook=short_reference)
    return made


def short_reference(schema: Schema) -> Schema:
    """Return a schema that is a reference with the short name, and any other as it is."""
    name = schema.get("$ref")
    return {"$ref": f"#/$defs/{short_name(name)}"} if isinstance(name, str) else schema


def short_name(name: str) -> str:
    """Return the last word of a definition's name."""
    return re.split(r"[./]", name)[-1].removeprefix("KubeflowOrgV1")


def kubernetes_schema(schema: Schema) -> Schema:
    """Return a definition of kubernetes-validate without descriptions, extensions and nulls.

    That package allows null wherever a field is optional, because Go reads it as an absent one;
    the API server refuses it in a custom resource, and we have no use for it.
    """
    made = {key: each for key, each in schema.items() if key in KEPT}
    for keyword, convert in PARTS.items():
        if isinstance(part := made.get(keyword), dict | list):
            made[keyword] = convert(part)
    return made


def without_null(types: list[str]) -> str:
    """Return the one type that is not null."""
    (name,) = [each for each in types if each != "null"]
    return name


PARTS: dict[str, Callable[[Any], Any]] = {
    "additionalProperties": kubernetes_schema,
    "items": kubernetes_schema,
    "properties": lambda held: {name: kubernetes_schema(each) for name, each in held.items()},
    "type": without_null,
}
KEPT = frozenset({*PARTS, "$ref", "enum", "format", "required"})


def sdk_schema(name: str) -> Schema:
    """Return a type of the operator's SDK as a strict schema."""
    model = getattr(models, name)
    keys: dict[str, str] = model.attribute_map
    types: dict[str, str] = model.openapi_types
    made: Schema = {"type": "object", "additionalProperties": False}
    made["properties"] = {keys[own]: sdk_type(kind, (name, own)) for own, kind in types.items()}
    if required := sorted(keys[own] for own in types if is_required(model, own)):
        made["required"] = required
    return made


def sdk_type(kind: str, field: tuple[str, str]) -> Schema:
    """Return a type as the SDK writes it, such as `dict(str, Quantity)`, as a schema."""
    if match := re.fullmatch(r"list\[(.+)\]", kind):
        return {"type": "array", "items": sdk_type(match[1], field)}
    if match := re.fullmatch(r"dict\(str, (.+)\)", kind):
        return {"type": "object", "additionalProperties": sdk_type(match[1], field)}
    if kind == "int":
        return {"type": "integer", "format": "int64" if field in INT64 else "int32"}
    if kind in SCALARS:
        return SCALARS[kind]
    return {"$ref": KUBERNETES_TYPES.get(kind, kind)}


def is_required(model: type, field: str) -> bool:
    """Tell whether a setter of the SDK refuses None: the only place where it says so."""
    if (model.__name__, field) in NOT_REQUIRED:
        return False
    bare: object = object.__new__(model)
    vars(bare)["local_vars_configuration"] = Configuration()
    try:
        setattr(bare, field, None)
    except ValueError:
        return True
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
