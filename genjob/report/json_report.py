"""Diagnostics → one JSON object, for programs; `SCHEMA` says what its keys mean.

Keys may be added in later versions, none is removed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from genjob.diagnostics import Severity

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import JsonObject
    from genjob.report.findings import Findings

_COUNT: Final[JsonObject] = {"type": "integer", "minimum": 0}


def _object(description: str, properties: JsonObject) -> JsonObject:
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "required": [*properties],
    }


SCHEMA: Final[JsonObject] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$comment": "`genjob schema show findings` prints it",
    "title": "genjob findings",
    **_object(
        "What --format json prints. Keys may be added in later versions, none is removed.",
        {
            "diagnostics": {
                "description": "The findings, by file, line and column; each once.",
                "type": "array",
                "items": {"$ref": "#/$defs/Diagnostic"},
            },
            "summary": {"$ref": "#/$defs/Summary"},
        },
    ),
    "$defs": {
        "Diagnostic": _object(
            "One finding, at the place where a person wrote it.",
            {
                "code": {
                    "description": "Its code, which never changes its meaning: docs/rules.md.",
                    "type": "string",
                    "pattern": "^GJ[0-9]{3}$",
                },
                "severity": {
                    "description": "An error stops a render; a warning does with --strict.",
                    "enum": [severity.value for severity in Severity],
                },
                "message": {
                    "description": "What was found, and what was expected.",
                    "type": "string",
                },
                "hint": {"description": "What to write instead; may be empty.", "type": "string"},
                "file": {
                    "description": "Path from the root of the workspace, with slashes.",
                    "type": "string",
                },
                "line": {"description": "The line, from 1.", "type": "integer", "minimum": 1},
                "column": {
                    "description": "The first column, from 1, in Unicode code points.",
                    "type": "integer",
                    "minimum": 1,
                },
                "end_column": {
                    "description": "The column after the last; 0 when the end is not known.",
                    "type": "integer",
                    "minimum": 0,
                },
            },
        ),
        "Summary": _object(
            "How many there are.",
            {
                "errors": _COUNT,
                "warnings": _COUNT,
                "notes": _COUNT,
                "files": {"description": "Files that have findings.", **_COUNT},
            },
        ),
    },
}
"""What the object holds."""


def to_json(findings: Findings) -> str:
    """Return the JSON object, indented, in ASCII."""
    entries = [_entry(diagnostic) for diagnostic in findings.ordered()]
    return json.dumps({"diagnostics": entries, "summary": findings.counts()}, indent=2) + "\n"


def _entry(diagnostic: Diagnostic) -> JsonObject:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        **asdict(diagnostic.location),
    }
