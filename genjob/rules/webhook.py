"""A PyTorchJob → what the validating webhook of the operator refuses, before anything is stored.

The webhook sees the object without the defaults: the operator fills those in later.
Symptom: the operator's webhook refuses the job: `denied the request`.
Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/webhooks/pytorch/pytorchjob_webhook.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.topology import ROLES, has_only_known_roles, is_elastic, roles
from genjob.rules.walk import (
    ELASTIC,
    MAIN_CONTAINER,
    REPLICA_SPECS,
    as_int,
    as_list,
    as_object,
    as_str,
    get,
    parts,
    replica_specs,
)
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.rules.walk import Part

MANAGERS = ("kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue")
REFUSED = "the operator's webhook refuses it"
REFUSED_BEFORE = "the schema of the CRD refuses it"


def job_name_not_dns_label(job: JsonObject) -> Iterator[Hit]:
    """A job's name is also that of its Services, so it must be a DNS-1035 label."""
    name = as_str(get(job, "metadata", "name"))
    if name and (fault := names.dns_1035_label(name)):
        message = f"name {quoted(name)} {fault}; {REFUSED}"
        yield Hit(("metadata", "name"), message, f"write {quoted(names.label_suggestion(name))}")


def elastic_without_worker(job: JsonObject) -> Iterator[Hit]:
    """An elastic job needs a Worker replica spec: its pods are all workers."""
    if is_elastic(job) and has_only_known_roles(job) and "Worker" not in roles(job):
        message = f"elasticPolicy needs a Worker replica spec; {REFUSED}"
        hint = "add 'spec.pytorchReplicaSpecs.Worker' or remove elasticPolicy"
        yield Hit(ELASTIC, message, hint, at_key=True)


def elastic_nproc_per_node(job: JsonObject) -> Iterator[Hit]:
    """The processes per node of an elastic job were moved out of elasticPolicy in version 1.7.

    Symptom: a warning of the webhook; later releases of the operator drop the field.
    """
    if get(job, *ELASTIC, "nProcPerNode") is not None and _nproc(job) is None:
        message = "'nProcPerNode' of elasticPolicy is deprecated"
        hint = "write 'spec.nprocPerNode', as a text"
        yield Hit((*ELASTIC, "nProcPerNode"), message, hint, at_key=True)


def two_nproc_per_node(job: JsonObject) -> Iterator[Hit]:
    """The processes per node are given in both of the two places."""
    if get(job, *ELASTIC, "nProcPerNode") is not None and _nproc(job) is not None:
        message = f"'nProcPerNode' is given beside 'spec.nprocPerNode'; {REFUSED}"
        yield Hit((*ELASTIC, "nProcPerNode"), message, "remove it", at_key=True)


def no_replica_specs(job: JsonObject) -> Iterator[Hit]:
    """A job without replica specs has no pods.

    Symptom: the API server refuses it by the schema of the CRD, before the webhook is asked; where
    they are there and empty, nobody refuses it and nothing happens.
    """
    specs = get(job, *REPLICA_SPECS)
    is_of_old_api = isinstance(get(job, "spec", "replicaSpecs"), list)  # the schema says so
    if (specs is None or specs == {}) and not is_of_old_api:
        message = "a PyTorchJob without 'pytorchReplicaSpecs' has no pods"
        message += f"; {REFUSED_BEFORE}" if specs is None else ", and nobody refuses it"
        hint = "add a Master with 1 replica, and a Worker with the other nodes"
        yield Hit(("spec",), message, hint, at_key=True)


def unknown_replica_type(job: JsonObject) -> Iterator[Hit]:
    """The replica types of a PyTorchJob are Master and Worker, in exactly these letters."""
    for role in roles(job):
        if role not in ROLES:
            message = f"replica type {quoted(role)} is not known; {REFUSED}"
            hint = did_you_mean(role, ROLES) or f"write {one_of(ROLES)}"
            yield Hit((*REPLICA_SPECS, role), message, hint, at_key=True)


