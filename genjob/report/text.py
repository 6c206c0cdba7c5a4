"""Diagnostics → the text that people read: place, message, source line and caret, hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.diagnostics import Severity
from genjob.report.findings import summary
from genjob.report.snippet import snippet
from genjob.wording import printable

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from genjob.report.findings import Findings

_ESCAPE = "\x1b["
_RESET = f"{_ESCAPE}0m"
_BOLD, _GREEN = "1", "32"
_COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36;1"}


def to_text(findings: Findings) -> str:
    """Return every diagnostic and a summary line; empty when there is nothing to say."""
    ordered = findings.ordered()
    shown = [d for d in ordered if findings.notes or d.severity is not Severity.INFO]
    if not shown:
        return ""
    lines = [line for diagnostic in shown for line in _lines(diagnostic, findings)]
    more = "" if len(shown) == len(ordered) else f"; `{findings.verbose}` shows the notes"
    return "\n".join([*lines, summary(findings.counts()) + more]) + "\n"


def _lines(diagnostic: Diagnostic, findings: Findings) -> list[str]:
    place, severity = diagnostic.location, diagnostic.severity
    where = _painted(f"{place.file}:{place.line}:{place.column}:", _BOLD, findings)
    weight = _painted(f"{severity.value}:", _COLOURS[severity], findings)
    lines = [f"{where} {weight} {printable(diagnostic.message)} [{diagnostic.code}]"]
    source = findings.line(place)
    if source.strip():
        shown, mark = snippet(source, place.column, place.end_column)
        margin = f"{place.line} | "
        caret = _painted(mark.lstrip(" "), _GREEN, findings)
        lines += [f"{margin}{shown}", f"{'| ':>{len(margin)}}{_indent(mark)}{caret}"]
    return [*lines, f"  hint: {printable(diagnostic.hint)}"] if diagnostic.hint else lines


def _indent(mark: str) -> str:
    return " " * (len(mark) - len(mark.lstrip(" ")))


def _painted(text: str, colour: str, findings: Findings) -> str:
    return f"{_ESCAPE}{colour}m{text}{_RESET}" if findings.colour else text
