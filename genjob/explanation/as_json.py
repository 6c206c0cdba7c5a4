"""The explanation of a job → JSON for programs; docs/explain.md describes it.

Keys may be added in later versions, none is removed.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from genjob.jsontypes import dotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.diagnostics import Location
    from genjob.explanation.network import NetworkView, Role, Variable, Writer
    from genjob.explanation.values import Value
    from genjob.jsontypes import Json, JsonObject
    from genjob.prediction import PredictedPod
    from genjob.resolve.job import Job
    from genjob.transport import Transport


def values_json(job: Job, values: Sequence[Value]) -> JsonObject:
    """Return values with the chain of layers of each."""
    return {**_job(job), "values": [_value(value) for value in values]}


def network_json(view: NetworkView) -> JsonObject:
    """Return everything about the ranks of a job."""
    scale = view.scale
    ranks = scale.ranks
    return {
        **_job(view.job),
        "held_back": view.held_back,
        "nodes": {"least": scale.least_nodes, "most": scale.most_nodes},
        "processes": {role: asdict(each) for role, each in scale.processes.items()},
        "ranks": None if ranks is None else {"least": ranks[0], "most": ranks[1]},
        "world_size": view.world_size,
        "transports": {role: _transport(each) for role, each in view.transports.items()},
        "roles": [_role(role) for role in view.roles],
        "pods": [_pod(view, pod) for pod in view.pods],
        "services": [
            {"name": service.name, "ports": {**service.ports}} for service in view.services
        ],
    }


def _job(job: Job) -> JsonObject:
    return {
        "experiment": job.experiment.name,
        "environment": job.environment.name if job.environment else None,
        "node_pool": job.pool.name if job.pool else None,
        "fabric": job.fabric.name if job.fabric else None,
    }


def _value(value: Value) -> JsonObject:
    claims: list[Json] = [
        {
            "effect": value.effect(index),
            "layer": claim.layer,
            "value": claim.value,
            **_place(claim.place),
        }
        for index, claim in enumerate(value.claims)
    ]
    return {
        "path": dotted(value.path),
        "value": value.value,
        "means": value.means,
        "is_set": value.is_set,
        "chain": claims,
    }


def _place(place: Location | None) -> JsonObject:
    return {
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }


def _role(role: Role) -> JsonObject:
    return {
        "role": role.name,
        "pods": len(role.pods),
        "variables": [_variable(variable) for variable in role.variables],
        "unread": [*role.unread],
    }


def _variable(variable: Variable) -> JsonObject:
    return {
        "name": variable.name,
        "first": variable.first,
        "last": variable.last,
        "looked_up": variable.looked_up,
        "from": _writer(variable.writer),
        "beaten": [{"value": text, "from": _writer(writer)} for text, writer in variable.beaten],
    }


def _writer(writer: Writer) -> JsonObject:
    return {"layer": writer.layer, **_place(writer.place)}


def _pod(view: NetworkView, pod: PredictedPod) -> JsonObject:
    first_and_last = view.ranks.get(pod.name)
    return {
        "name": pod.name,
        "role": pod.role,
        "index": pod.index,
        "node_rank": pod.node_rank,
        "host_name": pod.hostname,
        "restart_policy": pod.restart_policy,
        "ranks": None if first_and_last is None else [*first_and_last],
        "env": {name: container["env"] for name, container in pod.containers.items()},
    }


def _transport(transport: Transport) -> JsonObject:
    return {
        "between": transport.between,
        "inside": transport.inside,
        "meaning": transport.meaning,
        "reasons": [*transport.reasons],
        "caveats": [*transport.caveats],
        "falls_back": [*transport.falls_back],
        "log": [*transport.log],
        "bad_log": transport.bad_log,
        "unseen": [*transport.unseen],
    }
