"""The placement of a pod → what it demands of the labels of a node.

Source: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ (v1.31)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.pod_affinity import REQUIRED
from genjob.rules.walk import as_object, get, parts, pod_specs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.walk import Part

_TERMS: Final[DocPath] = ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")


def label_keys(job: JsonObject) -> Iterator[str]:
    """Yield the keys of the labels that the pods of a job demand of a node."""
    for _, pod in pod_specs(job):
        yield from as_object(pod.get("nodeSelector"))
        for _, term in _terms(pod):
            yield from (str(each.get("key")) for each in _expressions(term))


def _terms(pod: JsonObject) -> Iterator[Part]:
    yield from parts(_TERMS, get(pod, *map(str, _TERMS)))


def _expressions(term: JsonObject) -> Iterator[JsonObject]:
    for _, expression in parts((), term.get("matchExpressions")):
        yield expression
