"""Pieces of YAML → the objects of a small run, for tests of the runs."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from genjob.manifest import Manifest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject


def pod(lr: str) -> dict[str, Any]:
    """Return the template of a pod with one variable."""
    container = {"name": "pytorch", "image": "x:1", "env": [{"name": "LR", "value": lr}]}
    return {"metadata": {"labels": {"team": "old"}}, "spec": {"containers": [container]}}


def job(name: str = "a-1", *, lr: str = "1e-4", **spec: Any) -> dict[str, Any]:  # noqa: ANN401 # any piece of a manifest
    """Return a PyTorchJob with one worker; `spec` replaces keys of its spec."""
    worker = {"replicas": 1, "restartPolicy": "OnFailure", "template": pod(lr)}
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": name, "namespace": "ml", "labels": {"team": "old"}},
        "spec": {
            "nprocPerNode": "8",
            "runPolicy": {"backoffLimit": 1},
            "pytorchReplicaSpecs": {"Worker": worker},
            **spec,
        },
    }


def config_map(name: str, namespace: str = "ml", **data: str) -> dict[str, Any]:
    """Return an immutable ConfigMap."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace},
        "immutable": True,
        "data": {**data},
    }


def claim(size: str = "1Ti", storage_class: str | None = "fast", **spec: Any) -> dict[str, Any]:  # noqa: ANN401 # any piece of a manifest
    """Return a claim."""
    named = {} if storage_class is None else {"storageClassName": storage_class}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "a-data", "namespace": "ml"},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            **named,
            "resources": {"requests": {"storage": size}},
            **spec,
        },
    }


def slots(*objects: tuple[str, JsonObject]) -> list[Manifest]:
    """Return objects in their slots."""
    return [Manifest(slot, body) for slot, body in objects]


def by_slot(manifests: Sequence[Manifest]) -> dict[str, dict[str, Any]]:
    """Return slot → object; each slot may be there once."""
    found = {manifest.slot: copy.deepcopy(manifest.body) for manifest in manifests}
    assert len(found) == len(manifests)
    return found
