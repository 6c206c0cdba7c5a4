"""The document of an experiment → what it says that concerns the others, without its layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.memory.memory import Reading
from genjob.resolve.merge import value_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.document import Document

_METRICS = ("elastic", "metrics")


def reading_of(name: str, document: Document) -> Reading:
    """Return what an experiment, called as its folder is, says that concerns the others."""
    named = document.data.get("environments")
    there = named if isinstance(named, dict) else {}
    scaled = (each for each in there if _is_autoscaled(document, each))
    return Reading((*there,), (*_claims_of(name, document),), (*scaled,))


def _claims_of(experiment: str, document: Document) -> Iterable[str]:
    storages = document.data.get("storage")
    for storage in storages if isinstance(storages, list) else ():
        name, own = value_at(storage, ("name",)), value_at(storage, ("pvc", "name"))
        if isinstance(name, str) and value_at(storage, ("pvc", "size")) is not None:
            yield own if isinstance(own, str) else f"{experiment}-{name}"


def _is_autoscaled(document: Document, environment: str) -> bool:
    here = value_at(document.data, ("environments", environment))
    if here is None:
        return False
    return any(value_at(tree, _METRICS) for tree in (document.data, here))
