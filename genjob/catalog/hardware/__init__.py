"""Accelerators and instance types: how a GPU is requested, and what one machine has.

A new accelerator or machine is a new row in the table of its vendor.
"""

from __future__ import annotations

from typing import Final

from genjob.catalog.hardware import aws, azure, coreweave, dgx, gcp, oci
from genjob.catalog.hardware.accelerator import (
    ACCELERATORS,
    AMD_GPU,
    NVIDIA_GPU,
    PRODUCT_LABEL,
    Accelerator,
    gpu_resource,
)
from genjob.catalog.hardware.machine import InstanceType

__all__ = [
    "ACCELERATORS",
    "AMD_GPU",
    "HOSTNAME_LABEL",
    "INSTANCE_TYPES",
    "NVIDIA_GPU",
    "PRODUCT_LABEL",
    "Accelerator",
    "InstanceType",
    "gpu_resource",
]

HOSTNAME_LABEL: Final = "kubernetes.io/hostname"

INSTANCE_TYPES: Final[dict[str, InstanceType]] = {
    row.name: row
    for rows in (aws.ROWS, gcp.ROWS, azure.ROWS, oci.ROWS, coreweave.ROWS, dgx.ROWS)
    for row in rows
}
"""Name of an instance type → its row, in the order in which a reader looks for them."""
