"""A job, its objects and the snapshot of its cluster → what the cluster has no place for."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from genjob.rules.snapshot_objects import check_object  # noqa: PLC0415 # most have no snapshot

    for index, body in enumerate(objects):
        for found in check_object(job, body, snapshot):
            yield index, found
