"""An object and the snapshot of its cluster → what the cluster has no place for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.snapshot_classes import check_claim, check_priority
from genjob.rules.snapshot_nodes import check_nodes
from genjob.rules.snapshot_queues import check_queue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.diagnostics import Finding
    from genjob.jsontypes import JsonObject
    from genjob.model.snapshot import Snapshot
    from genjob.resolve.job import Job


def check_object(job: Job, body: JsonObject, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what a snapshot says against one object of a job."""
    match body.get("kind"):
        case "PyTorchJob":
            yield from check_nodes(job, body, snapshot)
            yield from check_queue(job, body, snapshot)
            yield from check_priority(body, snapshot)
        case "PersistentVolumeClaim":
            yield from check_claim(job, body, snapshot)
        case _:
            pass
