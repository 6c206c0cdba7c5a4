"""Each rule has an example that it finds and one that it passes; docs/rules.md shows both."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

from genjob.diagnostics import Severity
from genjob.rules import RULES
from tools.rule_examples import FOLDER, Example, completed, examples

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.rules import Rule
    from genjob.rules.network import Network

    AnyRule: TypeAlias = Rule[JsonObject] | Rule[Network]

IDS = [rule.name for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_the_example_that_fails_breaks_this_rule_and_no_other(rule: AnyRule) -> None:
    bad, _ = examples(rule)

    found = {each.code for each in bad.findings() if each.severity is not Severity.INFO}

    assert rule.code in {each.code for each in bad.findings()}
    assert set() == found - {rule.code}


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_the_example_that_passes_breaks_no_rule(rule: AnyRule) -> None:
    _, good = examples(rule)

    found = {each.code for each in good.findings() if each.severity is not Severity.INFO}

    assert set() == found
    assert rule.code not in {each.code for each in good.findings()}


def test_each_example_belongs_to_a_rule() -> None:
    expected = sorted(f"{rule.code}-{rule.name}.yaml" for rule in RULES)

    assert expected == sorted(file.name for file in FOLDER.iterdir())


def test_the_job_that_examples_are_completed_from_has_no_findings() -> None:
    assert [] == Example("", completed({})).findings()
