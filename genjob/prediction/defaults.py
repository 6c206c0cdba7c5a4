"""A PyTorchJob → the values that the operator fills in before it makes pods.

The operator does this inside its controller, so the stored object does not show them.
Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/apis/kubeflow.org/v1/pytorch_defaults.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.topology import ROLES, replicas
from genjob.rules.walk import (
    ELASTIC,
    MAIN_CONTAINER,
    as_int,
    as_object,
    as_str,
    get,
    parts,
    replica_specs,
)

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

PORT_NAME: Final = "pytorchjob-port"
DEFAULT_PORT: Final = 23456
DEFAULT_PROCESSES: Final = "auto"
DEFAULT_RESTART_POLICY: Final = "OnFailure"
"""What the code says; the comment beside the Go type says Never."""

_EXIT_CODE: Final = "ExitCode"


def job_name(job: JsonObject) -> str:
    """Return the name of a job; an object without one has an empty name."""
    return as_str(get(job, "metadata", "name")) or ""


def counts(job: JsonObject) -> dict[str, int]:
    """Return the pods of each role that a job has, the Master first; 1 where none are counted."""
    return {role: replicas(job, role) or 0 for role in ROLES if role in replica_specs(job)}


def nproc_per_node(job: JsonObject) -> str | None:
    """Return `nprocPerNode`; None when the deprecated field of `elasticPolicy` takes its place."""
    written = as_str(get(job, "spec", "nprocPerNode"))
    if written is None and as_int(get(job, *ELASTIC, "nProcPerNode")) is None:
        return DEFAULT_PROCESSES
    return written


def node_bounds(job: JsonObject) -> tuple[int, int]:
    """Return `minReplicas` and `maxReplicas`: one stands for both, none are all the Workers."""
    low, high = (as_int(get(job, *ELASTIC, key)) for key in ("minReplicas", "maxReplicas"))
    workers = counts(job).get("Worker", 0)
    given = low if low is not None else high
    least = given if given is not None else workers
    return least, (high if high is not None else least)


def template_of(job: JsonObject, role: str) -> JsonObject:
    """Return the pod template of a role, empty where there is none."""
    return as_object(replica_specs(job).get(role, {}).get("template"))


def ports(job: JsonObject, role: str) -> list[tuple[str, int]]:
    """Return name and number of the training container's ports, the rendezvous port among them.

    A container without that port is given it, behind its own.
    """
    containers = parts((), get(template_of(job, role), "spec", "containers"))
    mains = [each for _, each in containers if each.get("name") == MAIN_CONTAINER]
    written = parts((), mains[0].get("ports")) if mains else ()
    found = [
        (as_str(port.get("name")) or "", as_int(port.get("containerPort")) or 0)
        for _, port in written
    ]
    return found if PORT_NAME in dict(found) else [*found, (PORT_NAME, DEFAULT_PORT)]


def rendezvous_port(job: JsonObject, role: str) -> int:
    """Return the port that the pods of a role are found at: the first of that name."""
    return next(number for name, number in ports(job, role) if name == PORT_NAME)


def restart_policy(replica_spec: JsonObject) -> str:
    """Return the restart policy of the pods of a role; that of the pod template does not count.

    `ExitCode` is the operator's own: it restarts such pods itself, so the kubelet must not.
    """
    written = as_str(replica_spec.get("restartPolicy")) or DEFAULT_RESTART_POLICY
    return "Never" if written == _EXIT_CODE else written


def elastic_policy(job: JsonObject) -> JsonObject | None:
    """Return the elastic policy; an empty one is one, None is none."""
    policy: Json = get(job, *ELASTIC)
    return policy if isinstance(policy, dict) else None
