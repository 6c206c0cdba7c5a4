"""Two states of a run → the names of what differs, as people know them: `NCCL_IB_TC`, `image`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.patch import json_equal
from genjob.runs.hold import queue_of
from genjob.runs.identity import essence, replicas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

_NAMES = ("mountPath", "name", "key")
"""The keys by which the items of a list are told apart, the most telling first."""


def changes_of_run(before: JsonObject, after: JsonObject) -> tuple[str, ...]:
    """Return the names of what differs between two jobs, but for their metadata."""
    return changes(_acts(before), _acts(after))


def _acts(job: JsonObject) -> JsonObject:
    """Return all of a job that acts: its pods, and when they end or wait."""
    spec = job.get("spec")
    policy = spec.get("runPolicy") if isinstance(spec, dict) else None
    restarts: JsonObject = {
        role: {"restartPolicy": body.get("restartPolicy")}
        for role, body in replicas(job).items()
        if isinstance(body, dict)
    }
    return {"run": essence(job), "policy": policy, "queue": queue_of(job), "restarts": restarts}


def changes(before: Json, after: Json) -> tuple[str, ...]:
    """Return the names of what differs."""
    return tuple(dict.fromkeys(_names(before, after, ())))


def _names(before: Json, after: Json, path: DocPath) -> Iterator[str]:
    if json_equal(before, after):
        return
    old, new = _parts(before, after), _parts(after, before)
    if old is None or new is None or path[-2:-1] == ("env",):
        yield str(path[-1]) if path else "everything"
        return
    for key in sorted({*old, *new}):
        yield from _names(old.get(key), new.get(key), (*path, key))


def _parts(value: Json, other: Json) -> dict[str, Json] | None:
    """Return what a value is made of, by key or by name; None when it is one thing.

    A list of named items that has gone or come has the names of the `other`: none of them here.
    """
    if value is None and isinstance(other, list):
        return {}
    if isinstance(value, dict):
        return value
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return None
    named: dict[str, Json] = {str(_name(i)): i for i in value if isinstance(i, dict)}
    return named if len(named) == len(value) and "None" not in named else None


def _name(item: JsonObject) -> Json:
    return next((item[key] for key in _NAMES if key in item), None)
