"""What was sent or predicted, and what is stored → the differences that matter.

The API server adds defaults and admission adds volumes and tolerations; so what was sent must be in
what is stored, and a list may only grow at its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.jsontypes import dotted
from genjob.quantity import parse_quantity
from genjob.rules.walk import as_list, as_object, get, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.prediction import PredictedPod, PredictedService

MAY_GROW = frozenset({"volumes", "volumeMounts", "tolerations", "finalizers"})
"""Lists that admission adds to."""

DROPPED: tuple[Json, ...] = (None, {}, [], "", False, 0)
"""What the API server may leave out of a core object: the zero values of Go."""


def lost(sent: Json, stored: Json, path: DocPath = ()) -> Iterator[str]:
    """Yield each part of what was sent that is not stored, or is stored as something else."""
    if isinstance(sent, dict) and isinstance(stored, dict):
        for key, value in sent.items():
            if key in stored:
                yield from lost(value, stored[key], (*path, key))
            elif value not in DROPPED:
                yield f"{dotted((*path, key))} is not stored"
    elif isinstance(sent, list) and isinstance(stored, list):
        yield from _lost_items(sent, stored, path)
    elif not _same(sent, stored):
        yield f"{dotted(path)} is {stored!r}, not {sent!r}"


def _lost_items(sent: list[Json], stored: list[Json], path: DocPath) -> Iterator[str]:
    may_grow = bool(path) and path[-1] in MAY_GROW
    if len(stored) < len(sent) or (len(stored) > len(sent) and not may_grow):
        yield f"{dotted(path)} has {len(stored)} items, not {len(sent)}"
        return
    for index, value in enumerate(sent):
        yield from lost(value, stored[index], (*path, index))


def _same(sent: Json, stored: Json) -> bool:
    """Compare scalars by JSON type; the server writes a quantity in its own way."""
    if type(sent) is type(stored) and sent == stored:
        return True
    try:
        return parse_quantity(str(sent)) == parse_quantity(str(stored))
    except ValueError:
        return False


def pod_differences(predicted: PredictedPod, pod: JsonObject) -> list[str]:
    """Return how a pod differs from what was predicted of it, in one line each."""
    labels, annotations = (get(pod, "metadata", key) for key in ("labels", "annotations"))
    return [
        *lost({**predicted.labels}, labels, ("labels",)),
        *lost({**predicted.annotations}, as_object(annotations), ("annotations",)),
        *lost(predicted.spec, pod["spec"], ("spec",)),
        *(f"label {key} was not predicted" for key in {*as_object(labels)} - {*predicted.labels}),
        *_unpredicted_variables(predicted, pod),
    ]


def _unpredicted_variables(predicted: PredictedPod, pod: JsonObject) -> Iterator[str]:
    """Compare every variable of every container, in order, as name and value."""
    for field, known in (
        ("containers", predicted.containers),
        ("initContainers", predicted.init_containers),
    ):
        for _, container in parts((), get(pod, "spec", field)):
            name = str(container["name"])
            wanted = _variables(known.get(name, {}))
            if (found := _variables(container)) != wanted:
                yield f"variables of {name}: {found}, not {wanted}"


def _variables(container: JsonObject) -> list[tuple[str, Json]]:
    """Return name and value of each variable, a reference as what it refers to."""
    entries = [as_object(each) for each in as_list(container.get("env"))]
    return [
        (str(each.get("name")), each.get("value", "") if "valueFrom" not in each else "reference")
        for each in entries
    ]


def service_differences(predicted: PredictedService, service: JsonObject) -> list[str]:
    """Return how a Service differs from what was predicted of it, in one line each."""
    spec = as_object(service["spec"])
    ports = {str(p.get("name", "")): p.get("port") for _, p in parts((), spec.get("ports"))}
    wanted = {
        "ports": {**predicted.ports},
        "selector": {**predicted.selector},
        "labels": {**predicted.labels},
        "clusterIP": "None",
    }
    found = {
        "ports": ports,
        "selector": spec.get("selector"),
        "labels": get(service, "metadata", "labels"),
        "clusterIP": spec.get("clusterIP"),
    }
    unlike = [key for key in wanted if found[key] != wanted[key]]
    return [f"{key} is {found[key]}, not {wanted[key]}" for key in unlike]
