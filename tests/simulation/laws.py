"""What happened in a cluster, and what people did → the laws that it must not break."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from genjob.manifest import Identity, identity
from genjob.manifests.trace import value_in
from tests.simulation.cluster import Cluster, Event, What, differs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from genjob.jsontypes import Json, JsonObject
    from tests.simulation.engines import Engine

Place = tuple[str, str]
"""Environment and experiment: where one run at a time is declared."""


_REFERENCES = (
    ("configMapRef", "ConfigMap", "name"),
    ("persistentVolumeClaim", "PersistentVolumeClaim", "claimName"),
)


class BrokenLawError(AssertionError):
    """What must never happen has happened."""


@dataclass
class Changes:
    """What people did since the last sync, or on a branch.

    `started` are the places where a researcher started a run; `returned` of them those where it may
    be one that was there before: in an environment that is back, or after the program was rolled
    back. `touched` are those that were edited in any way, `left` those that were retired.
    `restarts` and `edits` are experiments that were edited as a whole: in what runs, and at all.
    """

    started: Counter[Place] = field(default_factory=Counter)
    returned: Counter[Place] = field(default_factory=Counter)
    touched: set[Place] = field(default_factory=set)
    left: set[Place] = field(default_factory=set)
    restarts: set[str] = field(default_factory=set)
    edits: set[str] = field(default_factory=set)

    def reach(self, places: Sequence[Place]) -> None:
        """Add the places that an edit of a whole experiment reaches, after a merge also others."""
        for place in places:
            if place[1] in self.restarts and place not in self.started:
                self.started[place] += 1
            if place[1] in self.edits:
                self.touched.add(place)

    def take(self, other: Changes) -> None:
        """Add what others did."""
        self.started.update(other.started)
        self.returned.update(other.returned)
        self.touched |= other.touched
        self.left |= other.left
        self.restarts |= other.restarts
        self.edits |= other.edits


@dataclass
class Watched:
    """An engine with its cluster, and what was ever created there."""

    engine: Engine
    owners: dict[Identity, Place] = field(default_factory=dict)
    by_name: Counter[Identity] = field(default_factory=Counter)
    by_place: Counter[Place] = field(default_factory=Counter)

    @property
    def cluster(self) -> Cluster:
        """The cluster."""
        return self.engine.cluster


def judge(watched: Watched, event: Event, ever: Changes, since: Changes) -> None:
    """See that what happened to an object is what a researcher asked for.

    Raises:
        BrokenLawError: when it is not.
    """
    what, which = event.what, event.which
    if what is What.REFUSED:
        raise BrokenLawError(f"{which}: {what}")
    if which.kind == "PersistentVolumeClaim" and what is What.DELETED:
        raise BrokenLawError(f"{which}: data was deleted")
    if which.kind != "PyTorchJob":
        return
    if what is What.CREATED:
        _judge_created(watched, which, ever, since)
        return
    place = watched.owners[which]
    allowed = {
        What.PODS: set[Place](),
        What.POLICY: since.touched,
        What.STOPPED: {*since.started} | since.left,
        What.DELETED: {*since.started} | since.left,
    }
    if place not in allowed[what]:
        raise BrokenLawError(f"{which}: {what}, and no researcher asked for it")


def _judge_created(watched: Watched, which: Identity, ever: Changes, since: Changes) -> None:
    labels = value_in(watched.cluster.objects[which].body, ("metadata", "labels"))
    assert isinstance(labels, dict)
    place = (str(labels["genjob.dev/environment"]), str(labels["genjob.dev/experiment"]))
    watched.owners[which] = place
    watched.by_name[which] += 1
    watched.by_place[place] += 1
    if place not in since.started or watched.by_place[place] > ever.started[place]:
        raise BrokenLawError(f"{which}: created, and no researcher started it")
    if watched.by_name[which] > 1 + ever.returned[place]:
        raise BrokenLawError(f"{which}: created again")


def at_rest(cluster: Cluster, desired: Mapping[str, Sequence[JsonObject]]) -> None:
    """See that what Git wants is there, and nothing else but data.

    Raises:
        BrokenLawError: when it is not.
    """
    wanted = {identity(body): body for objects in desired.values() for body in objects}
    for which, body in wanted.items():
        live = cluster.objects.get(which)
        if live is None or differs(live.body, body):
            raise BrokenLawError(f"{which}: Git and the cluster do not agree")
    for which, body in wanted.items():
        if missing := _references(body) - {(w.kind, w.namespace, w.name) for w in cluster.objects}:
            raise BrokenLawError(f"{which}: its pods wait for {sorted(missing)}")
    extra = [w for w in cluster.objects.keys() - wanted.keys() if w.kind != "PersistentVolumeClaim"]
    if extra:
        raise BrokenLawError(f"{extra}: in the cluster and not in Git")


def _references(body: JsonObject) -> set[tuple[str, str, str]]:
    """Return the ConfigMaps and claims that the pods of an object use: kind, namespace, name."""
    found: set[tuple[str, str, str]] = set()

    def look(node: Json) -> None:
        for key, below in node.items() if isinstance(node, dict) else ():
            for field_, kind, name in _REFERENCES:
                if key == field_ and isinstance(below, dict):
                    found.add((kind, identity(body).namespace, str(below[name])))
            look(below)
        for item in node if isinstance(node, list) else ():
            look(item)

    look(body)
    return found
