"""A CRD → a strict JSON Schema, one that refuses what the API server would drop without a word."""

from __future__ import annotations

import json
import re
import warnings
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

from genjob.wording import found, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import Json, JsonObject

Schema: TypeAlias = dict[str, Any]

_TEXT: JsonObject = {"type": "string"}
_TEXTS: JsonObject = {"type": "object", "additionalProperties": _TEXT}
_TIME: JsonObject = {"type": ["string", "null"], "format": "date-time"}
_INT64: JsonObject = {"type": "integer", "format": "int64"}

OBJECT_META: JsonObject = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "annotations": _TEXTS,
        "creationTimestamp": _TIME,
        "deletionGracePeriodSeconds": _INT64,
        "deletionTimestamp": _TIME,
        "finalizers": {"type": "array", "items": _TEXT},
        "generateName": _TEXT,
        "generation": _INT64,
        "labels": _TEXTS,
        "managedFields": {"type": "array"},
        "name": _TEXT,
        "namespace": _TEXT,
        "ownerReferences": {"type": "array"},
        "resourceVersion": _TEXT,
        "selfLink": _TEXT,
        "uid": _TEXT,
    },
}
"""The metadata of every object; CRDs leave it to the API server, which drops unknown keys here too.

Source: k8s.io/apimachinery v0.31 pkg/apis/meta/v1/types.go, type ObjectMeta.
"""

_ANNOTATIONS = frozenset({"default", "description", "example", "externalDocs", "title"})
_STRUCTURE = frozenset({"additionalProperties", "items", "nullable", "properties"})
_OPEN = ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")


def strict(crd_schema: JsonObject) -> JsonObject:
    """Return the `openAPIV3Schema` of a CRD version as a JSON Schema that refuses unknown fields.

    `metadata` stays open: a CRD may say nothing of it (see `schema_from_crd`).
    Source: kubernetes.io/docs (v1.31), "Extend the Kubernetes API with CustomResourceDefinitions",
    sections "Specifying a structural schema" and "Field pruning".
    """
    made = _strict(crd_schema)
    if "metadata" in made.get("properties", {}):
        made["properties"]["metadata"].pop("additionalProperties", None)
    return made


def _strict(schema: Schema) -> Schema:
    made = _value_checks(schema)
    if "properties" in schema:
        made["properties"] = {name: _strict(each) for name, each in schema["properties"].items()}
    for keyword in ("items", "additionalProperties"):
        if keyword in schema:
            value = schema[keyword]
            made[keyword] = _strict(value) if isinstance(value, dict) else value
    if _is_pruned(schema):
        made["additionalProperties"] = False
    return made


def _is_pruned(schema: Schema) -> bool:
    """Tell whether the API server drops the keys of this object that the schema does not name."""
    is_open = "additionalProperties" in schema or any(schema.get(flag) for flag in _OPEN)
    return schema.get("type") == "object" and not is_open


def _value_checks(schema: Schema) -> Schema:
    dropped = _ANNOTATIONS | _STRUCTURE
    made = {k: v for k, v in schema.items() if k not in dropped and not k.startswith("x-")}
    if schema.get("x-kubernetes-int-or-string"):
        made.pop("anyOf", None)
        made["type"] = ["integer", "string"]
    if "pattern" in made and not _means_the_same_here(made["pattern"]):
        del made["pattern"]
    _number_bounds(made)
    return _nullable(made) if schema.get("nullable") else made


def _means_the_same_here(pattern: str) -> bool:
    """Tell whether Python reads a pattern of Go; one that it does not is left to the API server."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)  # `[[:alpha:]]` is no class for Python
        try:
            re.compile(pattern)
        except (re.error, FutureWarning):
            return False
    return True


def _number_bounds(made: Schema) -> None:
    """Turn OpenAPI 3.0's `exclusiveMinimum: true` beside a minimum into JSON Schema's number."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and bound in made:
            made[exclusive] = made.pop(bound)


def _nullable(made: Schema) -> Schema:
    types = made.get("type", [])
    if types:
        made["type"] = [*([types] if isinstance(types, str) else types), "null"]
    if "enum" in made:
        made["enum"] = [*made["enum"], None]
    return made


