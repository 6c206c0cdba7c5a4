"""The pod templates of a PyTorchJob → what the operator overwrites, or cannot work with.

Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/pytorch/envvar.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.launch import has_own_rendezvous
from genjob.rules.rule import Hit
from genjob.rules.topology import is_elastic, total_pods
from genjob.rules.walk import ELASTIC, as_str, get, parts, pod_specs, replica_specs
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject

MASTER_ENV = (
    "MASTER_ADDR",
    "MASTER_PORT",
    "PET_MASTER_ADDR",
    "PET_MASTER_PORT",
    "PET_NODE_RANK",
    "RANK",
    "WORLD_SIZE",
)
ELASTIC_ENV = ("PET_RDZV_BACKEND", "PET_RDZV_ENDPOINT")
ELASTIC_ENV_OF_FIELD = {
    "maxRestarts": "PET_MAX_RESTARTS",
    "rdzvId": "PET_RDZV_ID",
    "rdzvConf": "PET_RDZV_CONF",
    "standalone": "PET_STANDALONE",
}
_HINTS = {
    "MASTER_PORT": "remove it, and name the port of the container 'pytorchjob-port'",
    "PET_NPROC_PER_NODE": "remove it, and write 'spec.nprocPerNode'",
}
DNS_OF_NODE = ("ClusterFirst", "Default")
"""DNS policies with which a pod on the host's network asks the node's own resolver."""


def operator_env_overwritten(job: JsonObject) -> Iterator[Hit]:
    """The operator appends its variables after those of the user, and the last one wins.

    Symptom: the program sees another value than the one that was written.
    """
    written = _operator_env(job)
    for path, pod in pod_specs(job):
        for at, container in parts((*path, "containers"), pod.get("containers")):
            for entry_at, entry in parts((*at, "env"), container.get("env")):
                name = as_str(entry.get("name"))
                if name in written:
                    message = f"the operator overwrites {name} in each pod"
                    yield Hit((*entry_at, "name"), message, _HINTS.get(name, "remove it"))


def pod_restart_policy_overwritten(job: JsonObject) -> Iterator[Hit]:
    """The operator writes the restart policy of the replica spec over that of the pod.

    Symptom: pods restart otherwise than it was written.
    Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/core/pod.go
    """
    for path, pod in pod_specs(job):
        policy = as_str(pod.get("restartPolicy"))
        if policy is not None:
            message = (
                f"restartPolicy {quoted(policy)} of the pod is overwritten by the replica spec's"
            )
            hint = "write it beside 'replicas', or remove it"
            yield Hit((*path, "restartPolicy"), message, hint, at_key=True)


def host_network_without_cluster_dns(job: JsonObject) -> Iterator[Hit]:
    """A pod on the host's network resolves the name of another pod only through the cluster's DNS.

    Symptom: `Name or service not known` for `<job>-master-0`.
    Source: https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
    """
    if (total_pods(job) or 0) <= 1 or not _needs_pod_names(job):
        return
    for path, pod in pod_specs(job):
        policy = pod.get("dnsPolicy", "ClusterFirst")
        if pod.get("hostNetwork") is True and policy in DNS_OF_NODE and not pod.get("hostAliases"):
            message = (
                f"with hostNetwork and dnsPolicy {quoted(policy)} pods cannot resolve each other"
            )
            at = (*path, "dnsPolicy" if "dnsPolicy" in pod else "hostNetwork")
            yield Hit(at, message, "write 'dnsPolicy: ClusterFirstWithHostNet'")


def _needs_pod_names(job: JsonObject) -> bool:
    if is_elastic(job):
        return get(job, *ELASTIC, "rdzvHost") is None and not has_own_rendezvous(job)
    return "Master" in replica_specs(job)


def _operator_env(job: JsonObject) -> set[str]:
    """Return the variables that the operator sets in each container of this job."""
    names = {"PET_NNODES", "PET_NPROC_PER_NODE"}
    if "Master" in replica_specs(job):
        names.update(MASTER_ENV)
    if is_elastic(job):
        names.update(ELASTIC_ENV)
        given = ELASTIC_ENV_OF_FIELD.items()
        names.update(name for field, name in given if get(job, *ELASTIC, field) is not None)
    return names
