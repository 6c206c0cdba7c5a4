"""Diagnostics → a SARIF 2.1.0 log, which code scanning shows at the lines of a pull request.

Columns count UTF-16 code units and paths are relative to the root of the repository: that is how
GitHub and editors read a log. Of the rules, those are described that found something.
Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html;
https://docs.github.com/code-security/reference/code-scanning/sarif-files/sarif-support
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from genjob import __version__
from genjob.diagnostics import Severity
from genjob.rulebook import entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import JsonObject
    from genjob.report.findings import Findings

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT: Final = "%SRCROOT%"
"""The name by which GitHub knows the root of the repository."""

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def to_sarif(findings: Findings) -> str:
    """Return the log, indented, in ASCII."""
    ordered = findings.ordered()
    codes = sorted({diagnostic.code for diagnostic in ordered})
    run: JsonObject = {
        "tool": {
            "driver": {
                "name": "genjob",
                "semanticVersion": __version__,
                "rules": [_rule(code, ordered) for code in codes],
            }
        },
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "results": [_result(each, codes.index(each.code), findings) for each in ordered],
    }
    log: JsonObject = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str, found: Iterable[Diagnostic]) -> JsonObject:
    """Return the description of a code; its level is the gravest that it was found with."""
    said = entry(code)
    levels = {diagnostic.severity for diagnostic in found if diagnostic.code == code}
    gravest = next(severity for severity in _LEVELS if severity in levels)
    return {
        "id": code,
        "name": said.name,
        "shortDescription": {"text": said.meaning},
        "help": {"text": "\n".join(_help(code))},
        "defaultConfiguration": {"level": _LEVELS[gravest]},
    }


def _help(code: str) -> Iterator[str]:
    said = entry(code)
    yield said.meaning
    if said.symptom:
        yield f"Symptom: {said.symptom}"
    if said.source:
        yield f"Source: {said.source}"
    yield "What is found, and how one is left out with its reason: docs/rules.md of genjob."


def _result(diagnostic: Diagnostic, index: int, findings: Findings) -> JsonObject:
    hint = f"\n{diagnostic.hint}" if diagnostic.hint else ""
    uri = quote(findings.file(diagnostic.location))
    place: JsonObject = {
        "artifactLocation": {"uri": uri, "uriBaseId": ROOT},
        "region": _region(diagnostic, findings),
    }
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": f"{diagnostic.message}{hint}"},
        "locations": [{"physicalLocation": place}],
    }


def _region(diagnostic: Diagnostic, findings: Findings) -> JsonObject:
    """Return the lines and columns; SARIF's end column is the one after the last, as ours."""
    place, line = diagnostic.location, findings.line(diagnostic.location)
    start: JsonObject = {
        "startLine": place.line,
        "startColumn": _in_utf_16(line, place.column),
    }
    if place.end_column <= place.column:
        return start
    return {**start, "endColumn": _in_utf_16(line, place.end_column)}


def _in_utf_16(line: str, column: int) -> int:
    """Return a column of code points as one of UTF-16 code units; both count from 1."""
    wide = sum(character > "\uffff" for character in line[: column - 1])
    return column + wide
