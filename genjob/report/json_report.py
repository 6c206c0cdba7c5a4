"""Diagnostics → one JSON object, for programs.

`{"diagnostics": [{"code", "severity", "message", "hint", "file", "line", "column", "end_column"}],
"summary": {"errors", "warnings", "notes", "files"}}`. Lines and columns count from 1, in Unicode
code points; `end_column` is exclusive, or 0 when the end is not known; `hint` may be empty. Keys
may be added in later versions, none is removed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import JsonObject
    from genjob.report.findings import Findings


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
