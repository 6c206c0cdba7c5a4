"""A pod and what becomes of it → the status that its kubelet would write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.walk import get, parts

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from tests.cluster.api import Cluster

_WHEN = "2026-01-01T00:00:00Z"


def runs(cluster: Cluster, pod: JsonObject) -> None:
    """All containers of a pod have started."""
    _write(cluster, pod, "Running", {"running": {"startedAt": _WHEN}})


def ends(cluster: Cluster, pod: JsonObject, exit_code: int) -> None:
    """All containers of a pod have ended, and none is started again."""
    state: JsonObject = {"terminated": {"exitCode": exit_code, "finishedAt": _WHEN}}
    _write(cluster, pod, "Failed" if exit_code else "Succeeded", state)


def _write(cluster: Cluster, pod: JsonObject, phase: str, state: JsonObject) -> None:
    statuses: list[JsonObject] = [
        {
            "name": container["name"],
            "image": container["image"],
            "imageID": "",
            "ready": phase == "Running",
            "restartCount": 0,
            "state": state,
        }
        for _, container in parts((), get(pod, "spec", "containers"))
    ]
    status: JsonObject = {"phase": phase, "containerStatuses": [*statuses]}
    cluster.merge(pod, {"status": status}, subresource="/status")
