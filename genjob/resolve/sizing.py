"""A machine and what a pod asks of it → the fields of `resources` that the catalogue can fill in.

A pod gets the share of the machine that its GPUs are: all of it when it asks for all of them.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Final

from genjob.catalog.hardware.machine import GIB
from genjob.quantity import binary_text, parse_quantity

if TYPE_CHECKING:
    from genjob.model.resources import Resources
    from genjob.resolve.machine import Machine

HEADROOM: Final = Fraction(1, 10)
"""Part of what pods may have that is left to the cluster's own: DaemonSets, side-cars, logs."""

SHM_PER_GPU: Final = 8 * GIB
"""Bytes of /dev/shm for each GPU: 64Gi of a machine with eight.

Source: Azure/ai-infrastructure-on-azure, PyTorchJob example; other vendors take 32Gi to 250Gi.
"""


def wants_gpus(asked: Resources) -> bool:
    """Tell whether a pod asks for GPUs, by their number or by their kind."""
    if asked.gpus_per_node is not None:
        return asked.gpus_per_node > 0
    return asked.accelerator is not None


def share(machine: Machine, asked: Resources) -> dict[str, object]:
    """Return the fields of `resources` for a pod that wants GPUs, as quantities.

    A request is left out where the pod has a limit and no request: Kubernetes takes the limit.
    """
    gpus = machine.gpus if asked.gpus_per_node is None else asked.gpus_per_node
    part = (1 - HEADROOM) * Fraction(min(gpus or 0, machine.gpus or 0), machine.gpus or 1)
    found: dict[str, object] = {"gpus_per_node": machine.gpus}
    if machine.cpus is not None and asked.cpu_limit is None:
        found["cpu"] = str(floor(machine.cpus.free * part)) if part else None
    memory = _memory(machine, asked, part)
    found["memory"] = None if memory is None else binary_text(memory)
    found["shm_size"] = _shared_memory(gpus or 0, memory, asked)
    return {name: value for name, value in found.items() if value not in {None, "0"}}


def _memory(machine: Machine, asked: Resources, part: Fraction) -> int | None:
    if machine.memory is None or asked.memory_limit is not None or not part:
        return None
    return floor(machine.memory.free * part / GIB) * GIB


def _shared_memory(gpus: int, memory: int | None, asked: Resources) -> str | None:
    """Return the size of /dev/shm: at most half of the memory, which it counts against.

    Source: https://kubernetes.io/docs/concepts/storage/volumes/#emptydir (v1.31)
    """
    written = asked.memory_limit or asked.memory
    limit = parse_quantity(written) if written else memory
    wanted = gpus * SHM_PER_GPU
    size = wanted if limit is None else min(wanted, floor(limit / 2))
    return binary_text(size) if size else None
