"""What a cluster lists → the text of `environments/<env>.snapshot.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from genjob.cluster import read_list, read_version
from genjob.snapshot.kinds import crds, priority_classes, storage_classes
from genjob.snapshot.nodes import WELL_KNOWN, node_groups
from genjob.snapshot.queues import cluster_queues, flavors, local_queues
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from genjob.cluster import Kubectl, Listing
    from genjob.jsontypes import Json, JsonObject

    Shaper: TypeAlias = Callable[[Iterable[JsonObject]], Json]

VERSION: Final = "genjob/v1"
LOCAL_QUEUES: Final = "localqueues.kueue.x-k8s.io"

_SECTIONS: Final[Mapping[str, tuple[str, Shaper]]] = {
    "local_queues": (LOCAL_QUEUES, local_queues),
    "cluster_queues": ("clusterqueues.kueue.x-k8s.io", cluster_queues),
    "flavors": ("resourceflavors.kueue.x-k8s.io", flavors),
    "storage_classes": ("storageclasses.storage.k8s.io", storage_classes),
    "priority_classes": ("priorityclasses.scheduling.k8s.io", priority_classes),
    "crds": ("customresourcedefinitions.apiextensions.k8s.io", crds),
}
"""Section of a snapshot → the kind that is listed for it, and what is kept of that."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A snapshot, and what could not be read: section → the reason of the API server."""

    body: JsonObject
    refused: Mapping[str, str]

    def text(self, *, header: str) -> str:
        """Return the file."""
        return to_yaml(self.body, header=header)


def take(kubectl: Kubectl, name: str, *, namespace: str, labels: Iterable[str]) -> Taken:
    """Return the snapshot of a cluster for the environment `name`.

    `labels` are the keys of node labels that jobs select by. What may not be read is left out.

    Raises:
        ToolError: there is no kubectl, no cluster answers, or it fails otherwise.
    """
    keys = sorted({*labels, *WELL_KNOWN})
    body: JsonObject = {
        "version": VERSION,
        "name": name,
        "kubernetes": read_version(kubectl),
        "node_labels": [*keys],
    }
    of_nodes: Shaper = partial(node_groups, keys=frozenset(keys))
    sections = {"nodes": ("nodes", of_nodes), **_SECTIONS}
    refused: dict[str, str] = {}
    for section, (kind, shaped) in sections.items():
        listing = _listing(kubectl, kind, namespace)
        if listing.refusal:
            refused[section] = listing.refusal
        else:
            body[section] = shaped(listing.items)
    return Taken(body, refused)


def _listing(kubectl: Kubectl, kind: str, namespace: str) -> Listing:
    """Return the objects of a kind; of LocalQueues at least those of a namespace."""
    listing = read_list(kubectl, kind)
    if listing.refusal and kind == LOCAL_QUEUES:
        return read_list(kubectl, kind, namespace=namespace)
    return listing
