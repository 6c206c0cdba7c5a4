"""A node pool and its instance type → what is known of one of its machines.

What the pool says wins over the catalogue, field by field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from genjob.catalog.fabrics import ETHERNET
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.catalog.hardware.machine import GIB, allocatable_cpus, allocatable_memory
from genjob.quantity import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from genjob.catalog.hardware import InstanceType
    from genjob.model.environment import NodePool


class Capacity(NamedTuple):
    """An amount of a machine: CPUs, or bytes of memory.

    `free` is what pods may have, as the pool says or estimated. More than `most` certainly does not
    fit; it is None where that is not known.
    """

    free: Fraction
    most: Fraction | None


@dataclass(frozen=True, slots=True)
class Machine:
    """One machine of a node pool; None is not known."""

    accelerator: str | None
    gpus: int | None
    cpus: Capacity | None
    memory: Capacity | None
    nics: int | None
    hcas: tuple[str, ...]
    fabric: str
    selector: Mapping[str, str]


def machine_in(pool: NodePool) -> Machine:
    """Return a machine of a node pool; `selector` are labels that the pool does not name itself."""
    known = INSTANCE_TYPES.get(pool.instance_type or "")
    return Machine(
        accelerator=pool.accelerator or (known.accelerator if known else None),
        gpus=known.gpus if known and pool.gpus_per_node is None else pool.gpus_per_node,
        cpus=_cpus(pool, known),
        memory=_memory(pool, known),
        nics=pool.nics or (known.nics if known else None),
        hcas=known.hcas if known else (),
        fabric=pool.fabric or (known.fabric if known else ETHERNET),
        selector=known.selector if known and not pool.node_selector else {},
    )


def _cpus(pool: NodePool, known: InstanceType | None) -> Capacity | None:
    if pool.cpu is not None:
        return _stated(pool.cpu)
    if known is None or known.cpus is None:
        return None
    is_certain = "cpus" not in known.uncertain
    free = allocatable_cpus(known.cpus)
    return Capacity(free, parse_quantity(str(known.cpus)) if is_certain else None)


def _memory(pool: NodePool, known: InstanceType | None) -> Capacity | None:
    if pool.memory is not None:
        return _stated(pool.memory)
    if known is None or known.memory_gib is None:
        return None
    is_certain = "memory_gib" not in known.uncertain
    free = allocatable_memory(known.memory_gib)
    return Capacity(free, parse_quantity(str(known.memory_gib * GIB)) if is_certain else None)


def _stated(text: str) -> Capacity:
    amount = parse_quantity(text)
    return Capacity(amount, amount)
