"""Commits → what Argo CD and Flux do to a cluster.

Models of the two reconcilers as this program sets them up, and of what they do otherwise. Sources:
Argo CD 3.5 (automated sync without selfHeal, ServerSideApply, ApplyOutOfSyncOnly), Flux
kustomize-controller 1.9.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from genjob.manifest import Identity, identity
from genjob.manifests.trace import value_in
from tests.simulation.cluster import Cluster, differs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from genjob.jsontypes import JsonObject

Desired = "Mapping[str, Sequence[JsonObject]]"
"""Overlay, as `<environment>/<experiment>` → what Kustomize builds of it."""

_ORDER = ("ConfigMap", "PersistentVolumeClaim", "PyTorchJob")
_SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
_PRUNE = "kustomize.toolkit.fluxcd.io/prune"


class Engine(Protocol):
    """What applies commits to a cluster."""

    cluster: Cluster

    def reconcile(self, revision: int, desired: Mapping[str, Sequence[JsonObject]]) -> None:
        """Look at the newest commit, and do what is to be done."""


@dataclass
class Argo:
    """One Application for each overlay: `automated: {prune: true, selfHeal: false}`.

    `self_heal` and `replace` (Force=true,Replace=true) are what nobody should set.
    """

    self_heal: bool = False
    replace: bool = False
    cluster: Cluster = field(default_factory=Cluster)
    synced: dict[str, int] = field(default_factory=dict)
    tracked: dict[str, set[Identity]] = field(default_factory=dict)

    def reconcile(self, revision: int, desired: Mapping[str, Sequence[JsonObject]]) -> None:
        """Sync each Application that has a new revision; delete those whose overlay is gone."""
        for app in sorted(self.tracked.keys() - desired.keys()):
            self._delete(self.tracked.pop(app), "Delete=false")
            self.synced.pop(app)
        for app, objects in desired.items():
            if self.self_heal or self.synced.get(app) != revision:
                self._sync(app, objects)
            self.synced[app] = revision

    def _sync(self, app: str, objects: Sequence[JsonObject]) -> None:
        wanted = {identity(body) for body in objects}
        self._delete(self.tracked.get(app, set()) - wanted, "Prune=false")
        for body in in_order(objects):
            live = self.cluster.objects.get(identity(body))
            if live is None or differs(live.body, body):
                if live is not None and self.replace:
                    self.cluster.delete(identity(body))
                self.cluster.apply(body)
        self.tracked[app] = wanted

    def _delete(self, which: set[Identity], unless: str) -> None:
        for each in sorted(which & self.cluster.objects.keys()):
            if unless not in annotation(self.cluster.objects[each].body, _SYNC_OPTIONS):
                self.cluster.delete(each)


@dataclass
class Flux:
    """One Kustomization: every object is applied again at each interval, then pruned."""

    cluster: Cluster = field(default_factory=Cluster)
    inventory: set[Identity] = field(default_factory=set)

    def reconcile(self, revision: int, desired: Mapping[str, Sequence[JsonObject]]) -> None:
        """Apply all that the newest commit wants, whatever the revision; prune the rest."""
        del revision
        objects = [body for each in desired.values() for body in each]
        for body in in_order(objects):
            self.cluster.apply(body)
        wanted = {identity(body) for body in objects}
        for each in sorted((self.inventory - wanted) & self.cluster.objects.keys()):
            if annotation(self.cluster.objects[each].body, _PRUNE) != "disabled":
                self.cluster.delete(each)
        self.inventory = wanted


def in_order(objects: Sequence[JsonObject]) -> list[JsonObject]:
    """Return objects in the order in which both engines apply them: custom resources last."""
    return sorted(objects, key=lambda body: (_ORDER.index(identity(body).kind), identity(body)))


def annotation(body: JsonObject, key: str) -> str:
    """Return an annotation of an object, empty when it has none."""
    return str(value_in(body, ("metadata", "annotations", key)) or "")
