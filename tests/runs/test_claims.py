"""A claim outlives its runs: what the API server would refuse to change stays, and is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.runs.claims import keep_claims
from tests.runs.a_run import by_slot, claim, job, slots

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

HINT = "give the storage another name: that is another claim, and its data starts empty"


def kept(now: JsonObject, old: JsonObject) -> tuple[JsonObject, list[str]]:
    """Return the claim that is rendered, and what is said about it."""
    found = keep_claims(slots(("pvc-data", now)), [job(), old])
    assert {HINT} >= {finding.hint for finding in found.findings}
    return by_slot(found.objects)["pvc-data"], [finding.message for finding in found.findings]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (claim(storage_class="slow"), "storage class 'fast'; it cannot become 'slow'"),
        (
            claim(storage_class=None),
            "storage class 'fast'; it cannot become that of the cluster",
        ),
        (
            claim(accessModes=["ReadWriteOnce"]),
            "access mode 'ReadWriteMany'; it cannot become 'ReadWriteOnce'",
        ),
        (claim("500Gi"), "size '1Ti'; it cannot become '500Gi'"),
    ],
)
def test_a_claim_keeps_what_cannot_change(now: JsonObject, said: str) -> None:
    assert (claim(), [f"claim 'a-data' keeps its {said}"]) == kept(now, claim())


def test_a_claim_without_a_class_gets_none() -> None:
    was = claim(storage_class=None)

    found, (said,) = kept(claim(), was)

    assert was == found
    assert "keeps its storage class that of the cluster" in said


@pytest.mark.parametrize("size", ["1Ti", "1024Gi", "2Ti"])
def test_a_claim_may_grow(size: str) -> None:
    assert (claim(size), []) == kept(claim(size), claim())


def test_the_labels_of_a_claim_are_as_they_are_now() -> None:
    now = claim(storage_class="slow")
    now["metadata"]["labels"] = {"team": "new"}

    found, _ = kept(now, claim())

    assert found == claim() | {"metadata": now["metadata"]}


def test_a_claim_of_another_namespace_is_another_claim() -> None:
    now = claim(storage_class="slow")
    now["metadata"]["namespace"] = "elsewhere"

    assert (now, []) == kept(now, claim())


def test_several_things_are_said_at_once() -> None:
    _, said = kept(claim("1Gi", "slow"), claim())

    assert 2 == len(said)
