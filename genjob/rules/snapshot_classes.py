"""Objects and the classes of a snapshot → the storage and priority classes that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.rules.walk import as_str, get, pod_specs
from genjob.wording import did_you_mean, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.model.snapshot import Snapshot
    from genjob.resolve.job import Job


def check_priority(body: JsonObject, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield the priority classes of a job's pods that the cluster does not have."""
    for path, pod in pod_specs(body):
        name = as_str(pod.get("priorityClassName"))
        if snapshot.priority_classes is not None and name:
            where = (*path, "priorityClassName")
            yield from _unless_there("PriorityClass", name, snapshot.priority_classes, where)


def check_claim(job: Job, body: JsonObject, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a storage class that the cluster does not have, and the want of a default."""
    known, path = snapshot.storage_classes, ("spec", "storageClassName")
    name = as_str(get(body, *path))
    listed_ones = job.environment.storage_classes.values() if job.environment else ()
    if known is None or name == "" or name in listed_ones:
        return  # what the environment lists is checked there, once
    if name is not None:
        yield from _unless_there("StorageClass", name, known, path)
    elif not any(each.default for each in known.values()):
        message = "the claim names no storage class, and the cluster has no default one"
        hint = f"name one of {listed(known)}" if known else "the cluster has none at all"
        yield Finding(Code.CLASS_NOT_THERE, path, message, hint, Severity.WARNING)


def _unless_there(kind: str, name: str, known: Iterable[str], path: DocPath) -> Iterator[Finding]:
    if name not in known:
        message = f"the cluster has no {kind} {quoted(name)}"
        hint = did_you_mean(name, known) or f"it has {listed(known) or 'none'}"
        yield Finding(Code.CLASS_NOT_THERE, path, message, hint, Severity.WARNING)
