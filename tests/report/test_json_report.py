"""The JSON object for programs, key by key."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.report import FORMATS, Findings
from genjob.report.json_report import SCHEMA


def test_the_object_is_as_documented() -> None:
    found = Diagnostic("GJ101", "found 'é'", Location("a.yaml", 3, 8, 12), "write '4'")
    note = Diagnostic("GJ501", "no queue", Location("b.yaml"), "", Severity.WARNING)

    text = FORMATS["json"](Findings([note, found, found]))

    assert json.loads(text) == {
        "diagnostics": [
            {
                "code": "GJ101",
                "severity": "error",
                "message": "found 'é'",
                "hint": "write '4'",
                "file": "a.yaml",
                "line": 3,
                "column": 8,
                "end_column": 12,
            },
            {
                "code": "GJ501",
                "severity": "warning",
                "message": "no queue",
                "hint": "",
                "file": "b.yaml",
                "line": 1,
                "column": 1,
                "end_column": 0,
            },
        ],
        "summary": {"errors": 1, "warnings": 1, "notes": 0, "files": 2},
    }
    assert text.isascii()
    assert text.endswith("}\n")


def test_nothing_to_say_is_an_object_too() -> None:
    nothing = {"errors": 0, "warnings": 0, "notes": 0, "files": 0}

    assert {"diagnostics": [], "summary": nothing} == json.loads(FORMATS["json"](Findings([])))


def test_the_schema_describes_every_key_and_accepts_what_is_printed() -> None:
    place = Location("a.yaml", 3, 8, 12)
    found = [Diagnostic("GJ101", "m", place, "", severity) for severity in Severity]
    data = json.loads(FORMATS["json"](Findings(found)))
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)

    assert [] == [*validator.iter_errors(data)]
    for key in data["diagnostics"][0]:
        lacking = {name: value for name, value in data["diagnostics"][0].items() if name != key}
        assert not validator.is_valid({**data, "diagnostics": [lacking]}), key
        assert not validator.is_valid({**data, "diagnostics": [{**lacking, key: None}]}), key
