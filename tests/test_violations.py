"""What a schema forbids is said in words of ours: where, what was found, what is expected."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

import pytest

from genjob.crd.violations import QUANTITY, compiled, validate
from genjob.diagnostics import Finding
from genjob.jsontypes import dotted

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json, JsonObject


def closed(**properties: Json) -> JsonObject:
    """Return the schema of an object that may hold these fields only."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


ENV = closed(name={"type": "string"}, value={"type": "string"}) | {"required": ["name"]}
WORDS: list[tuple[JsonObject, Json, str, str]] = [
    ({"type": "integer"}, "four", "found 'four' (string), expected an integer", ""),
    (
        {"type": "integer"},
        "4",
        "found '4' (string), expected an integer",
        "leave out the quotes",
    ),
    (
        {"type": "boolean"},
        "true",
        "found 'true' (string), expected true or false",
        "leave out the quotes",
    ),
    (
        {"type": "string"},
        False,
        "found false (boolean), expected a string",
        "put the value in quotes",
    ),
    (
        {"type": "string"},
        None,
        "found null, expected a string",
        "give it a value, or leave the field out",
    ),
    ({"type": "object"}, ["a"], "found a list of 1, expected a mapping", ""),
    ({"type": "array"}, {}, "found an empty mapping, expected a list", ""),
    ({"type": "number"}, True, "found true (boolean), expected a number", ""),
    (
        {"type": ["integer", "string", "null"]},
        [],
        "found an empty list, expected an integer or a string",
        "",
    ),
    (
        {"type": ["integer", "string"], "pattern": QUANTITY},
        "10 GB",
        "found '10 GB' (string), expected a quantity such as '10Gi', '500m' or '4'",
        "",
    ),
    (
        {"pattern": "^[a-z]+$"},
        "no1",
        "found 'no1' (string), expected text that matches '^[a-z]+$'",
        "",
    ),
    (
        {"type": "integer", "format": "int32"},
        2**31,
        "found 2147483648 (integer), expected an integer of 32 bits",
        "",
    ),
    (
        {"type": "integer", "format": "int64"},
        -(2**63) - 1,
        "found -9223372036854775809 (integer), expected an integer of 64 bits",
        "",
    ),
    (
        {"enum": ["Always", "Never"]},
        "Nevr",
        "found 'Nevr' (string), expected 'Always' or 'Never'",
        "did you mean 'Never'?",
    ),
    ({"const": "v1"}, "v2", "found 'v2' (string), expected 'v1'", ""),
    ({"minimum": 1}, 0, "found 0 (integer), expected at least '1'", ""),
    ({"maxItems": 1}, [1, 2], "found a list of 2, expected at most '1' entries", ""),
    ({"uniqueItems": True}, [1, 1], "found a list of 2, expected no entry twice", ""),
    ({"not": {}}, "", "found an empty string, expected what 'not' in its schema allows", ""),
    (
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        1.5,
        "found 1.5 (number), expected an integer or a string",
        "put the value in quotes",
    ),
    (
        {"oneOf": [{"required": ["uid"]}, {"required": ["name"]}]},
        {},
        "'uid' or 'name' is missing in field",
        "",
    ),
    (
        {"anyOf": [{"minimum": 3}, {"type": "string"}]},
        2,
        "found 2 (integer), expected what 'anyOf' in its schema allows",
        "",
    ),
    (
        {"oneOf": [{}, {"type": "string"}]},
        "no",
        "found 'no' (string), expected what 'oneOf' in its schema allows",
        "",
    ),
]


@pytest.mark.parametrize(("rule", "value", "message", "hint"), WORDS)
def test_a_broken_rule_is_told_in_words(
    rule: JsonObject, value: Json, message: str, hint: str
) -> None:
    (finding,) = validate({"field": value}, closed(field=rule))

    assert (message, hint) == (finding.message, finding.hint)
    assert finding.path == ("field",)


def test_an_unknown_field_points_at_its_key_and_names_the_nearest() -> None:
    schema = closed(spec=closed(backoffLimit={}, suspend={}))

    expected = Finding(
        "GJ601",
        ("spec", "backofLimit"),
        "unknown field 'backofLimit' in spec; the API server would drop it",
        "did you mean 'backoffLimit'?",
        at_key=True,
    )
    assert [expected] == validate({"spec": {"backofLimit": 3}}, schema)