def schema_from_crd(crd: JsonObject, version: str = "v1") -> JsonObject:
    """Return the strict schema of one version of a CRD, with the API version, kind and metadata.

    Raises:
        ValueError: `crd` is not a CRD, or has no such version, or that version has no schema.
    """
    if crd.get("kind") != "CustomResourceDefinition":
        raise ValueError(f"found kind {found(crd.get('kind'))}, expected CustomResourceDefinition")
    group, kind, versions = _parts(crd)
    if version not in versions:
        known = one_of(versions)
        raise ValueError(f"the CRD has no version {quoted(version)}; its versions are {known}")
    schema = (versions[version].get("schema") or {}).get("openAPIV3Schema")
    if not schema:
        raise ValueError(f"version {quoted(version)} of the CRD has no openAPIV3Schema")
    try:
        return identified(strict(schema), f"{group}/{version}", kind)
    except (AttributeError, TypeError) as problem:
        raise ValueError(f"the schema of the CRD of {quoted(kind)} is broken") from problem


def _parts(crd: JsonObject) -> tuple[str, str, dict[str, Schema]]:
    """Return the group, the kind and the versions of a CRD, the one that is stored first."""
    spec: Any = crd.get("spec")
    try:
        versions = sorted(spec["versions"], key=lambda each: not each.get("storage"))
        by_name = {str(each["name"]): each for each in versions}
        group, kind = str(spec["group"]), str(spec["names"]["kind"])
    except (AttributeError, KeyError, TypeError) as problem:
        raise ValueError("the CRD names no group, kind or versions") from problem
    if not is_group(group) or not kind.isalnum() or not by_name:
        names = f"group {quoted(group)}, kind {quoted(kind)}, {len(by_name)} versions"
        raise ValueError(f"the CRD has no usable names: {names}")
    return group, kind, by_name


def identified(schema: JsonObject, api_version: str, kind: str) -> JsonObject:
    """Return `schema` for one kind only, with the metadata that every object has."""
    properties: Any = schema.get("properties", {})
    own = {
        "apiVersion": {"type": "string", "enum": [api_version]},
        "kind": {"type": "string", "enum": [kind]},
        "metadata": OBJECT_META,
    }
    return schema | {"properties": properties | own}


def vendor(crd_text: str, label: str) -> list[tuple[str, str]]:
    """Return file name and text of the strict schema of each CRD in a YAML or JSON text.

    A name is relative to the `schemas/` folder, `<group>/<kind>-<label>.json`; the text may hold
    several documents and Lists, and what is not a CRD in it is passed over. A CRD of several
    versions gives the one that the API server stores.

    Raises:
        ValueError: the text cannot be read, or has no CRD, or the CRD or the label is unusable.
    """
    if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z.]*", label):
        raise ValueError(f"found label {quoted(label)}, expected a version such as '1.9'")
    made = [_vendored(crd, label) for crd in _crds(crd_text)]
    if not made:
        raise ValueError("found no CustomResourceDefinition, expected one or more")
    return made


def _crds(text: str) -> Iterator[JsonObject]:
    try:
        documents = list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except (yaml.YAMLError, ValueError) as problem:
        raise ValueError(f"the text is not YAML: {' '.join(str(problem).split())}") from problem
    for document in documents:
        held = document.get("items") if isinstance(document, dict) else None
        for each in held if isinstance(held, list) else [document]:
            if isinstance(each, dict) and each.get("kind") == "CustomResourceDefinition":
                yield each


def _vendored(crd: JsonObject, label: str) -> tuple[str, str]:
    group, kind, (version, *_) = _parts(crd)
    source = f"the CRD of {kind}, {group}/{version}, called {label}"
    schema = schema_from_crd(crd, version) | {"$comment": f"made strict from {source}"}
    return f"{group}/{kind.lower()}-{label}.json", schema_text(schema)


def is_group(text: str) -> bool:
    """Tell whether `text` is the name of an API group, and so safe as the name of a folder."""
    return re.fullmatch(r"[a-z0-9]([-.]?[a-z0-9])*", text) is not None


def schema_text(schema: JsonObject) -> str:
    """Return the text of a schema file: sorted, one line for each definition."""
    shared: Any = schema.get("$defs", {})
    own = {key: value for key, value in schema.items() if key != "$defs"}
    members = [f"{json.dumps(key)}:{_compact(value)}" for key, value in sorted(own.items())]
    if shared:
        lines = [f"{json.dumps(name)}:{_compact(each)}" for name, each in sorted(shared.items())]
        members.append('"$defs":{\n' + ",\n".join(lines) + "\n}")
    return "{" + ",\n".join(members) + "}\n"


def _compact(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
