"""Applied objects and events of controllers → the state of a cluster, as far as runs go.

A model of the API server (server-side apply, what it refuses to change), of the training operator
and of Kueue. Sources: training-operator 1.9, Kueue master, Kubernetes 1.31.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from genjob.manifest import Identity, identity
from genjob.manifests.trace import value_in
from genjob.quantity import parse_quantity
from genjob.runs.hold import queue_of
from genjob.runs.identity import essence, replicas

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json, JsonObject

ADMITTED = "kueue.x-k8s.io/flavour"
"""The node selector that Kueue adds to the pods of a job that it admits."""

_POLICY: DocPath = ("spec", "runPolicy")
_SIZE: DocPath = ("spec", "resources", "requests", "storage")
_FIXED: tuple[DocPath, ...] = (("spec", "storageClassName"), ("spec", "accessModes"))


class Phase(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"

    @property
    def is_over(self) -> bool:
        """Whether nothing of the job runs any more."""
        return self in (Phase.SUCCEEDED, Phase.FAILED)


class What(StrEnum):
    """What happens to an object."""

    CREATED = "created"
    STOPPED = "stopped: it was running"
    DELETED = "deleted"
    PODS = "pods changed while it was running"
    POLICY = "run policy changed while it was running"
    REFUSED = "change refused by the API server"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to an object."""

    what: What
    which: Identity


@dataclass(slots=True)
class Live:
    """An object in the cluster: its body, what was last applied, and how far a job is."""

    body: JsonObject
    applied: JsonObject
    phase: Phase | None = None


@dataclass
class Cluster:
    """The objects of a cluster, and what happened to them since somebody asked."""

    objects: dict[Identity, Live] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def take_events(self) -> list[Event]:
        """Return what happened, once."""
        events, self.events = self.events, []
        return events

    def _happened(self, what: What, which: Identity) -> None:
        self.events.append(Event(what, which))

    def apply(self, body: JsonObject) -> None:
        """Apply an object as its only manager from Git, by force."""
        which = identity(body)
        live = self.objects.get(which)
        if live is None:
            self._create(which, body)
            return
        wanted = merged(live.body, live.applied, body)
        if _is_refused(live, wanted):
            self._happened(What.REFUSED, which)
            return
        if live.phase is Phase.RUNNING:
            self._change_running(which, live.body, wanted)
        live.body, live.applied = wanted, copy.deepcopy(body)

    def _create(self, which: Identity, body: JsonObject) -> None:
        live = Live(copy.deepcopy(body), copy.deepcopy(body))
        self.objects[which] = live
        self._happened(What.CREATED, which)
        if which.kind == "PyTorchJob":
            waits = queue_of(body) is not None or value_in(body, (*_POLICY, "suspend")) is True
            live.phase = Phase.QUEUED if waits else Phase.RUNNING
            if queue_of(body) is not None:  # the webhook of Kueue
                policy = value_in(live.body, _POLICY)
                assert isinstance(policy, dict)
                policy["suspend"] = True

    def _change_running(self, which: Identity, before: JsonObject, after: JsonObject) -> None:
        if essence(before) != essence(after):
            self._happened(What.PODS, which)
        if value_in(before, _POLICY) != value_in(after, _POLICY):
            self._happened(What.POLICY, which)

    def delete(self, which: Identity) -> None:
        """Delete an object; the pods of a running job end with it."""
        live = self.objects.pop(which)
        stopped = live.phase is Phase.RUNNING
        self._happened(What.STOPPED if stopped else What.DELETED, which)

    def jobs(self, *phases: Phase) -> list[Identity]:
        """Return the jobs in these phases, sorted."""
        return sorted(which for which, live in self.objects.items() if live.phase in phases)

    def admit(self, which: Identity) -> None:
        """Let Kueue admit a job: it clears `suspend` and says where the pods run."""
        live = self.objects[which]
        policy = value_in(live.body, _POLICY)
        assert isinstance(policy, dict)
        policy["suspend"] = False
        for role in replicas(live.body):
            spec = value_in(live.body, ("spec", "pytorchReplicaSpecs", role, "template", "spec"))
            assert isinstance(spec, dict)
            selector = spec.setdefault("nodeSelector", {})
            assert isinstance(selector, dict)
            selector[ADMITTED] = "h100"
        live.phase = Phase.RUNNING

    def end(self, which: Identity, phase: Phase) -> None:
        """Let a running job end."""
        self.objects[which].phase = phase

    def expire(self) -> None:
        """Let the operator delete the finished jobs whose time to live is over."""
        for which in self.jobs(Phase.SUCCEEDED, Phase.FAILED):
            ttl = value_in(self.objects[which].body, (*_POLICY, "ttlSecondsAfterFinished"))
            if ttl is not None:
                self.delete(which)


def _is_refused(live: Live, wanted: JsonObject) -> bool:
    before = live.body
    if identity(before).kind == "PersistentVolumeClaim":
        sizes = [parse_quantity(str(value_in(body, _SIZE))) for body in (before, wanted)]
        fixed = any(value_in(before, path) != value_in(wanted, path) for path in _FIXED)
        return fixed or sizes[1] < sizes[0]
    # Kueue: the queue of a job that is not suspended is immutable, of a finished one too
    return live.phase not in (None, Phase.QUEUED) and queue_of(before) != queue_of(wanted)


def merged(live: Json, applied: Json, wanted: Json) -> JsonObject:
    """Return what a server-side apply makes: what was ours and is gone goes, the rest stays."""
    result = _merged(live, applied, wanted)
    assert isinstance(result, dict)
    return result


def _merged(live: Json, applied: Json, wanted: Json) -> Json:
    if not isinstance(live, dict) or not isinstance(wanted, dict):
        return copy.deepcopy(wanted)
    ours = applied if isinstance(applied, dict) else {}
    kept = {key: value for key, value in live.items() if key in wanted or key not in ours}
    return kept | {
        key: _merged(live.get(key), ours.get(key), value) for key, value in wanted.items()
    }


def differs(live: Json, wanted: Json) -> bool:
    """Return whether an object has not all that Git wants; what others add does not count."""
    if isinstance(live, dict) and isinstance(wanted, dict):
        return any(key not in live or differs(live[key], value) for key, value in wanted.items())
    return live != wanted
