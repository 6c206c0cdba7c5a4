"""One Kubernetes object → its place in the tree: the slot that base and overlay share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

JOB_SLOT = "pytorchjob"
"""The slot of the job itself; its patch is just `patch.yaml`, the file a reviewer opens first."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A Kubernetes object and the stem of its file.

    The slot stays the same over environments, also where `metadata.name` differs
    (ConfigMaps are named by content).
    """

    slot: str
    body: JsonObject


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
