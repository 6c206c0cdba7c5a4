"""GPUs, CPU, memory and devices of a pod → requests and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.catalog.hardware import gpu_resource
from genjob.manifests.trace import Traced, fields
from genjob.resolve.machine import machine_in

if TYPE_CHECKING:
    from genjob.model.experiment import Experiment
    from genjob.model.resources import Resources
    from genjob.resolve.job import Job

_PAIRS: tuple[tuple[str, str, str], ...] = (
    ("memory", "memory", "memory_limit"),
    ("ephemeral-storage", "ephemeral_storage", "ephemeral_storage_limit"),
)
"""Resource → fields of its request and its limit; the request is the limit when that is not given.

CPU is not among them: a CPU limit throttles and is set only when it is asked for.
"""

_HUGE_PAGES = (("hugepages-2Mi", "hugepages_2mi"), ("hugepages-1Gi", "hugepages_1gi"))


def gpus(role: Experiment) -> int:
    """Return the GPUs of each pod of a role."""
    return role.resources.gpus_per_node or 0


def resources(job: Job, role: Experiment) -> Traced:
    """Return requests and limits; devices stand in both, as Kubernetes demands."""
    asked = role.resources
    requests, limits = Traced(), Traced()
    _put(requests, "cpu", asked, "cpu")
    _put(limits, "cpu", asked, "cpu_limit")
    for name, request, limit in _PAIRS:
        _put(requests, name, asked, request)
        _put(limits, name, asked, limit if getattr(asked, limit) is not None else request)
    for name, field in _HUGE_PAGES:
        _put(requests, name, asked, field)
        _put(limits, name, asked, field)
    for name, count in _devices(job, role).items():
        source = ("resources", "extended", name)
        here = source if name in asked.extended else ("resources", "gpus_per_node")
        requests.put(name, count, here)
        limits.put(name, count, here)
    return fields(("requests", requests, ("resources",)), ("limits", limits, ("resources",)))


def _put(table: Traced, name: str, asked: Resources, field: str) -> None:
    value = getattr(asked, field)
    if value is not None:
        table.put(name, value, ("resources", field))


def _devices(job: Job, role: Experiment) -> dict[str, str]:
    count = gpus(role)
    kinds = role.resources.accelerator or []
    of_pool = machine_in(job.pool).accelerator if job.pool else None
    wanted = {gpu_resource([of_pool] if of_pool else kinds): str(count)} if count else {}
    return wanted | dict(sorted(role.resources.extended.items()))
