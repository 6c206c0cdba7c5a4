"""Laws of the rules: whatever stands at any place of an object, they find or they are silent."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from genjob.rules import check_job, check_objects
from tests.whole_job import changed, places, whole_job

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json, JsonObject

KINDS = ("PyTorchJob", "PersistentVolumeClaim", "ConfigMap", "Secret")

KNOWN_KEYS = st.sampled_from(
    [
        *("Master", "Worker", "replicas", "template", "spec", "metadata", "name", "labels"),
        *("containers", "initContainers", "env", "ports", "resources", "limits", "requests"),
        *("volumes", "volumeMounts", "tolerations", "affinity", "data", "binaryData", "items"),
        *("elasticPolicy", "pytorchReplicaSpecs", "runPolicy", "accessModes", "nodeSelector"),
    ]
)
AWKWARD: st.SearchStrategy[Json] = st.sampled_from(
    ["", "..", "a/b/c", "Exists", "In", "Gt", "-1", "1e999999999", "1Gi", "\ud800", "٣", 2**70, -1]
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), AWKWARD)
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KNOWN_KEYS | st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


@cache
def job_and_its_places() -> tuple[JsonObject, list[DocPath]]:
    """Return a job that uses every field, and the routes into it."""
    job = whole_job()
    return job, [path for path, _ in places(job) if path]


@given(st.sampled_from(KINDS), st.dictionaries(KNOWN_KEYS, VALUES, max_size=4))
def test_an_object_of_any_shape_is_checked(kind: str, fields: JsonObject) -> None:
    check_objects([{"kind": kind, **fields}, {**fields, "kind": kind}])


@settings(max_examples=400)
@given(st.data(), VALUES)
def test_a_job_with_anything_at_any_place_is_checked(data: st.DataObject, value: Json) -> None:
    job, paths = job_and_its_places()

    check_job(changed(job, data.draw(st.sampled_from(paths)), value))


@given(KNOWN_KEYS, VALUES)
@example("elasticPolicy", {})
def test_the_rules_leave_the_job_as_it_was(field: str, value: Json) -> None:
    job: JsonObject = {**whole_job(), field: value}
    before = repr(job)
    check_job(job)

    assert before == repr(job)
