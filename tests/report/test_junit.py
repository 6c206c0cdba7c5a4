"""JUnit: an error is a test that failed, anything else one that passed and speaks."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.report import FORMATS, Findings

ERROR = Diagnostic(Code.WRONG_VALUE, "found 'a<b'", Location("a.yaml", 3, 8, 12), "write '4'")
WARNING = Diagnostic(Code.UNKNOWN_QUEUE, "m & n", Location("a.yaml", 5), "", Severity.WARNING)
OTHER = Diagnostic(Code.UNKNOWN_KEY, "é \x1b[0m", Location("b.yaml"))


def test_the_report_is_exactly_this() -> None:
    assert FORMATS["junit"](Findings([WARNING, OTHER, ERROR], folder="ml/")) == (
        """\
<?xml version='1.0' encoding='us-ascii'?>
<testsuites tests="3" failures="2" name="genjob">
  <testsuite tests="2" failures="1" name="ml/a.yaml">
    <testcase name="GJ103 wrong-value at 3:8" classname="ml/a.yaml" file="ml/a.yaml" line="3">
      <failure type="error" message="found 'a&lt;b'">ml/a.yaml:3:8: found 'a&lt;b'
hint: write '4'</failure>
    </testcase>
    <testcase name="GJ502 unknown-queue at 5:1" classname="ml/a.yaml" file="ml/a.yaml" line="5">
      <system-out>warning: ml/a.yaml:5:1: m &amp; n</system-out>
    </testcase>
  </testsuite>
  <testsuite tests="1" failures="1" name="ml/b.yaml">
    <testcase name="GJ101 unknown-key at 1:1" classname="ml/b.yaml" file="ml/b.yaml" line="1">
      <failure type="error" message="&#233; \\x1b[0m">ml/b.yaml:1:1: &#233; \\x1b[0m</failure>
    </testcase>
  </testsuite>
</testsuites>
"""
    )


def test_what_xml_cannot_hold_does_not_break_it() -> None:
    evil = "".join(map(chr, [*range(0x300), 0xD800, 0xFFFE, 0xFFFF, 0x1F600]))
    text = FORMATS["junit"](Findings([Diagnostic(Code.UNKNOWN_KEY, evil, Location(evil))]))
    failure = ET.fromstring(text).find(".//failure")  # noqa: S314 # made above

    assert failure is not None
    assert "\\x00\\x01" in str(failure.text)
    assert str(failure.text).endswith("\\ud800\\ufffe\\uffff😀")


def test_a_run_without_findings_is_one_test_that_passed() -> None:
    root = ET.fromstring(FORMATS["junit"](Findings([])))  # noqa: S314 # made by us

    assert {"tests": "1", "failures": "0", "name": "genjob"} == root.attrib
    assert ["no findings"] == [test.get("name") for test in root.iter("testcase")]
