"""What the objects of every engine share: their names, their metadata, their kustomization."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from genjob.manifests.labels import ENVIRONMENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.gitops.source import Destination, Source
    from genjob.jsontypes import JsonObject

LONGEST_NAME = 63
"""Flux labels what it applies with the name of its Kustomization: the limit of a label's value."""

_DIGITS = 8


def object_name(source: Source, destination: Destination) -> str:
    """Return the name of an environment's objects; one that is too long ends in its hash."""
    name = f"{source.name}-{destination.environment}"
    if len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]
    return f"{name[: LONGEST_NAME - _DIGITS - 1].rstrip('-')}-{digest}"


def metadata(source: Source, destination: Destination, namespace: str) -> JsonObject:
    """Return the metadata of an environment's object; `namespace` is the engine's usual one."""
    return {
        "name": object_name(source, destination),
        "namespace": source.namespace or namespace,
        "labels": {ENVIRONMENT: destination.environment},
    }


def kustomization(resources: Iterable[str]) -> JsonObject:
    """Return the kustomization of a folder: the files and folders in it, so that -k applies it."""
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [*sorted(resources)],
    }