def null_replica_spec(job: JsonObject) -> Iterator[Hit]:
    """A replica spec that is null is none.

    Symptom: the API server refuses it by the schema of the CRD, before the webhook is asked.
    """
    for role, spec in roles(job).items():
        if spec is None:
            message = f"the replica spec is null; {REFUSED_BEFORE}"
            hint = "write the replica spec or remove the key"
            yield Hit((*REPLICA_SPECS, role), message, hint, at_key=True)


def no_containers(job: JsonObject) -> Iterator[Hit]:
    """Each replica spec needs at least one container."""
    for path, pod in _pods(job):
        if pod.get("containers") is None or pod["containers"] == []:
            message = f"the replica spec has no containers; {REFUSED}"
            yield Hit(path, message, f"add a container named '{MAIN_CONTAINER}'", at_key=True)


def container_without_image(job: JsonObject) -> Iterator[Hit]:
    """Each container needs an image."""
    for path, pod in _pods(job):
        for at, container in parts((*path, "containers"), pod.get("containers")):
            if container.get("image") in (None, ""):
                message = f"the container has no image; {REFUSED}"
                where = (*at, "image") if "image" in container else at
                yield Hit(where, message, "write 'image'")


def no_pytorch_container(job: JsonObject) -> Iterator[Hit]:
    """The operator sets up the container named 'pytorch', so each replica spec needs one."""
    for path, pod in _pods(job):
        present = [as_str(as_object(each).get("name")) for each in as_list(pod.get("containers"))]
        if not present or MAIN_CONTAINER in present:
            continue
        message = f"no container is named '{MAIN_CONTAINER}'"
        listed = ", ".join(quoted(name) for name in present if name)
        at: DocPath = (0, "name") if len(present) == 1 and present[0] else ()
        yield Hit(
            (*path, "containers", *at),
            f"{message} (found: {listed or 'no name'}); {REFUSED}",
            f"name the container that trains '{MAIN_CONTAINER}'",
        )


def master_replicas_not_one(job: JsonObject) -> Iterator[Hit]:
    """A job has one Master, and its count must be written: the default comes after the check."""
    spec = replica_specs(job).get("Master")
    if spec is None:
        return
    path: DocPath = (*REPLICA_SPECS, "Master")
    count = as_int(spec.get("replicas"))
    if spec.get("replicas") is None:
        message = f"the Master has no 'replicas'; {REFUSED}"
        yield Hit(path, message, "write 'replicas: 1'", at_key=True)
    elif count is not None and count != 1:
        message = f"the Master has {count} replicas, expected 1; {REFUSED}"
        hint = "write 'replicas: 1', and the other nodes as replicas of the Worker"
        yield Hit((*path, "replicas"), message, hint)


def worker_replicas_below_one(job: JsonObject) -> Iterator[Hit]:
    """A Worker replica spec has at least one replica; a job without workers leaves it out."""
    count = as_int(replica_specs(job).get("Worker", {}).get("replicas"))
    if count is not None and count < 1:
        message = f"the Worker has {count} replicas, expected at least 1; {REFUSED}"
        hint = "remove the Worker replica spec, or write a positive number"
        yield Hit((*REPLICA_SPECS, "Worker", "replicas"), message, hint)


def unknown_manager(job: JsonObject) -> Iterator[Hit]:
    """A job is managed by the training operator or by MultiKueue."""
    manager = as_str(get(job, "spec", "runPolicy", "managedBy"))
    if manager is not None and manager not in MANAGERS:
        message = f"managedBy is {quoted(manager)}, expected {one_of(MANAGERS)}; {REFUSED}"
        yield Hit(("spec", "runPolicy", "managedBy"), message, did_you_mean(manager, MANAGERS))


def _nproc(job: JsonObject) -> Json:
    return get(job, "spec", "nprocPerNode")


def _pods(job: JsonObject) -> Iterator[Part]:
    """Yield the pod spec of each replica spec, an empty one where it is missing."""
    for role, spec in replica_specs(job).items():
        template = spec.get("template", {})
        pod = get(template, "spec") or {}
        if isinstance(template, dict) and isinstance(pod, dict):
            yield (*REPLICA_SPECS, role, "template", "spec"), pod
