"""The table of rules: codes, names, documentation, and a case for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from genjob.rules import RULES

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.rules import Rule
    from genjob.rules.network import Network


def test_codes_names_and_checks_are_each_used_once() -> None:
    assert len(RULES) == len({rule.code for rule in RULES})
    assert len(RULES) == len({rule.name for rule in RULES})
    assert len(RULES) == len({rule.check for rule in RULES})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_named_as_its_check_and_says_what_and_why(
    rule: Rule[JsonObject] | Rule[Network],
) -> None:
    assert rule.name.replace("-", "_") == rule.check.__name__
    assert re.fullmatch(r"GJ[2-6][0-9]{2}", rule.code)
    assert rule.summary.endswith(".")
    assert rule.symptom.endswith(".")
    assert re.fullmatch(r"https://.+", rule.source)
