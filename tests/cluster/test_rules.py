"""What our rules say of the webhook and the API server is what these do, in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.rules import RULES
from genjob.rules.object_table import WEBHOOK_RULES
from tests.cluster.verdicts import (
    OF_PODS,
    PARTLY,
    PROMISED,
    SEEN_ELSEWHERE,
    STRICTER_HERE,
    refusals,
    warnings_of,
)
from tools.rule_examples import Example, examples

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.rules import Rule
    from genjob.rules.network import Network
    from tests.cluster.api import Cluster

    AnyRule = Rule[JsonObject] | Rule[Network]

WEBHOOK = "validator.pytorchjob.training-operator.kubeflow.org"
BY_SCHEMA = ("GJ614", "GJ616")
"""Rules of the webhook's family that the schema of the CRD is faster with, as their words say."""

OF_THE_WEBHOOK = [
    rule for rule in WEBHOOK_RULES if rule.severity is Severity.ERROR and rule.code not in BY_SCHEMA
]

by_name = pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])


def whole(example: Example) -> list[JsonObject]:
    """Return the objects of an example with the API version that some leave out."""
    versions = {"PyTorchJob": "kubeflow.org/v1"}
    return [{"apiVersion": versions.get(str(b["kind"]), "v1"), **b} for b in example.objects]


@by_name
def test_the_cluster_refuses_the_example_that_fails_where_the_rule_says_so(
    cluster: Cluster, rule: AnyRule
) -> None:
    bad, _ = examples(rule)
    reasons = refusals(cluster, whole(bad))

    is_expected = rule.code in PROMISED or rule.code in STRICTER_HERE

    assert is_expected == bool(reasons), reasons


@by_name
def test_the_cluster_accepts_the_example_that_passes(cluster: Cluster, rule: AnyRule) -> None:
    _, good = examples(rule)

    assert [] == refusals(cluster, whole(good))


@pytest.mark.parametrize("rule", OF_THE_WEBHOOK, ids=[rule.name for rule in OF_THE_WEBHOOK])
def test_what_a_rule_says_of_the_webhook_the_webhook_itself_refuses(
    cluster: Cluster, rule: AnyRule
) -> None:
    bad, _ = examples(rule)
    refused = {why.partition(" denied the request")[0] for why in refusals(cluster, whole(bad))}

    assert {f'admission webhook "{WEBHOOK}"'} == refused


def test_the_webhook_warns_of_what_we_warn_of(cluster: Cluster) -> None:
    (rule,) = (each for each in RULES if each.code == "GJ612")
    bad, good = examples(rule)

    assert rule.severity is Severity.WARNING
    (text,) = warnings_of(cluster, whole(bad))
    assert "nProcPerNode is deprecated" in text
    assert [] == warnings_of(cluster, whole(good))


def test_each_exception_is_a_rule_and_has_a_reason() -> None:
    codes = {*Code, *(rule.code for rule in RULES)}

    exceptions = SEEN_ELSEWHERE | PARTLY | OF_PODS | STRICTER_HERE

    assert codes >= exceptions.keys()
    assert all(exceptions.values())
