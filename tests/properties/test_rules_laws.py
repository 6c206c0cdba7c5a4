"""Laws of the rules: whatever stands at any place of an object, they find or they are silent."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from genjob.rules import RULES, check_job, check_objects
from genjob.rules.walk import REPLICA_SPECS, as_object, get
from tests.whole_job import changed, places, whole_job
from tools.rule_examples import examples

if TYPE_CHECKING:
    from genjob.diagnostics import Finding
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


@settings(max_examples=300)
@given(st.data(), VALUES)
def test_a_template_that_roles_share_has_the_findings_of_its_copies(
    data: st.DataObject, value: Json
) -> None:
    job, paths = job_and_its_places()
    path = data.draw(st.sampled_from([path for path in paths if path[3:4] == ("template",)]))

    assert _unlike(changed(job, path, value)) == []


def test_the_example_of_each_rule_is_judged_the_same_with_a_shared_template() -> None:
    jobs = [job for rule in RULES for each in examples(rule) for job in each.objects]

    assert [each for job in jobs for each in _unlike(job)] == []


def _unlike(job: JsonObject) -> list[tuple[list[Finding], list[Finding]]]:
    """Give each role the template of another; return findings that depend on who shares it."""
    roles = as_object(get(job, *REPLICA_SPECS))
    differing = []
    for spec in roles.values():
        template = get(spec, "template")
        shared: JsonObject = {
            role: {**as_object(each), "template": template} for role, each in roles.items()
        }
        together = changed(job, REPLICA_SPECS, shared)
        found = _once(check_job(copied(together))), _once(check_job(together))
        differing += [found] if found[0] != found[1] else []
    return differing


def copied(job: JsonObject) -> JsonObject:
    """Return a job whose roles share nothing."""
    roles = as_object(get(job, *REPLICA_SPECS))
    return changed(job, REPLICA_SPECS, {role: copy.deepcopy(spec) for role, spec in roles.items()})


def _once(findings: list[Finding]) -> list[Finding]:
    """Return what is left when what is found in several roles is said once."""
    return [*dict.fromkeys(map(_of_any_role, findings))]


def _of_any_role(finding: Finding) -> Finding:
    path = finding.path
    if path[:2] == REPLICA_SPECS and "template" in path:
        path = (*path[:2], "Role", *path[3:])
    return replace(finding, path=path, message=finding.message.replace("Worker", "Master"))
