"""Laws of machines and shares, on every instance type and request."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.model.environment import NodePool
from genjob.model.resources import Resources
from genjob.quantity import parse_quantity
from genjob.resolve.machine import machine_in
from genjob.resolve.sizing import share

types = st.sampled_from([*INSTANCE_TYPES])
counts = st.integers(min_value=1, max_value=16)


@given(types, counts, counts)
def test_the_shares_of_the_gpus_of_a_machine_fit_on_it_together(
    name: str, one: int, other: int
) -> None:
    machine = machine_in(NodePool(name="a", instance_type=name))
    gpus = machine.gpus or 0
    first = min(one, gpus)
    pods = [first, min(other, gpus - first)]
    shares = [share(machine, Resources(gpus_per_node=count)) for count in pods if count]

    for field, capacity in (("cpu", machine.cpus), ("memory", machine.memory)):
        total = sum((parse_quantity(str(each.get(field, "0"))) for each in shares), Fraction(0))
        assert total <= (capacity.free if capacity else 0)


@given(types, counts)
def test_shared_memory_is_at_most_half_of_the_memory(name: str, count: int) -> None:
    machine = machine_in(NodePool(name="a", instance_type=name))
    found = share(machine, Resources(gpus_per_node=min(count, machine.gpus or 1)))

    if "memory" in found:
        shared, memory = (parse_quantity(str(found[field])) for field in ("shm_size", "memory"))
        assert 2 * shared <= memory


@given(types, st.integers(min_value=1, max_value=4096))
def test_shared_memory_follows_a_memory_that_is_said(name: str, gib: int) -> None:
    machine = machine_in(NodePool(name="a", instance_type=name))
    found = share(machine, Resources(accelerator=["h100"], memory=f"{gib}Gi"))

    assert 2 * parse_quantity(str(found["shm_size"])) <= gib * 2**30
