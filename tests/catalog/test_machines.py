"""The tables of accelerators and machines: what must hold of every row."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import pytest

from genjob.catalog.fabrics import FABRICS
from genjob.catalog.hardware import (
    ACCELERATORS,
    AMD_GPU,
    INSTANCE_TYPES,
    NVIDIA_GPU,
    InstanceType,
    gpu_resource,
)
from genjob.catalog.hardware.machine import GIB, allocatable_cpus, allocatable_memory
from genjob.catalog.sources import GENERAL, SOURCES

every_machine = pytest.mark.parametrize("row", INSTANCE_TYPES.values(), ids=lambda row: row.name)
FIELDS = {field.name for field in fields(InstanceType)}
CLOUDS = {"AWS", "GCP", "Azure", "OCI", "CoreWeave", "DGX"}


@every_machine
def test_a_machine_has_a_known_accelerator_fabric_and_source(row: InstanceType) -> None:
    assert row.accelerator in ACCELERATORS
    assert row.fabric in FABRICS
    assert row.source in SOURCES


@every_machine
def test_the_numbers_of_a_machine_can_be(row: InstanceType) -> None:
    assert row.gpus in {1, 2, 4, 8, 16}
    assert row.nics is not None
    assert (row.nics == 0) == (row.fabric == "ethernet")
    assert len(row.hcas) in {0, row.nics}
    assert len(set(row.hcas)) == len(row.hcas)


@every_machine
def test_what_is_uncertain_is_a_field_and_what_nobody_looked_up_is_uncertain(
    row: InstanceType,
) -> None:
    assert row.uncertain <= FIELDS
    assert row.source != GENERAL or row.uncertain >= {"nics", "cpus", "memory_gib"}


@every_machine
def test_a_machine_of_a_cloud_is_selected_by_a_label(row: InstanceType) -> None:
    assert (row.provider == "DGX") == (not row.selector)
    assert not row.selector or row.name in row.selector.values()


def test_every_provider_has_machines_and_no_name_stands_twice() -> None:
    assert {row.provider for row in INSTANCE_TYPES.values()} == CLOUDS
    assert [*INSTANCE_TYPES] == [row.name for row in INSTANCE_TYPES.values()]


def test_every_accelerator_is_in_a_machine() -> None:
    assert ACCELERATORS.keys() == {row.accelerator for row in INSTANCE_TYPES.values()}


def test_two_labels_never_select_one_machine() -> None:
    labels = [label for row in INSTANCE_TYPES.values() for label in row.selector.items()]

    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("name", "cpus", "memory_gib"), [("p5.48xlarge", 191, 1893), ("p4d.24xlarge", 95, 1057)]
)
def test_the_estimate_is_near_to_what_karpenter_says(name: str, cpus: int, memory_gib: int) -> None:
    """It is never more: a request that is too large would wait for ever."""
    row = INSTANCE_TYPES[name]
    assert row.cpus is not None
    assert row.memory_gib is not None

    assert cpus == int(allocatable_cpus(row.cpus))
    free_gib = allocatable_memory(row.memory_gib) / GIB
    assert memory_gib * Fraction(99, 100) <= free_gib <= memory_gib


def test_a_small_machine_has_less_than_it_has_never_less_than_nothing() -> None:
    assert Fraction(94, 100) == allocatable_cpus(1)
    assert 0 == allocatable_memory(4)


def test_a_gpu_is_asked_for_by_the_resource_of_its_vendor() -> None:
    assert (AMD_GPU, NVIDIA_GPU) == (gpu_resource(["mi300x"]), gpu_resource(["h100", "mi300x"]))
    assert NVIDIA_GPU == gpu_resource([]) == gpu_resource(["hopper"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p5.48xlarge", ("h100", 8, "aws-efa", 32)),
        ("p5en.48xlarge", ("h200", 8, "aws-efa", 16)),
        ("a3-megagpu-8g", ("h100", 8, "gcp-tcpxo", 8)),
        ("a4x-highgpu-4g", ("gb200", 4, "gcp-gib", 4)),
        ("Standard_ND96isr_H100_v5", ("h100", 8, "azure-ib", 8)),
        ("BM.GPU.H100.8", ("h100", 8, "oci-roce", 16)),
        ("gd-8xh100ib-i128", ("h100", 8, "coreweave-ib", 8)),
        ("dgx-h200", ("h200", 8, "infiniband", 8)),
    ],
)
def test_a_machine_is_what_its_vendor_says(name: str, expected: tuple[str, int, str, int]) -> None:
    row = INSTANCE_TYPES[name]

    assert expected == (row.accelerator, row.gpus, row.fabric, row.nics)
