"""A lock and what would be rendered now → whether the run stays, is held, or is a new one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from genjob.runs.lock import Lock
    from genjob.runs.own import Own


class Decision(StrEnum):
    """What becomes of the run that Git declares."""

    FIRST = "first run"
    SAME = "same run"
    HELD = "held"
    NEW = "new run"


class Now(NamedTuple):
    """What would be rendered now: the identity of the objects, and the experiment's own part.

    `insists` says that the experiment writes down a default where its environment says otherwise.
    """

    hash: str
    own: Own
    insists: bool = False


def decide(lock: Lock | None, now: Now, *, rerun: bool = False) -> Decision:
    """Return what becomes of a run.

    Same objects: the same run, of which only metadata may change. Other objects because the
    researcher wrote something else: a new run. Other objects because something around the
    experiment changed: the run is held as it was rendered, because Git does not know whether it
    has finished.
    """
    if lock is None:
        return Decision.FIRST
    if now.hash == lock.hash:
        return Decision.SAME
    if rerun or says_otherwise(lock, now):
        return Decision.NEW
    return Decision.HELD


def says_otherwise(lock: Lock, now: Now) -> bool:
    """Return whether the researcher wrote something else that reaches the pods.

    `written` alone differs when a default was written down, `said` alone when a newer version of
    this program has other defaults. Only both together are an edit.
    """
    return now.own.written != lock.written and (now.own.said != lock.own or now.insists)
