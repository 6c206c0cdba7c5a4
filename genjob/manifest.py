"""One Kubernetes object → its place in the tree: the slot that base and overlay share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

JOB_SLOT = "pytorchjob"
"""The slot of the job itself; its patch is just `patch.yaml`, the file a reviewer opens first."""

_LARGEST_EXACT = 2**53
"""The integers up to here are the ones that a float64 holds exactly."""


@dataclass(frozen=True)
class Manifest:
    """A Kubernetes object and the stem of its file.

    The slot stays the same over environments, also where `metadata.name` differs
    (ConfigMaps are named by content).
    """

    slot: str
    body: JsonObject

    @cached_property
    def plain(self) -> JsonObject:
        """The object as Kustomize hands it on; see the function `plain`."""
        return plain(self.body)


class Identity(NamedTuple):
    """What Kubernetes and Kustomize tell objects apart by."""

    api_version: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        """Return it as messages name an object: kind, then namespace/name."""
        place = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} '{place}{self.name}'"


def identity(body: JsonObject) -> Identity:
    """Return the identity of an object; what is missing or not text counts as empty."""
    metadata = body.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    parts = (body.get("apiVersion"), body.get("kind"), named.get("namespace"), named.get("name"))
    return Identity(*(part if isinstance(part, str) else "" for part in parts))


def plain(body: JsonObject) -> JsonObject:
    """Return an object as Kustomize hands it on: itself when that is the same.

    Empty `metadata.annotations` vanish, so that a patch below them would find no parent; a float
    that is an integer becomes one. Source: measured with Kustomize v5.8.1.
    """
    metadata = body.get("metadata")
    if isinstance(metadata, dict) and metadata.get("annotations", True) in ({}, None):
        kept = {key: value for key, value in metadata.items() if key != "annotations"}
        body = body | {"metadata": kept}
    if not _has_float(body):
        return body
    return {key: _settled(value) for key, value in body.items()}


def _has_float(value: Json) -> bool:
    if isinstance(value, str):  # most are
        return False
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return any(map(_has_float, value)) if isinstance(value, list) else isinstance(value, float)


def _settled(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _settled(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_settled(child) for child in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    return value
