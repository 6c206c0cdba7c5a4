"""Node objects → groups of nodes that are alike in all that decides where pods may run.

What a node is at the moment (cordoned, not ready, under pressure) is left out: the file is to
change when the machines do. So are labels that nothing selects by, and all annotations.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from genjob.catalog.hardware import PRODUCT_LABEL
from genjob.catalog.hardware.machine import GIB
from genjob.quantity import canonical_quantity, read_quantity
from genjob.rules.walk import as_object, get, parts
from genjob.yamltext import to_flow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from genjob.jsontypes import Json, JsonObject

WELL_KNOWN: Final = frozenset(
    {
        "kubernetes.io/arch",
        "kubernetes.io/os",
        "node.kubernetes.io/instance-type",
        PRODUCT_LABEL,
        "cloud.google.com/gke-accelerator",
        "cloud.google.com/gke-nodepool",
        "eks.amazonaws.com/nodegroup",
        "karpenter.sh/nodepool",
        "kubernetes.azure.com/agentpool",
    }
)
"""Labels that are looked at in every cluster: the kind of a machine, and the pool it belongs to."""

MOMENTARY: Final = (
    "node.kubernetes.io/",
    "node.cloudprovider.kubernetes.io/",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
)
"""How the keys of taints begin that say what a node is just now.

Source: https://kubernetes.io/docs/reference/labels-annotations-taints/ (v1.31); kubernetes/
autoscaler cluster-autoscaler-1.31, utils/taints/taints.go.
"""

_IN_BYTES: Final = frozenset({"memory", "ephemeral-storage"})
_NOT_ASKED_FOR: Final = ("pods", "attachable-volumes-")


def node_groups(nodes: Iterable[JsonObject], keys: Collection[str]) -> list[Json]:
    """Return the groups of nodes, by labels, taints and size; `keys` are those of the labels."""
    groups: Counter[str] = Counter()
    shapes: dict[str, JsonObject] = {}
    for node in nodes:
        shape = _shape(node, keys)
        name = to_flow(shape)
        shapes[name] = shape
        groups[name] += 1
    return [{"count": groups[name], **shapes[name]} for name in sorted(groups)]


def _shape(node: JsonObject, keys: Collection[str]) -> JsonObject:
    labels = as_object(get(node, "metadata", "labels"))
    shape: JsonObject = {
        "labels": {key: labels[key] for key in sorted(labels) if key in keys},
        "taints": _taints(node),
        "allocatable": _allocatable(as_object(get(node, "status", "allocatable"))),
    }
    return {key: value for key, value in shape.items() if value}


def _taints(node: JsonObject) -> list[Json]:
    found: list[JsonObject] = [
        {key: taint[key] for key in ("key", "value", "effect") if taint.get(key)}
        for _, taint in parts((), get(node, "spec", "taints"))
        if not str(taint.get("key")).startswith(MOMENTARY)
    ]
    return [*sorted(found, key=to_flow)]


def _allocatable(amounts: JsonObject) -> JsonObject:
    """Return what pods may have; whole Gi, because machines of one kind differ by some bytes."""
    found: JsonObject = {}
    for name, text in sorted(amounts.items()):
        amount = read_quantity(text)
        if not amount or name.startswith(_NOT_ASKED_FOR):
            continue
        is_large = name in _IN_BYTES and amount >= GIB
        found[name] = f"{amount // GIB}Gi" if is_large else canonical_quantity(str(text))
    return found
