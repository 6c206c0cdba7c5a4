"""A run as it was committed, and as it would be now → the run with its pods as they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.manifest import Manifest, identity
from genjob.manifests.pytorchjob import QUEUE_LABEL
from genjob.runs.identity import JOB_KINDS, job_of, replicas

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.jsontypes import Json, JsonObject

_OF_THE_RUN = ("nprocPerNode", "elasticPolicy")
_GANG = "schedulingPolicy"


@dataclass(frozen=True, slots=True)
class HeldBack:
    """What a held run does not get yet: the fields of its pods that would change."""

    experiment: str
    environment: str
    changes: tuple[str, ...]


def hold(now: Sequence[Manifest], committed: Sequence[JsonObject]) -> list[Manifest]:
    """Return the objects of a held run.

    Its pods, their number, how they meet, their namespace, and the ConfigMaps and claims that they
    use are as they were committed; its metadata, its run policy and the size of its claims are as
    they are now.
    """
    old = job_of(committed)
    namespace = identity(old).namespace
    held = [_job_as_it_was(_placed(m, namespace), old) for m in now if _kind(m.body) in JOB_KINDS]
    return [*held, *_others(now, committed, namespace)]


def keep_policy(objects: Sequence[Manifest], committed: Sequence[JsonObject]) -> list[Manifest]:
    """Return the objects of a run that goes on with its run policy as committed, but for its gang.

    A deadline would end the job, and `suspend` take its pods.
    """
    old = job_of(committed)
    return [_policy_as_it_was(m, old) if _kind(m.body) in JOB_KINDS else m for m in objects]


def keep_queue(objects: Sequence[Manifest], committed: Sequence[JsonObject]) -> list[Manifest]:
    """Return the objects of a run that goes on in the queue that it was committed with.

    Kueue refuses another queue of a job that it has admitted, and the CRD another one of its gang.
    """
    old = job_of(committed)
    return [_queue_as_it_was(m, old) if _kind(m.body) in JOB_KINDS else m for m in objects]


def _kind(body: JsonObject) -> str:
    return identity(body).kind


def _placed(manifest: Manifest, namespace: str) -> Manifest:
    body = manifest.body
    metadata = _mapping(body.get("metadata")) | {"namespace": namespace}
    return Manifest(manifest.slot, body | {"metadata": metadata})


def _job_as_it_was(manifest: Manifest, old: JsonObject) -> Manifest:
    now = manifest.body
    spec, before = _mapping(now.get("spec")), _mapping(old.get("spec"))
    kept = {key: before[key] for key in _OF_THE_RUN if key in before}
    rest = {key: value for key, value in spec.items() if key not in _OF_THE_RUN}
    roles = _with_restart_policy(replicas(old), replicas(now))
    return Manifest(manifest.slot, now | {"spec": {**rest, **kept, "pytorchReplicaSpecs": roles}})


def _policy_as_it_was(manifest: Manifest, old: JsonObject) -> Manifest:
    now = manifest.body
    spec, policy = _mapping(now.get("spec")), _mapping(old.get("spec")).get("runPolicy")
    roles = _with_restart_policy(replicas(now), replicas(old))
    gang = _mapping(spec.get("runPolicy")).get(_GANG)
    kept = _with(_mapping(policy), _GANG, gang)
    spec = spec | {"runPolicy": kept, "pytorchReplicaSpecs": roles}
    return Manifest(manifest.slot, now | {"spec": spec})


def _queue_as_it_was(manifest: Manifest, old: JsonObject) -> Manifest:
    metadata, spec = (_mapping(manifest.body.get(key)) for key in ("metadata", "spec"))
    labels = _with(_mapping(metadata.get("labels")), QUEUE_LABEL, queue_of(old))
    before = _mapping(_mapping(old.get("spec")).get("runPolicy"))
    policy = _with(_mapping(spec.get("runPolicy")), _GANG, before.get(_GANG))
    changed: JsonObject = {
        "metadata": metadata | {"labels": labels},
        "spec": spec | {"runPolicy": policy},
    }
    return Manifest(manifest.slot, manifest.body | changed)


def queue_of(job: JsonObject) -> Json:
    """Return the LocalQueue of a job, or None."""
    return _mapping(_mapping(job.get("metadata")).get("labels")).get(QUEUE_LABEL)


def _with(mapping: JsonObject, key: str, value: Json) -> JsonObject:
    """Return a mapping with one key set, or without it for None."""
    if value is None:
        return {name: below for name, below in mapping.items() if name != key}
    return mapping | {key: value}


def _with_restart_policy(roles: JsonObject, others: JsonObject) -> JsonObject:
    """Return replica specs with the restart policies of the same roles elsewhere."""
    key = "restartPolicy"
    return {
        role: _with(_mapping(body), key, _mapping(others[role]).get(key))
        if role in others
        else _mapping(body)
        for role, body in roles.items()
    }


def _others(
    now: Sequence[Manifest], committed: Sequence[JsonObject], namespace: str
) -> Iterator[Manifest]:
    """Yield the other objects that the run uses, each in a slot of its own.

    What is still there under its name is as it is now: the name of a ConfigMap says its content.
    Any other is as it was, in the slot of the ConfigMap that would replace it.
    """
    free = [m for m in now if _kind(m.body) not in JOB_KINDS]
    left = [body for body in committed if _kind(body) not in JOB_KINDS]
    for alike in (_is_same, _has_same_stem):
        for body in [*left]:
            found = next((m for m in free if alike(body, m.body)), None)
            if found is not None:
                free.remove(found)
                left.remove(body)
                as_now = alike is _is_same
                yield _placed(found, namespace) if as_now else Manifest(found.slot, body)
    for body in left:
        yield Manifest(f"held-{_kind(body).lower()}-{identity(body).name}", body)


def _is_same(one: JsonObject, other: JsonObject) -> bool:
    return (_kind(one), identity(one).name) == (_kind(other), identity(other).name)


def _has_same_stem(one: JsonObject, other: JsonObject) -> bool:
    """Return whether two ConfigMaps have one name but for the hash of their content."""
    stems = [identity(body).name.rpartition("-")[0] for body in (one, other)]
    return {_kind(one), _kind(other)} == {"ConfigMap"} and stems[0] == stems[1]


def _mapping(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
