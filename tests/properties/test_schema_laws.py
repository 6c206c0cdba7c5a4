"""Laws of the schema check: a mistake is found where it was made, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from genjob.crd.library import check_objects
from tests.whole_job import ABSENT, changed, places, whole_job

if TYPE_CHECKING:
    from genjob.diagnostics import Finding
    from genjob.jsontypes import DocPath, JsonObject

JOB = whole_job()
MAPS = {
    "annotations",
    "labels",
    "limits",
    "matchLabels",
    "minResources",
    "nodeSelector",
    "requests",
}
OBJECTS = [
    path
    for path, value in places(JOB)
    if isinstance(value, dict)
    and not MAPS & set(path[-1:])
    and path[-1:] != ("pytorchReplicaSpecs",)
]
LEAVES = [path for path, value in places(JOB) if not isinstance(value, dict | list)]


def problems(job: JsonObject) -> list[Finding]:
    return [finding for _, finding in check_objects([job], operator="1.9", kubernetes="1.31")]


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(OBJECTS), st.from_regex(r"zz[A-Za-z]{0,8}", fullmatch=True))
def test_an_unknown_key_gives_one_finding_at_that_key(path: DocPath, key: str) -> None:
    (finding,) = problems(changed(JOB, (*path, key), 1))

    expected = ("GJ601", (*path, key), True)
    assert expected == (finding.code, finding.path, finding.at_key)


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(LEAVES), st.sampled_from([[], {}, [1], {"a": 1}]))
def test_a_leaf_that_is_no_leaf_gives_one_finding_at_it(path: DocPath, value: JsonObject) -> None:
    assume(path not in {("apiVersion",), ("kind",)})

    (finding,) = problems(changed(JOB, path, value))

    assert ("GJ602", path) == (finding.code, finding.path)


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(LEAVES))
def test_a_leaf_left_out_is_right_or_one_missing_field(path: DocPath) -> None:
    assume(path not in {("apiVersion",), ("kind",)})

    findings = problems(changed(JOB, path, ABSENT))

    assert [("GJ603", path[:-1])] * len(findings) == [(each.code, each.path) for each in findings]
    assert len(findings) <= 1
