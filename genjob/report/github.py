"""Diagnostics → workflow commands, which GitHub shows as annotations of a pull request.

GitHub shows the first 10 of each command of a step, so errors, warnings and notes do not push each
other out; its log has them all.
Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions; the escapes
are those of actions/toolkit, packages/core/src/command.ts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.diagnostics import Severity

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from genjob.report.findings import Findings

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def to_github(findings: Findings) -> str:
    """Return one command a line; empty when there is nothing to say."""
    commands = (_command(each, findings.file(each.location)) for each in findings.ordered())
    return "".join(f"{command}\n" for command in commands)


def _command(diagnostic: Diagnostic, file: str) -> str:
    properties = ",".join(
        f"{key}={str(value).translate(_IN_PROPERTY)}"
        for key, value in _properties(diagnostic, file).items()
    )
    hint = f"\n{diagnostic.hint}" if diagnostic.hint else ""
    message = f"{diagnostic.message}{hint}".translate(_IN_MESSAGE)
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{message}"


def _properties(diagnostic: Diagnostic, file: str) -> dict[str, str | int]:
    """Return the properties; GitHub's end column is the last one that is marked."""
    place = diagnostic.location
    end: dict[str, str | int] = (
        {"endColumn": place.end_column - 1} if place.end_column > place.column else {}
    )
    start: dict[str, str | int] = {"file": file, "line": place.line, "col": place.column}
    return {**start, **end, "title": diagnostic.code}
