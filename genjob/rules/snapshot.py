"""A job, its objects and the snapshot of its cluster → what the cluster has no place for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.snapshot_classes import check_claim, check_priority
from genjob.rules.snapshot_nodes import check_nodes
from genjob.rules.snapshot_queues import check_queue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.diagnostics import Finding
    from genjob.jsontypes import JsonObject
    from genjob.resolve.job import Job


def check_snapshot(job: Job, objects: Sequence[JsonObject]) -> Iterator[tuple[int, Finding]]:
    """Yield what a snapshot says against objects, by index of the object; nothing without one."""
    snapshot = job.inputs.environment.snapshot if job.inputs.environment else None
    if snapshot is None:
        return
    for index, body in enumerate(objects):
        match body.get("kind"):
            case "PyTorchJob":
                found = [
                    *check_nodes(job, body, snapshot),
                    *check_queue(job, body, snapshot),
                    *check_priority(body, snapshot),
                ]
            case "PersistentVolumeClaim":
                found = [*check_claim(job, body, snapshot)]
            case _:
                found = []
        for each in found:
            yield index, each
