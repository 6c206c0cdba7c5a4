"""The fields of an experiment → how many values stand in fields of ours, and how many are raw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.rules.walk import as_list, as_object

if TYPE_CHECKING:
    from genjob.importing.job import Taken
    from genjob.jsontypes import Json, JsonObject

OVERRIDES: Final = "pod_overrides"
JOB_OVERRIDES: Final = "job_overrides"
_VERBATIM: Final = (
    ("init_containers",),
    ("scheduling", "tolerations"),
    ("scheduling", "affinity"),
    ("scheduling", "topology_spread"),
    ("elastic", "metrics"),
)
"""Fields that hold a piece of Kubernetes in its own spelling."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """How many values a job has, and how many of them are raw: in fields for that, or overrides."""

    total: int
    verbatim: int
    overrides: int

    @property
    def typed(self) -> int:
        """Values in fields that have a type of their own."""
        return self.total - self.verbatim - self.overrides


def leaves_of(job: JsonObject, taken: Taken) -> Leaves:
    """Return the figures of a settled job and what was taken of it."""
    spec = as_object(job.get("spec"))
    raw = [as_object(role.get(OVERRIDES)) for role in taken.roles]
    overrides = sum(map(_said, [*raw, as_object(taken.fields.get(JOB_OVERRIDES))]))
    roles: list[JsonObject] = [*taken.roles, {"elastic": taken.fields.get("elastic")}]
    verbatim = sum(_count(_at(role, path)) for role in roles for path in _VERBATIM)
    return Leaves(_count(spec) + _count(_metadata(job)), verbatim, overrides)


def _metadata(job: JsonObject) -> JsonObject:
    metadata = as_object(job.get("metadata"))
    return {key: value for key, value in metadata.items() if key != "namespace"}


def _at(fields: JsonObject, path: tuple[str, ...]) -> Json:
    node: Json = fields
    for key in path:
        node = as_object(node).get(key)
    return node


def _count(value: Json) -> int:
    """Return the number of leaves; an empty list or mapping is one, None is none."""
    if isinstance(value, dict):
        return sum(map(_count, value.values())) if value else 1
    if isinstance(value, list):
        return sum(map(_count, value)) if value else 1
    return 0 if value is None else 1


def _said(overrides: JsonObject) -> int:
    """Return the number of leaves of overrides that say something by themselves."""
    if not overrides:
        return 0
    anchors = [
        item
        for item in as_list(overrides.get("containers"))
        if as_object(item).get("name") == "pytorch"
    ]
    return _count(overrides) - len(anchors)
