"""The table of rules: codes, names, documentation, and a case for each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from genjob.rules import RULES

if TYPE_CHECKING:
    from genjob.rules import Rule

QUOTED_CODE = re.compile(r'"(GJ[0-9]{3})"')


def test_codes_names_and_checks_are_each_used_once() -> None:
    assert len(RULES) == len({rule.code for rule in RULES})
    assert len(RULES) == len({rule.name for rule in RULES})
    assert len(RULES) == len({rule.check for rule in RULES})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_named_as_its_check_and_says_what_and_why(rule: Rule) -> None:
    assert rule.name.replace("-", "_") == rule.check.__name__
    assert re.fullmatch(r"GJ[3456][0-9]{2}", rule.code)
    assert rule.summary.endswith(".")
    assert re.fullmatch(r"https://\S+", rule.source)


def test_each_rule_has_a_case_that_breaks_it() -> None:
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    cases = QUOTED_CODE.findall("".join(file.read_text(encoding="utf-8") for file in files))

    assert set() == {rule.code for rule in RULES} - set(cases)
