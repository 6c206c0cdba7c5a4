"""Counts, processes and elastic policy of a job → nodes, with_master, nproc_per_node, elastic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.importing.rest import (
    below,
    present,
    take_count,
    take_objects,
    take_text,
    take_word,
)
from genjob.prediction.defaults import counts, node_bounds
from genjob.rules.operator import NPROC_WORDS
from genjob.rules.walk import as_object, replica_specs

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

_LARGEST_PORT: Final = 65535
_BACKENDS: Final = ("c10d", "etcd", "etcd-v2")
_DETECT: Final = "detect"
"""What an experiment calls the operator's `auto`: torchrun counts for itself."""


def topology(job: JsonObject, spec: JsonObject) -> JsonObject:
    """Take how many pods and processes a job has. `spec` is what is left of that of `job`."""
    pods = counts(job)
    made: JsonObject = {"nodes": max(1, sum(pods.values()))}
    is_elastic = isinstance(spec.get("elasticPolicy"), dict) and min(node_bounds(job)) > 0
    if ("Master" in pods) == is_elastic:
        made["with_master"] = "Master" in pods
    made["nproc_per_node"] = _processes(spec)
    if is_elastic:
        made["elastic"] = _elastic(job, below(spec, "elasticPolicy"))
        if not spec["elasticPolicy"]:
            del spec["elasticPolicy"]
    for role, replica in replica_specs(job).items():
        _take_replicas(below(below(spec, "pytorchReplicaSpecs"), role), replica, pods.get(role, 1))
    return made


def _take_replicas(rest: JsonObject, replica: JsonObject, count: int) -> None:
    if replica.get("replicas", 1) == count:
        rest.pop("replicas", None)


def _processes(spec: JsonObject) -> Json:
    word = spec.get("nprocPerNode")
    if word is None:
        return _DETECT
    if word in NPROC_WORDS:
        del spec["nprocPerNode"]
        return _DETECT if word == "auto" else word
    text = word if isinstance(word, str) else ""
    if text.isascii() and text.isdecimal() and str(int(text)) == text != "0":
        del spec["nprocPerNode"]
        return int(text)
    return _DETECT


def _elastic(job: JsonObject, rest: JsonObject) -> JsonObject:
    low, high = node_bounds(job)
    for key, bound in (("minReplicas", low), ("maxReplicas", high)):
        if rest.get(key) == bound:
            del rest[key]
    return present(
        min_nodes=low,
        max_nodes=high,
        max_restarts=take_count(rest, "maxRestarts"),
        rdzv_backend=_backend(rest),
        rdzv_host=take_text(rest, "rdzvHost"),
        rdzv_port=take_count(rest, "rdzvPort", least=1, most=_LARGEST_PORT),
        rdzv_id=take_text(rest, "rdzvId"),
        rdzv_conf=_conf(rest),
        metrics=take_objects(rest, "metrics"),
    )


def _backend(rest: JsonObject) -> str | None:
    word = take_word(rest, "rdzvBackend", _BACKENDS)
    return None if word == _BACKENDS[0] else word


def _conf(rest: JsonObject) -> JsonObject:
    items = rest.get("rdzvConf")
    entries = [as_object(item) for item in items] if isinstance(items, list) else []
    texts = {
        key: entry["value"]
        for entry in entries
        if isinstance(key := entry.get("key"), str)
        and {*entry} == {"key", "value"}
        and isinstance(entry["value"], str)
    }
    if not texts or len(texts) != len(entries):
        return {}
    del rest["rdzvConf"]
    return {**texts}
