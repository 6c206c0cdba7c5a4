"""Committed overlays → the objects to apply, in a namespace of their own, and what they need."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from genjob.kustomize.engine import build, find_engine
from genjob.kustomize.overlay import KUSTOMIZATION
from genjob.rules.walk import as_object, as_str, get, pod_specs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.jsontypes import Json, JsonObject
    from genjob.kustomize.engine import Engine
    from tests.cluster.api import Cluster

CHECKOUT = Path(__file__).parent.parent.parent
CASES = CHECKOUT / "tests" / "cases"
JOB = "PyTorchJob"


@dataclass(frozen=True)
class Overlay:
    """The objects of one experiment in one environment; the job comes last, as Argo CD has it."""

    namespace: str
    objects: list[JsonObject]

    @property
    def job(self) -> JsonObject:
        """The job itself."""
        return self.objects[-1]


def committed() -> list[Path]:
    """Return the overlays of this repository's own workspace."""
    return _folders(CHECKOUT / "overlays")


def golden() -> list[Path]:
    """Return the overlays of the golden cases."""
    return _folders(CASES)


def name_of(folder: Path) -> str:
    """Return what a test is called by: `prod/basic-pytorchjob`, `elastic/dev/train`."""
    above = {"tests", "cases", "expected", "overlays"}
    return "/".join(part for part in folder.relative_to(CHECKOUT).parts if part not in above)


def _folders(root: Path) -> list[Path]:
    found = {path.parent for path in root.rglob(f"overlays/*/*/{KUSTOMIZATION}")}
    return sorted(found | {path.parent for path in root.glob(f"*/*/{KUSTOMIZATION}")})


@cache
def _engine() -> Engine:
    return find_engine(os.environ)


def built(folder: Path) -> Overlay:
    """Return what the real Kustomize builds of an overlay.

    Golden cases share names and namespaces, so each is put in a namespace of its own.
    """
    objects = build(_engine(), folder)
    if folder.is_relative_to(CASES):
        return placed(objects, name_of(folder).replace("/", "-"))
    return placed(objects, str(get(objects[0], "metadata", "namespace")))


def placed(objects: Iterable[JsonObject], namespace: str) -> Overlay:
    """Return objects in another namespace; nothing in an object names that of another."""
    moved = [
        {**body, "metadata": {**as_object(body["metadata"]), "namespace": namespace}}
        for body in objects
    ]
    return Overlay(namespace, sorted(moved, key=lambda body: body["kind"] == JOB))


def provide(cluster: Cluster, overlay: Overlay) -> None:
    """Make what a platform has before a job comes: without it, the API server refuses its pods.

    What has an impossible name is not made, and so the pods that name it are refused.
    """
    cluster.new_namespace(overlay.namespace)
    for _, pod in pod_specs(overlay.job):
        for body in _needed(pod, overlay.namespace):
            cluster.apply(body)


def _needed(pod: JsonObject, namespace: str) -> Iterator[JsonObject]:
    if account := as_str(pod.get("serviceAccountName")):
        yield _object("v1", "ServiceAccount", {"name": account, "namespace": namespace})
    if priority := as_str(pod.get("priorityClassName")):
        yield _object("scheduling.k8s.io/v1", "PriorityClass", {"name": priority}, value=1000)
    if runtime := as_str(pod.get("runtimeClassName")):
        yield _object("node.k8s.io/v1", "RuntimeClass", {"name": runtime}, handler=runtime)


def _object(api_version: str, kind: str, metadata: JsonObject, **fields: Json) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}
