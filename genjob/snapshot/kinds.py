"""Storage classes, priority classes and CRDs → what a job needs to know of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.crd.fields import PYTORCHJOBS, field_names
from genjob.crd.library import OPERATOR_GROUP
from genjob.rules.walk import as_object, get, parts
from genjob.snapshot.queues import by_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import Json, JsonObject

GROUPS: Final = (
    OPERATOR_GROUP,
    "trainer.kubeflow.org",
    "kueue.x-k8s.io",
    "scheduling.volcano.sh",
    "scheduling.x-k8s.io",
)
"""The API groups whose CRDs are listed: training, queues, gang schedulers."""

_DEFAULT_CLASS: Final = "storageclass.kubernetes.io/is-default-class"


def storage_classes(items: Iterable[JsonObject]) -> JsonObject:
    """Return the StorageClasses by name."""
    found: JsonObject = {}
    for name, item in by_name(items):
        is_default = get(item, "metadata", "annotations", _DEFAULT_CLASS) == "true"
        default: JsonObject = {"default": True} if is_default else {}
        found[name] = {"provisioner": item.get("provisioner"), **default}
    return found


def priority_classes(items: Iterable[JsonObject]) -> JsonObject:
    """Return the values of the PriorityClasses by name."""
    return {name: item.get("value", 0) for name, item in by_name(items)}


def crds(items: Iterable[JsonObject]) -> JsonObject:
    """Return the CRDs of `GROUPS` by name, with the fields of a PyTorchJob."""
    return {name: _crd(name, item) for name, item in by_name(items) if _group(name) in GROUPS}


def _group(name: str) -> str:
    return name.partition(".")[2]


def _crd(name: str, item: JsonObject) -> JsonObject:
    served = [each for _, each in parts((), get(item, "spec", "versions")) if each.get("served")]
    versions: list[Json] = [str(each.get("name")) for each in served]
    fields: list[Json] = []
    for each in served if name == PYTORCHJOBS else ():
        schema = get(each, "schema", "openAPIV3Schema", "properties", "spec")
        fields += field_names(as_object(schema))
    return {"versions": versions, **({"fields": fields} if fields else {})}
