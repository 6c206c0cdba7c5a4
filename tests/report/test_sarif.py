"""SARIF: valid against its schema, and at the place that a viewer will show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jsonschema import Draft4Validator

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.report import FORMATS, Findings
from genjob.rules import RULES

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

SCHEMA = Path(__file__).parent.parent / "data/sarif/sarif-2.1.0-rtm.5.json"
VALIDATOR = Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
FILE = "experiments/a b/experiment.yaml"


def run_of(findings: Findings) -> Any:  # noqa: ANN401 # a log is read key by key
    """Return the one run of a log that the schema of SARIF accepts."""
    text = FORMATS["sarif"](findings)
    log = json.loads(text)

    assert text.isascii()
    assert [] == [error.message for error in VALIDATOR.iter_errors(log)]
    assert "2.1.0" == log["version"]
    return log["runs"][0]


def region(line: str, column: int, end_column: int) -> dict[str, int]:
    """Return where a span of columns of a line is shown."""
    found = Diagnostic(Code.UNKNOWN_KEY, "m", Location(FILE, 2, column, end_column))
    run = run_of(Findings([found], {FILE: f"version: genjob/v1\n{line}\n"}))
    shown: dict[str, int] = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    return shown


def test_the_schema_refuses_what_is_no_log() -> None:
    """So that the other tests mean something."""
    wrong = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": 1}}, "results": [{}]}]}

    assert [] != [*VALIDATOR.iter_errors(wrong)]


def test_a_finding_has_rule_level_message_and_place() -> None:
    found = Diagnostic(
        Code.UNKNOWN_KEY, "unknown key 'node'", Location(FILE, 3, 1, 5), "did you mean 'nodes'?"
    )
    run = run_of(Findings([found], folder="ml/"))

    assert run["results"] == [
        {
            "ruleId": "GJ101",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "unknown key 'node'\ndid you mean 'nodes'?"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {
                            "uri": "ml/experiments/a%20b/experiment.yaml",
                            "uriBaseId": "%SRCROOT%",
                        },
                        "region": {"startLine": 3, "startColumn": 1, "endColumn": 5},
                    }
                }
            ],
        }
    ]
    assert "uri" not in run["originalUriBaseIds"]["%SRCROOT%"]


def test_columns_count_utf_16_code_units() -> None:
    """A 😀 is one code point and two code units; an é is one of each."""
    assert region("é😀: {😀key: 1}", 6, 10) == {"startLine": 2, "startColumn": 7, "endColumn": 12}
    assert region("é: key", 4, 7) == {"startLine": 2, "startColumn": 4, "endColumn": 7}


def test_an_end_that_is_not_known_is_left_out() -> None:
    assert region("nodes: four", 8, 0) == {"startLine": 2, "startColumn": 8}


def test_each_rule_is_described_once_with_its_gravest_level() -> None:
    places = [Location(FILE, line) for line in (1, 2, 3)]
    severities = (Severity.INFO, Severity.WARNING, Severity.INFO)
    found = [
        Diagnostic("GJ265", "m", place, "", severity)
        for place, severity in zip(places, severities, strict=True)
    ]
    run = run_of(Findings([Diagnostic("GJ009", "m", places[0]), *found]))
    reading, rule = run["tool"]["driver"]["rules"]

    assert [0, 1, 1, 1] == [result["ruleIndex"] for result in run["results"]]
    assert ["error", "note", "warning", "note"] == [each["level"] for each in run["results"]]
    assert ("GJ009", "conflict-marker") == (reading["id"], reading["name"])
    assert {"level": "warning"} == rule["defaultConfiguration"]
    assert "Symptom: `no algorithm/protocol available`" in rule["help"]["text"]
    assert "\nSource: https://" in rule["help"]["text"]


def test_every_rule_can_be_described() -> None:
    found = [Diagnostic(rule.code, "m", Location(FILE)) for rule in RULES]
    found += [Diagnostic(code, "m", Location(FILE)) for code in Code]
    rules = run_of(Findings(found))["tool"]["driver"]["rules"]

    assert len(found) == len(rules)
    assert all(len(rule["shortDescription"]["text"]) > 10 for rule in rules)


def test_nothing_to_say_is_a_log_without_results() -> None:
    run = run_of(Findings([]))

    assert ([], []) == (run["results"], run["tool"]["driver"]["rules"])


def test_a_workspace_inside_a_repository_names_files_from_its_top(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo({"experiments/x/experiment.yaml": "version: genjob/v1\nname: y\n"})
    (root.parent / ".git").mkdir()
    printed = {
        form: run_cli("validate", "--format", form, "-C", root).stdout
        for form in ("sarif", "github", "junit", "json")
    }

    assert '"uri": "workspace/experiments/x/experiment.yaml"' in printed["sarif"]
    assert "::error file=workspace/experiments/x/experiment.yaml,line=2" in printed["github"]
    assert 'file="workspace/experiments/x/experiment.yaml" line="2"' in printed["junit"]
    assert '"file": "experiments/x/experiment.yaml"' in printed["json"]
