"""Diagnostics → a JUnit report, in which GitLab, Jenkins and others show tests that failed.

An error is a test that failed; a warning or a note is one that passed and says something.
Source: https://docs.gitlab.com/ci/testing/unit_test_reports/; the format has no standard.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from genjob.diagnostics import Severity
from genjob.rulebook import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.diagnostics import Diagnostic
    from genjob.report.findings import Findings

_NO_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document holds. Source: https://www.w3.org/TR/xml/#charsets"""

CLEAN: Final = "no findings"
"""The one test of a run without findings: a report without tests is an error to some readers."""


def to_junit(findings: Findings) -> str:
    """Return the report in ASCII: one suite for each file, one test for each finding."""
    by_file: dict[str, list[Diagnostic]] = defaultdict(list)
    for diagnostic in findings.ordered():
        by_file[findings.file(diagnostic.location)].append(diagnostic)
    root = ET.Element("testsuites", _counts(findings.ordered()), name="genjob")
    for file, found in by_file.items():
        suite = ET.SubElement(root, "testsuite", _counts(found), name=_text(file))
        for diagnostic in found:
            _add_test(suite, file, diagnostic)
    if not by_file:
        suite = ET.SubElement(root, "testsuite", _counts(()), name="genjob")
        ET.SubElement(suite, "testcase", name=CLEAN, classname="genjob")
    ET.indent(root)
    made: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return made.decode() + "\n"


def _counts(found: Sequence[Diagnostic]) -> dict[str, str]:
    failures = sum(diagnostic.severity is Severity.ERROR for diagnostic in found)
    return {"tests": str(len(found) or 1), "failures": str(failures)}


def _add_test(suite: ET.Element, file: str, diagnostic: Diagnostic) -> None:
    place = diagnostic.location
    name = f"{diagnostic.code} {entry(diagnostic.code).name} at {place.line}:{place.column}"
    where = {"name": name, "classname": _text(file), "file": _text(file), "line": str(place.line)}
    test = ET.SubElement(suite, "testcase", where)
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    said = f"{file}:{place.line}:{place.column}: {diagnostic.message}{hint}"
    if diagnostic.severity is Severity.ERROR:
        message = _text(diagnostic.message)
        ET.SubElement(test, "failure", type="error", message=message).text = _text(said)
    else:
        ET.SubElement(test, "system-out").text = _text(f"{diagnostic.severity.value}: {said}")


def _text(text: str) -> str:
    """Return text that XML can hold; a control character becomes an escape."""
    return _NO_XML.sub(lambda found: repr(found[0])[1:-1], text)
