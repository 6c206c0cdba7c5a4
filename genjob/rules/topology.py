"""A PyTorchJob → its roles, pods, processes and GPUs, as the operator will count them.

Each number is None where it cannot be known: a count of the wrong type, a role that is misspelled.
Those are reported by themselves; a rule that compares numbers stays silent then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.quantity import read_quantity
from genjob.rules.walk import ELASTIC, REPLICA_SPECS, as_int, as_object, as_str, get

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

ROLES = ("Master", "Worker")

GPU_RESOURCES = ("nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe")
"""Extended resources of which one unit is one device that a process drives."""


def roles(job: JsonObject) -> JsonObject:
    """Return the replica specs by role as they are written, null ones too."""
    return as_object(get(job, *REPLICA_SPECS))


def has_only_known_roles(job: JsonObject) -> bool:
    """Return whether the roles can be reasoned about: all are known and are mappings."""
    return all(role in ROLES and isinstance(spec, dict) for role, spec in roles(job).items())


def is_elastic(job: JsonObject) -> bool:
    """Return whether the operator treats the job as elastic; an empty policy is one."""
    return isinstance(get(job, *ELASTIC), dict)


def replicas(job: JsonObject, role: str) -> int | None:
    """Return the number of pods of a role: 1 where it is not written, 0 without the role."""
    spec = roles(job).get(role)
    if spec is None:
        return 0
    count = as_object(spec).get("replicas")
    return 1 if count is None else as_int(count)


def total_pods(job: JsonObject) -> int | None:
    """Return the number of pods that the operator starts."""
    master, worker = replicas(job, "Master"), replicas(job, "Worker")
    if master is None or worker is None or not has_only_known_roles(job):
        return None
    return master + worker


def node_range(job: JsonObject) -> tuple[int, int] | None:
    """Return the least and the greatest number of pods that take part in one training.

    An elastic policy that gives one bound is completed with the same number, one that gives none
    with the number of workers.
    """
    if not is_elastic(job):
        total = total_pods(job)
        return None if total is None else (total, total)
    low, high = get(job, *ELASTIC, "minReplicas"), get(job, *ELASTIC, "maxReplicas")
    least = as_int(low if low is not None else high)
    most = as_int(high if high is not None else low)
    workers = replicas(job, "Worker")
    if low is None and high is None and workers is not None:
        return workers, workers
    return None if least is None or most is None else (least, most)


def nproc_per_node(job: JsonObject) -> int | None:
    """Return the processes of each pod when they are a fixed number, None for `auto` and unset."""
    text = as_str(get(job, "spec", "nprocPerNode")) or ""
    return (
        int(text) if text.isascii() and text.isdecimal() and len(text) <= len("1000000") else None
    )


def gpus(container: JsonObject) -> int:
    """Return the number of GPUs that a container is given, 0 when that is not a whole number."""
    limits = as_object(get(container, "resources", "limits"))
    counts = [read_quantity(limits[name]) or 0 for name in GPU_RESOURCES if name in limits]
    is_whole = all(count.denominator == 1 for count in counts)
    return sum(count.numerator for count in counts) if is_whole else 0
