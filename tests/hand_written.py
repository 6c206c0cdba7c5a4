"""The spec of a PyTorchJob as YAML text → the object that the API server would store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


def job(spec: str, name: str = "llama") -> JsonObject:
    """Return a PyTorchJob with this spec."""
    loaded: Json = json.loads(json.dumps(yaml.safe_load(spec)))
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": name},
        "spec": loaded,
    }


def role(container: str, replicas: int = 1, beside: str = "") -> str:
    """Return a replica spec in flow style: fields of the container, and of the pod beside it."""
    containers = f"containers: [{{name: pytorch, image: i, {container}}}]"
    return f"{{replicas: {replicas}, template: {{spec: {{{containers}, {beside}}}}}}}"