def test_an_unknown_field_that_is_near_to_none_lists_what_there_is() -> None:
    (finding,) = validate({"retries": 3}, closed(backoffLimit={}, suspend={}))

    assert (
        finding.message == "unknown field 'retries' at the top level; the API server would drop it"
    )
    assert finding.hint == "the fields here are 'backoffLimit' or 'suspend'"


def test_a_long_list_of_fields_is_not_listed() -> None:
    (finding,) = validate({"?": 3}, closed(**{f"field{i}": {} for i in range(20)}))

    assert not finding.hint


def test_every_unknown_field_is_a_finding_of_its_own() -> None:
    findings = validate({"b": 1, "a": 2}, closed())

    assert [each.path for each in findings] == [("a",), ("b",)]


def test_a_missing_field_points_at_its_parent() -> None:
    schema: JsonObject = {"properties": {"env": {"items": ENV}}}

    expected = Finding("GJ603", ("env", 1), "'name' is missing in env[1]")
    assert [expected] == validate({"env": [{"name": "LR"}, {"value": "1e-4"}]}, schema)


def test_every_missing_field_is_a_finding_of_its_own() -> None:
    findings = validate({}, closed(key={}, path={}) | {"required": ["path", "key"]})

    messages = [each.message for each in findings]
    assert messages == ["'path' is missing at the top level", "'key' is missing at the top level"]


def test_a_misspelled_required_field_is_one_mistake() -> None:
    (finding,) = validate({"namee": "LR"}, ENV)

    assert (finding.code, finding.hint) == ("GJ601", "did you mean 'name'?")


def test_in_an_open_object_a_misspelled_required_field_is_missing() -> None:
    (finding,) = validate({"namee": "LR"}, {"properties": {"name": {}}, "required": ["name"]})

    assert finding.message == "'name' is missing at the top level"


def test_a_value_of_the_wrong_type_is_one_mistake() -> None:
    schema = closed(kind={"type": "string", "enum": ["Exists"]})

    (finding,) = validate({"kind": True}, schema)

    assert finding.code == "GJ602"


def test_of_a_choice_the_branch_that_got_furthest_is_told() -> None:
    choice: JsonObject = {"anyOf": [{"type": "string"}, closed(name={"type": "string"})]}

    (finding,) = validate({"ref": {"name": 8}}, closed(ref=choice))

    assert finding.path == ("ref", "name")
    assert finding.message == "found 8 (integer), expected a string"


def test_findings_are_below_the_base_and_say_the_fate() -> None:
    (finding,) = validate({"x": 1}, closed(), base=("spec", 0), fate="nobody reads it")

    assert finding.path == ("spec", 0, "x")
    assert finding.message == "unknown field 'x' in spec[0]; nobody reads it"


def test_a_mapping_of_another_class_is_a_mapping() -> None:
    assert not validate(OrderedDict(name="LR"), compiled(ENV))


def test_references_are_looked_up_in_the_schema_itself() -> None:
    schema: JsonObject = {"properties": {"env": {"$ref": "#/$defs/Env"}}, "$defs": {"Env": ENV}}

    (finding,) = validate({"env": {"name": 8}}, schema)

    assert finding.path == ("env", "name")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("spec", "containers", 0, "env"), "spec.containers[0].env"),
        (
            ("metadata", "labels", "app.kubernetes.io/name"),
            "metadata.labels['app.kubernetes.io/name']",
        ),
        (("limits", "nvidia.com/gpu"), "limits['nvidia.com/gpu']"),
        (("data", "snake_case", "kebab-case"), "data.snake_case.kebab-case"),
        (("", 0), "[''][0]"),
        ((), ""),
    ],
)
def test_a_path_is_written_as_people_write_it(path: DocPath, text: str) -> None:
    assert text == dotted(path)


@pytest.mark.parametrize("key", ["cleanPodPolicy", "backoffLimit", "ttlSecondsAfterFinished"])
def test_a_field_that_moved_to_the_run_policy_is_sent_there(key: str) -> None:
    schema: JsonObject = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"runPolicy": {"type": "object"}},
    }

    assert ["write it under 'runPolicy'"] == [each.hint for each in validate({key: 1}, schema)]


def test_a_field_of_the_run_policy_is_not_sent_where_there_is_none() -> None:
    schema: JsonObject = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"a": {}},
    }

    assert ["the fields here are 'a'"] == [
        each.hint for each in validate({"suspend": True}, schema)
    ]
