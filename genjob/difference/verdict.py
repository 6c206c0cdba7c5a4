"""A run before and after a change → what the change does to it.

What engine, API server, operator and Kueue do is that of docs/gitops.md. Sources: training-operator
1.9, pkg/controller.v1/common/pod.go (a pod that exists is never updated); Kueue (main, 2026-08),
pkg/controller/jobframework/reconciler.go, "No matching Workload", and validation.go, queue name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.difference.claims import fate_of_claims
from genjob.difference.effect import Effect, Verdict
from genjob.difference.figures import figure
from genjob.difference.usage import hours_of
from genjob.manifest import identity
from genjob.manifests.trace import value_in
from genjob.patch import json_equal
from genjob.rules.walk import as_object, get
from genjob.runs.claims import CLAIM
from genjob.runs.hold import queue_of
from genjob.runs.identity import essence, replicas
from genjob.wording import quoted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.difference.side import Run
    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.manifest import Identity

_SHOWN: Final = 8
"""Names of what is held back that a sentence lists."""

_SUSPEND: Final = ("spec", "runPolicy", "suspend")
_GANG_QUEUE: Final = ("spec", "runPolicy", "schedulingPolicy", "queue")
_COMPARED: Final = ("containers", "initContainers")
"""What Kueue compares of a pod template, beside the number of pods."""

_TAKES_BACK: Final = (
    "Kueue takes an admitted job back: it suspends it and queues it again with the new pods"
)
_TWO_VERSIONS: Final = (
    "the operator never updates a pod: those that start again get the change, the others do not"
)
_SUSPENDED: Final = "the operator deletes the pods of the run; `genjob resume` makes them again"
_RESUMED: Final = "the operator makes the pods of the run again"
_OTHER_QUEUE: Final = (
    "Kueue refuses another queue of a job that it has admitted; one that waits moves"
)
_LATE_QUEUE: Final = "Kueue refuses a queue for a job that runs without one"
_OTHER_GANG: Final = "the queue of a gang cannot be changed"


def effects_of(before: Run | None, after: Run | None, *, engine: str) -> list[Effect]:
    """Return everything that a change does to a run; what others still declare is left in."""
    old, new = (run.objects if run else () for run in (before, after))
    data = [*fate_of_claims(old, new, engine=engine)]
    if before is None:
        return [Effect(Verdict.NEW_EXPERIMENT)]
    if after is None:
        return [Effect(Verdict.RETIRED), *data]
    if identity(before.job) != identity(after.job):
        return [Effect(Verdict.NEW_RUN), *_released(before, after), *data]
    return [*_of_job(before.job, after.job), *_beside(old, new), *data, *_held(before, after)]


def _released(before: Run, after: Run) -> Iterator[Effect]:
    taken = [name for name in before.held if name not in after.held]
    if taken:
        yield Effect(Verdict.METADATA, f"takes what was held back: {shortened(taken, _SHOWN)}")


def _held(before: Run, after: Run) -> Iterator[Effect]:
    added = [name for name in after.held if name not in before.held]
    if added:
        changed = f"{after.place.environment} changed {shortened(added, _SHOWN)}"
        hint = f"`genjob render --env {after.place.environment} --rerun NAME` takes it"
        yield Effect(Verdict.HELD, f"held: {changed}; {hint}")


def _of_job(old: JsonObject, new: JsonObject) -> Iterator[Effect]:
    """Yield what a change does to a job that keeps its name."""
    yield from _of_pods(old, new)
    yield from _of_queue(old, new)
    yield from _of_suspend(old, new)
    yield from _of_deadline(old, new)
    if not json_equal(old, new):
        yield Effect(Verdict.METADATA)


def _of_pods(old: JsonObject, new: JsonObject) -> Iterator[Effect]:
    if json_equal(essence(old), essence(new)) or _is_suspended(old):
        return
    if queue_of(old) is not None and not json_equal(_workload(old), _workload(new)):
        yield Effect(Verdict.EVICTS, _TAKES_BACK)
    else:
        yield Effect(Verdict.MIXES, _TWO_VERSIONS)


def _workload(job: JsonObject) -> Json:
    """Return what Kueue compares a job with its Workload by."""
    return {
        role: {
            "replicas": get(body, "replicas"),
            **{key: get(body, "template", "spec", key) for key in _COMPARED},
        }
        for role, body in replicas(job).items()
    }


def _of_queue(old: JsonObject, new: JsonObject) -> Iterator[Effect]:
    was = value_in(old, _GANG_QUEUE)
    if was is not None and was != value_in(new, _GANG_QUEUE):
        yield Effect(Verdict.REFUSED, _OTHER_GANG)
    if queue_of(old) != queue_of(new) and not _is_suspended(old):
        yield Effect(Verdict.REFUSED, _LATE_QUEUE if queue_of(old) is None else _OTHER_QUEUE)


def _of_suspend(old: JsonObject, new: JsonObject) -> Iterator[Effect]:
    if _is_suspended(old) != _is_suspended(new):
        is_new = _is_suspended(new)
        yield Effect(Verdict.EVICTS, _SUSPENDED) if is_new else Effect(Verdict.METADATA, _RESUMED)


def _is_suspended(job: JsonObject) -> bool:
    return value_in(job, _SUSPEND) is True


def _of_deadline(old: JsonObject, new: JsonObject) -> Iterator[Effect]:
    was, now = hours_of(old), hours_of(new)
    if now is not None and (was is None or now < was):
        sentence = f"the deadline ends the run when it is older than {figure(now)} hours"
        yield Effect(Verdict.METADATA, sentence)


def _beside(old: Sequence[JsonObject], new: Sequence[JsonObject]) -> Iterator[Effect]:
    """Yield what becomes of the other objects of a run that goes on, but for its claims."""
    before, after = _others(old), _others(new)
    if before.keys() != after.keys():
        yield Effect(Verdict.METADATA)
    for name in before.keys() & after.keys():
        if _is_refused(before[name], after[name]):
            sentence = f"{name.kind} {quoted(name.name)} is immutable"
            yield Effect(Verdict.REFUSED, sentence)
        elif not json_equal(before[name], after[name]):
            yield Effect(Verdict.METADATA)


def _others(objects: Sequence[JsonObject]) -> dict[Identity, JsonObject]:
    return {identity(body): body for body in objects[1:] if identity(body).kind != CLAIM}


def _is_refused(old: JsonObject, new: JsonObject) -> bool:
    parts: tuple[DocPath, ...] = (("data",), ("binaryData",), ("immutable",))
    changed = any(not json_equal(value_in(old, part), value_in(new, part)) for part in parts)
    return as_object(old).get("immutable") is True and changed
