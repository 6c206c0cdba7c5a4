"""Events in a job's life → the conditions that training-operator 1.9 writes for them.

The same rules as the operator's, in few words. Source: kubeflow/training-operator release-1.9
pkg/util/status.go (setCondition, filterOutCondition), pkg/controller.v1/common/job.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import JsonObject

EVENTS = ("created", "running", "restarting", "succeeded", "failed", "suspended", "resumed")
NAME = "llama-5d41402a"

_RIVALS = {"Running": "Restarting", "Restarting": "Running"}
_LAST = ("Succeeded", "Failed")


def conditions(events: Iterable[str]) -> list[JsonObject]:
    """Return the conditions of a job after these events, in the operator's order."""
    found: list[JsonObject] = []
    for event in events:
        if _is_true(found, *_LAST):
            break
        if event == "resumed":
            if _is_true(found, "Suspended"):
                found = _set(found, "Suspended", "False", event)
            continue
        if event == "suspended" and _is_true(found, "Running"):
            found = _set(found, "Running", "False", event)
        found = _set(found, event.capitalize(), "True", event)
    return found


def _is_true(found: list[JsonObject], *types: str) -> bool:
    return any(each["type"] in types and each["status"] == "True" for each in found)


def _set(found: list[JsonObject], kind: str, status: str, event: str) -> list[JsonObject]:
    """Put a condition last; it replaces its like and its rival, and an end ends Running."""
    kept = [each for each in found if each["type"] not in (kind, _RIVALS.get(kind))]
    if kind in _LAST:
        kept = [{**each, "status": "False"} if each["type"] == "Running" else each for each in kept]
    reason = f"PyTorchJob{event.capitalize()}"
    message = f"PyTorchJob {NAME} is {event}."
    return [*kept, {"type": kind, "status": status, "reason": reason, "message": message}]
