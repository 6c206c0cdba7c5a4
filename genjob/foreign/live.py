"""An object as the cluster gives it back → the object as somebody declared it.

What `kubectl get -o yaml` shows besides is the cluster's own: nobody wrote it, nobody can correct
it. Source: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta
(v1.31), fields that are "populated by the system. Read-only".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

OF_THE_CLUSTER: Final = frozenset(
    {
        "clusterName",
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        "managedFields",
        "resourceVersion",
        "selfLink",
        "uid",
    }
)
LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def declared(body: JsonObject) -> JsonObject:
    """Return an object without its status and what of its metadata the cluster wrote."""
    kept = {key: _without_times(value) for key, value in body.items() if key != "status"}
    metadata = body.get("metadata")
    if isinstance(metadata, dict):
        kept["metadata"] = _metadata(metadata)
    return kept


def _without_times(value: Json) -> Json:
    """Return a value without the `creationTimestamp: null` that Go writes into every metadata."""
    if isinstance(value, list):
        return [_without_times(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_times(item)
        for key, item in value.items()
        if item is not None or key != "creationTimestamp"
    }


def _metadata(metadata: JsonObject) -> JsonObject:
    kept = {key: value for key, value in metadata.items() if key not in OF_THE_CLUSTER}
    annotations = metadata.get("annotations")
    if isinstance(annotations, dict) and LAST_APPLIED in annotations:
        kept["annotations"] = {k: v for k, v in annotations.items() if k != LAST_APPLIED}
        if not kept["annotations"]:
            del kept["annotations"]
    return kept
