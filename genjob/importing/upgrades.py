"""A job of an old form that means the same today → the job of today, and notes about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.foreign.forms import other_form
from genjob.rules.walk import ELASTIC, as_int, as_object, get, replica_specs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject

OLD_RUN_POLICY: Final[tuple[str, ...]] = (
    *("cleanPodPolicy", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished"),
)
"""Fields that stood in the spec itself before there was a run policy.

Source: kubeflow/pytorch-operator v0.7.0, pkg/apis/pytorch/v1/types.go.
"""


class Upgraded(NamedTuple):
    """A job of today, None when there is none, and what is said about it."""

    body: JsonObject | None
    findings: Sequence[Finding] = ()


def upgraded(body: JsonObject) -> Upgraded:
    """Return a job as one of `kubeflow.org/v1`; an error when it is of another shape."""
    form = other_form(body)
    if form is None:
        return _without_old_processes(body, [])
    if form.body is None or form.finding.code != Code.OLD_API:
        return Upgraded(None, [replace(form.finding, severity=Severity.ERROR)])
    message = f"{form.finding.message}; the job was upgraded to 'kubeflow.org/v1'"
    note = Finding(Code.UPGRADED, form.finding.path, message, severity=Severity.INFO)
    return _without_old_processes(with_run_policy(form.body), [note])


def with_run_policy(body: JsonObject) -> JsonObject:
    """Return a job with the old fields of its spec under `runPolicy`, unless they are there."""
    spec = as_object(body.get("spec"))
    old = {key: spec[key] for key in OLD_RUN_POLICY if key in spec}
    if not old:
        return body
    kept = {key: value for key, value in spec.items() if key not in old}
    policy: JsonObject = {**old, **as_object(spec.get("runPolicy"))}
    return {**body, "spec": {**kept, "runPolicy": policy}}


def _without_old_processes(body: JsonObject, notes: list[Finding]) -> Upgraded:
    """Return a job without `elasticPolicy.nProcPerNode`, which the operator reads as another field.

    Both set PET_NPROC_PER_NODE; the other one also counts into WORLD_SIZE, where there is a Master.
    Source: training-operator 1.9, envvar.go and elastic.go.
    """
    count = as_int(get(body, *ELASTIC, "nProcPerNode"))
    has_other = get(body, "spec", "nprocPerNode") is not None
    if count is None or has_other or "Master" in replica_specs(body):
        return Upgraded(body, notes)
    spec, elastic = as_object(body.get("spec")), as_object(get(body, *ELASTIC))
    kept = {key: value for key, value in elastic.items() if key != "nProcPerNode"}
    message = (
        f"'nProcPerNode' of the elastic policy is deprecated; it became 'nprocPerNode: {count}'"
    )
    note = Finding(Code.UPGRADED, (*ELASTIC, "nProcPerNode"), message, severity=Severity.INFO)
    new = {**spec, "elasticPolicy": kept, "nprocPerNode": str(count)}
    return Upgraded({**body, "spec": new}, [*notes, note])
