"""A job → what the API server and the operator refuse in it, as findings with hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.crd.library import check_objects
from genjob.diagnostics import Severity
from genjob.foreign.live import declared
from genjob.importing.settled import settled
from genjob.model.environment import Target
from genjob.rules.object_table import METADATA_RULES, WEBHOOK_RULES

if TYPE_CHECKING:
    from genjob.diagnostics import Finding
    from genjob.jsontypes import JsonObject


def refusals(body: JsonObject) -> list[Finding]:
    """Return why a job cannot be created, in the order in which the cluster would say it."""
    stored = settled(body)
    found = _by_schema(stored)
    refused = {finding.path for finding in found}
    for rule in (*METADATA_RULES, *WEBHOOK_RULES):
        found += [each for each in rule.findings(stored) if each.path not in refused]
    return [each for each in found if each.severity is Severity.ERROR]


def warnings(body: JsonObject) -> list[Finding]:
    """Return what the schema warns of: a key without a value, which may have been forgotten."""
    return [each for each in _by_schema(declared(body)) if each.severity is Severity.WARNING]


def _by_schema(body: JsonObject) -> list[Finding]:
    target = Target()
    found = check_objects([body], operator=target.training_operator, kubernetes=target.kubernetes)
    return [finding for _, finding in found]
