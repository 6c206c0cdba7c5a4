"""A CRD becomes a schema that refuses what the API server would drop."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from genjob.crd.strict import OBJECT_META, schema_from_crd, schema_text, strict, vendor
from genjob.crd.violations import validate

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

QUEUE: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "queues.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Queue"},
        "versions": [
            {"name": "v1alpha1", "storage": False, "schema": {"openAPIV3Schema": {}}},
            {
                "name": "v1",
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "metadata": {"type": "object"},
                            "spec": {"type": "object", "properties": {"gpus": {"type": "integer"}}},
                        },
                    }
                },
            },
        ],
    },
}

CLOSED: JsonObject = {"type": "object", "additionalProperties": False}
RULES: list[tuple[str, JsonObject, JsonObject]] = [
    (
        "an object with fields holds no others",
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
    ),
    (
        "an object without fields holds none",
        {"type": "object"},
        CLOSED,
    ),
    (
        "a map stays a map",
        {"type": "object", "additionalProperties": {"type": "object"}},
        {"type": "object", "additionalProperties": CLOSED},
    ),
    (
        "a map of anything stays one",
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": True},
    ),
    (
        "what the API server keeps is kept",
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        {"type": "object"},
    ),
    (
        "an embedded object brings fields of its own",
        {"type": "object", "properties": {}, "x-kubernetes-embedded-resource": True},
        {"type": "object", "properties": {}},
    ),
    (
        "lists are looked into",
        {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"},
        {"type": "array", "items": CLOSED},
    ),
    (
        "int-or-string keeps its pattern",
        {
            "anyOf": [{"type": "integer"}, {"type": "string"}],
            "pattern": "^[0-9]+$",
            "x-kubernetes-int-or-string": True,
        },
        {"type": ["integer", "string"], "pattern": "^[0-9]+$"},
    ),
    (
        "nullable allows null",
        {"type": "string", "enum": ["no"], "nullable": True},
        {"type": ["string", "null"], "enum": ["no", None]},
    ),
    (
        "nullable int-or-string allows three types",
        {"x-kubernetes-int-or-string": True, "nullable": True},
        {"type": ["integer", "string", "null"]},
    ),
    ("nullable of any type is any type", {"nullable": True}, {}),
    (
        "an exclusive bound becomes a number",
        {"minimum": 0, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": False},
        {"exclusiveMinimum": 0, "maximum": 9},
    ),
    (
        "notes for readers and defaults go, a field of such a name stays",
        {
            "title": "T",
            "example": 1,
            "description": "no",
            "default": {},
            "externalDocs": {},
            "properties": {"description": {"type": "string", "description": "text"}},
        },
        {"properties": {"description": {"type": "string"}}},
    ),
    ("a class that Python has not is left out", {"pattern": "^[[:alpha:]]+$"}, {}),
    ("an escape that Python has not is left out", {"pattern": r"^\pL+$"}, {}),
    (
        "alternatives stay as they are",
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ),
]


@pytest.mark.parametrize(("claim", "schema", "expected"), RULES, ids=[rule[0] for rule in RULES])
def test_strict(claim: str, schema: JsonObject, expected: JsonObject) -> None:
    assert expected == strict(schema), claim


def test_the_metadata_of_a_crd_stays_open() -> None:
    schema: JsonObject = {"type": "object", "properties": {"metadata": {"type": "object"}}}

    expected = {"metadata": {"type": "object"}}
    assert expected == strict(schema)["properties"]


def test_strict_does_not_change_what_it_is_given() -> None:
    before = json.dumps(QUEUE)

    schema_from_crd(QUEUE)

    assert before == json.dumps(QUEUE)


def test_the_schema_of_a_crd_is_for_its_kind_and_knows_metadata() -> None:
    properties = schema_from_crd(QUEUE)["properties"]

    assert isinstance(properties, dict)
    assert properties["apiVersion"] == {"type": "string", "enum": ["example.com/v1"]}
    assert properties["kind"] == {"type": "string", "enum": ["Queue"]}
    assert properties["metadata"] == OBJECT_META


@pytest.mark.parametrize(
    ("crd", "version", "message"),
    [
        (
            {"kind": "PyTorchJob"},
            "v1",
            "found kind 'PyTorchJob' (string), expected CustomResourceDefinition",
        ),
        ({}, "v1", "found kind null, expected CustomResourceDefinition"),
        (QUEUE, "v2", "the CRD has no version 'v2'; its versions are 'v1' or 'v1alpha1'"),
        (QUEUE, "v1alpha1", "version 'v1alpha1' of the CRD has no openAPIV3Schema"),
        (
            {"kind": "CustomResourceDefinition"},
            "v1",
            "the CRD names no group, kind or versions",
        ),
    ],
)
def test_what_is_no_crd_is_refused_in_words(crd: JsonObject, version: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        schema_from_crd(crd, version)


def as_json(*objects: Json) -> str:
    return "\n---\n".join(json.dumps(each) for each in objects)


OTHER: JsonObject = {"apiVersion": "v1", "kind": "Namespace"}


@pytest.mark.parametrize(
    "text",
    [
        as_json(QUEUE),
        as_json(OTHER, QUEUE, None),
        as_json({"kind": "List", "items": [OTHER, QUEUE, "no"]}),
        as_json({"kind": "CustomResourceDefinitionList", "items": [QUEUE]}),
    ],
    ids=["alone", "among documents", "in a List", "in a list of its kind"],
)
def test_a_crd_is_vendored_wherever_it_stands(text: str) -> None:
    ((name, vendored),) = vendor(text, "0.9")

    assert name == "example.com/queue-0.9.json"
    assert vendored == vendor(as_json(QUEUE), "0.9")[0][1]


def test_a_vendored_schema_names_its_source_and_works() -> None:
    ((_, text),) = vendor(as_json(QUEUE), "0.9")
    schema = json.loads(text)
    queue: JsonObject = {
        "apiVersion": "example.com/v1",
        "kind": "Queue",
        "metadata": {"name": "nlp", "labelz": {}},
        "spec": {"gpu": 8},
    }

    assert schema["$comment"] == "made strict from the CRD of Queue, example.com/v1, called 0.9"
    hints = [finding.hint for finding in validate(queue, schema)]
    assert hints == ["did you mean 'labels'?", "did you mean 'gpus'?"]


def test_every_crd_of_a_text_is_vendored() -> None:
    assert len(vendor(as_json(QUEUE, QUEUE), "0.9")) == 2


def renamed(**spec: Json) -> JsonObject:
    held = QUEUE["spec"]
    assert isinstance(held, dict)
    return QUEUE | {"spec": held | spec}


@pytest.mark.parametrize(
    ("text", "label", "message"),
    [
        (as_json(OTHER), "1", "found no CustomResourceDefinition, expected one or more"),
        ("", "1", "found no CustomResourceDefinition, expected one or more"),
        (as_json(QUEUE), "../1", "found label '../1', expected a version such as '1.9'"),
        (as_json(QUEUE), "", "found label '', expected a version such as '1.9'"),
        (
            as_json(renamed(group="../../etc")),
            "1",
            "the CRD has no usable names: group '../../etc', kind 'Queue', 2 versions",
        ),
        (
            as_json(renamed(names={"kind": "../queue"})),
            "1",
            "the CRD has no usable names: group 'example.com', kind '../queue', 2 versions",
        ),
        (
            as_json(renamed(versions=[])),
            "1",
            "the CRD has no usable names: group 'example.com', kind 'Queue', 0 versions",
        ),
        (
            as_json(renamed(versions=["v1"])),
            "1",
            "the CRD names no group, kind or versions",
        ),
        (
            as_json(
                renamed(
                    versions=[
                        {"name": "v1", "schema": {"openAPIV3Schema": {"properties": ["spec"]}}}
                    ]
                )
            ),
            "1",
            "the schema of the CRD of 'Queue' is broken",
        ),
        (
            as_json({"kind": "CustomResourceDefinition", "spec": None}),
            "1",
            "the CRD names no group, kind or versions",
        ),
    ],
)
def test_what_cannot_be_vendored_is_refused_in_words(text: str, label: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        vendor(text, label)


def test_a_text_that_is_not_yaml_is_refused_with_the_line() -> None:
    with pytest.raises(ValueError, match=r"^the text is not YAML: .* line 2, column"):
        vendor("a: 1\n b: [", "1.9")


def test_the_text_of_a_schema_has_a_line_for_each_definition() -> None:
    schema: JsonObject = {"type": "object", "$defs": {"B": {"type": "string"}, "A": {}}, "a": 1}

    expected = '{"a":1,\n"type":"object",\n"$defs":{\n"A":{},\n"B":{"type":"string"}\n}}\n'
    assert expected == schema_text(schema)


def test_the_text_of_a_schema_does_not_depend_on_the_order_of_its_keys() -> None:
    def backwards(value: Json) -> Json:
        if isinstance(value, dict):
            return {key: backwards(value[key]) for key in reversed(value)}
        return [backwards(each) for each in value] if isinstance(value, list) else value

    assert vendor(as_json(QUEUE), "1") == vendor(as_json(backwards(QUEUE)), "1")
