"""A PyTorchJob and one of its pods → the variables that the operator adds to every container.

They stand behind those that people write, and Kubernetes lets the last one win.
Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/pytorch, the files
envvar.go, master.go and elastic.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.prediction.defaults import (
    counts,
    elastic_policy,
    job_name,
    node_bounds,
    nproc_per_node,
    rendezvous_port,
)
from genjob.rules.walk import as_int, as_list, as_object, as_str

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject

MASTER: Final = "Master"
WORKER: Final = "Worker"

_GO_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def replica_name(job: JsonObject, role: str, index: int) -> str:
    """Return the name of a pod, which is also that of its Service."""
    return f"{job_name(job)}-{role.lower()}-{index}"


def node_rank(job: JsonObject, role: str, index: int) -> int | None:
    """Return the rank of a pod among the pods, None without a Master: the operator gives none."""
    if MASTER not in counts(job):
        return None
    return index + 1 if role == WORKER else index


def world_size(job: JsonObject) -> int:
    """Return the number that WORLD_SIZE holds in a pod: the pods times nprocPerNode.

    Any `nprocPerNode` that is not a whole number (`auto`, `gpu`) counts as 1.
    """
    return sum(counts(job).values()) * _whole_number(nproc_per_node(job))


def _whole_number(text: str | None) -> int:
    return int(text) if text is not None and _GO_INTEGER.fullmatch(text) else 1


def operator_variables(job: JsonObject, role: str, index: int) -> list[JsonObject]:
    """Return the variables of one pod, in the order in which the operator writes them."""
    pairs = _pairs(job, node_rank(job, role, index))
    return [{"name": name, "value": value} for name, value in pairs]


def _pairs(job: JsonObject, rank: int | None) -> Iterator[tuple[str, str]]:
    yield "PYTHONUNBUFFERED", "1"
    if rank is not None:
        yield from _of_master(job)
        yield "WORLD_SIZE", str(world_size(job))
        yield "RANK", str(rank)
        yield "PET_NODE_RANK", str(rank)
    processes = nproc_per_node(job)
    if processes is not None:
        yield "PET_NPROC_PER_NODE", processes
    policy = elastic_policy(job)
    if policy is None:
        yield "PET_NNODES", str(sum(counts(job).values()))
    else:
        yield from _of_elastic(job, policy)


def _of_master(job: JsonObject) -> Iterator[tuple[str, str]]:
    port, name = str(rendezvous_port(job, MASTER)), replica_name(job, MASTER, 0)
    yield "MASTER_PORT", port
    yield "PET_MASTER_PORT", port
    yield "MASTER_ADDR", name
    yield "PET_MASTER_ADDR", name


def _of_elastic(job: JsonObject, policy: JsonObject) -> Iterator[tuple[str, str]]:
    host, port = as_str(policy.get("rdzvHost")), as_int(policy.get("rdzvPort"))
    host = replica_name(job, WORKER, 0) if host is None else host
    port = rendezvous_port(job, WORKER) if port is None else port
    least, most = node_bounds(job)
    backend = as_str(policy.get("rdzvBackend"))
    yield "PET_RDZV_ENDPOINT", f"{host}:{port}"
    yield "PET_RDZV_BACKEND", "c10d" if backend is None else backend
    yield "PET_NNODES", f"{least}:{most}"
    for name, value in (
        ("PET_MAX_RESTARTS", as_int(policy.get("maxRestarts"))),
        ("PET_NPROC_PER_NODE", as_int(policy.get("nProcPerNode"))),
        ("PET_RDZV_ID", as_str(policy.get("rdzvId"))),
        ("PET_RDZV_CONF", _conf(policy)),
        ("PET_STANDALONE", "" if policy.get("standalone") is True else None),
    ):
        if value is not None:
            yield name, str(value)


def _conf(policy: JsonObject) -> str | None:
    """Return `key=value` pairs; None for an empty list, at which the operator fails."""
    pairs = [as_object(pair) for pair in as_list(policy.get("rdzvConf"))]
    return ",".join(f"{pair.get('key', '')}={pair.get('value', '')}" for pair in pairs) or None
