"""Laws of what the GitOps engines are told about a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from genjob.gitops.substitution import needs_no_substitution
from tests.gitops.evaluators import argo_cd_health, flux_status
from tests.gitops.operator_status import EVENTS, conditions

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

SAME = {
    "Healthy": "Current",
    "Suspended": "Current",
    "Progressing": "InProgress",
    "Degraded": "Failed",
}
"""Argo CD's word for a state → Flux's."""


def job(events: list[str]) -> JsonObject:
    """Return a job after these events."""
    return {"kind": "PyTorchJob", "status": {"conditions": [*conditions(events)]}}


lives = st.lists(st.sampled_from(EVENTS), min_size=1, max_size=12)


@given(lives)
def test_both_engines_see_the_same_health_after_any_life_of_a_job(events: list[str]) -> None:
    body = job(events)

    assert SAME[argo_cd_health(body).status] == flux_status(body)


@given(lives, st.sampled_from(["Succeeded", "Failed"]))
def test_a_finished_job_keeps_its_health_whatever_follows(events: list[str], end: str) -> None:
    later = job(["created", end.lower(), *events])

    assert job(["created", end.lower()]) == later
    assert ("Failed" if end == "Failed" else "Current") == flux_status(later)


@given(st.text(st.characters(codec="ascii", exclude_characters="$")), st.text())
def test_text_without_a_dollar_is_safe_and_a_brace_after_one_never(safe: str, other: str) -> None:
    assert not needs_no_substitution({"args": [safe]})
    assert needs_no_substitution({"args": [safe + "${" + other]})
