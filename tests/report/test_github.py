"""GitHub's annotations: one command a line, and nothing in it can start another."""

from __future__ import annotations

from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.report import FORMATS, Findings


def github(*diagnostics: Diagnostic) -> str:
    """Return the GitHub format."""
    return FORMATS["github"](Findings(diagnostics))


def test_a_finding_is_one_command() -> None:
    """GitHub's end column is the last that is marked."""
    found = Diagnostic("GJ101", "found 'four'", Location("x/e.yaml", 3, 8, 12))

    assert github(found) == (
        "::error file=x/e.yaml,line=3,col=8,endColumn=11,title=GJ101::found 'four'\n"
    )


def test_severities_have_their_commands() -> None:
    found = [
        Diagnostic("GJ501", "m", Location("a", line), "", severity)
        for line, severity in enumerate(Severity, start=1)
    ]

    assert [line.split()[0] for line in github(*found).splitlines()] == [
        "::error",
        "::warning",
        "::notice",
    ]


def test_what_means_something_to_github_is_escaped() -> None:
    evil = Diagnostic("GJ1,01", "50%\r\n::set-env name=A::b, c", Location("a,b:c%.yaml"), "x\ny")

    assert github(evil) == (
        "::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,title=GJ1%2C01"
        "::50%25%0D%0A::set-env name=A::b, c%0Ax%0Ay\n"
    )


def test_nothing_to_say_is_no_text() -> None:
    assert github() == ""
