"""Objects of a job → the hash of its run: what reaches the pods, and the topology.

Labels, the run policy and names are not part of it, nor is the spelling of a quantity: `1000Gi` is
`1024000Mi`. A ConfigMap of ours is named by its content, so its name stands for it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from genjob.manifest import identity, plain
from genjob.quantity import read_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.jsontypes import Json, JsonObject

HASH_LENGTH = 8

JOB_KINDS = frozenset({"PyTorchJob"})

_REPLICAS = "pytorchReplicaSpecs"
_TOPOLOGY = ("nprocPerNode", "elasticPolicy")
_AMOUNTS = frozenset({"limits", "requests"})
_AMOUNT = frozenset({"sizeLimit", "divisor"})


def job_of(objects: Iterable[JsonObject]) -> JsonObject:
    """Return the job among the objects of a run.

    Raises:
        ValueError: when there is none.
    """
    for body in objects:
        if body.get("kind") in JOB_KINDS:
            return body
    raise ValueError("no job among the objects")


def run_hash(job: JsonObject) -> str:
    """Return the identity of a run, 8 hexadecimal digits."""
    return digest(essence(plain(job)))[:HASH_LENGTH]


def objects_digest(objects: Iterable[JsonObject]) -> str:
    """Return the digest of objects as Kustomize hands them on, whatever their order."""
    return digest([*sorted(map(plain, objects), key=identity)])


def digest(value: Json) -> str:
    """Return the SHA-256 of a JSON value, whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def essence(job: JsonObject) -> JsonObject:
    """Return what makes a run this run: the pods of each role, how many, where, how they meet."""
    spec = _mapping(job.get("spec"))
    name = _mapping(job.get("metadata")).get("name")
    pods: dict[int, JsonObject] = {}  # a template that roles share is read once
    roles = {role: _role(_mapping(body), name, pods) for role, body in replicas(job).items()}
    topology = {key: spec[key] for key in _TOPOLOGY if key in spec}
    namespace = _mapping(job.get("metadata")).get("namespace")
    return {**topology, "namespace": namespace, "roles": {**roles}}


def replicas(job: JsonObject) -> JsonObject:
    """Return the replica specs of a job by role."""
    return _mapping(_mapping(job.get("spec")).get(_REPLICAS))


def _role(replica: JsonObject, job_name: Json, pods: dict[int, JsonObject]) -> JsonObject:
    template = replica.get("template")
    if id(template) not in pods:
        pods[id(template)] = _pod(_mapping(template), job_name)
    return {"replicas": replica.get("replicas"), **pods[id(template)]}


def _pod(template: JsonObject, job_name: Json) -> JsonObject:
    annotations = _mapping(_mapping(template.get("metadata")).get("annotations"))
    return {"annotations": annotations, "pod": _canonical(template.get("spec"), job_name)}


def _canonical(value: Json, job_name: Json, key: str = "") -> Json:
    """Return a piece of pod spec in which equal things are spelled alike, and no run is named."""
    if isinstance(value, dict):
        if key in _AMOUNTS:
            return {name: _amount(amount) for name, amount in value.items()}
        return {name: _canonical(below, job_name, name) for name, below in value.items()}
    if isinstance(value, list):
        return [_canonical(item, job_name) for item in value]
    if key in _AMOUNT:
        return _amount(value)
    return None if key == JOB_NAME_LABEL and value == job_name else value


def _amount(value: Json) -> Json:
    number = read_quantity(value)
    return value if number is None else str(number)


def _mapping(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


JOB_NAME_LABEL = "training.kubeflow.org/job-name"
"""Label of the pods of a job, by which `spread` keeps them apart; its value is the run's name."""
