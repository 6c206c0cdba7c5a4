"""The objects of a run → the same, with what their engine must be told about each of them.

It is read from the finished object, also that of a held run, so that it is never out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.gitops.substitution import NO_SUBSTITUTION, needs_no_substitution
from genjob.manifest import Manifest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import Json, JsonObject
    from genjob.model.names import Engine

_JOB = "PyTorchJob"

AUTOSCALED = "genjob.dev/autoscaled"
"""The label of a job whose number of workers an autoscaler sets; Flux selects by labels only."""


def marked(objects: Iterable[Manifest], engine: Engine) -> list[Manifest]:
    """Return objects as they are committed for an engine. Argo CD reads the objects themselves."""
    if engine != "flux":
        return [*objects]
    return [Manifest(each.slot, _for_flux(each.body)) for each in objects]


def _for_flux(body: JsonObject) -> JsonObject:
    if needs_no_substitution(body):
        body = _with(body, "annotations", NO_SUBSTITUTION)
    return _with(body, "labels", {AUTOSCALED: "true"}) if _is_autoscaled(body) else body


def _is_autoscaled(body: JsonObject) -> bool:
    elastic = _mapping(_mapping(body.get("spec")).get("elasticPolicy"))
    return body.get("kind") == _JOB and bool(elastic.get("metrics"))


def _with(body: JsonObject, section: str, rows: dict[str, str]) -> JsonObject:
    metadata = _mapping(body.get("metadata"))
    return body | {"metadata": metadata | {section: _mapping(metadata.get(section)) | rows}}


def _mapping(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
