"""Accelerators and instance types: how a GPU is requested, and what one machine has.

A new accelerator or machine is a new row here. Numbers of AWS machines: the instance-type reference
of aws/karpenter-provider-aws. Labels: NVIDIA GPU feature discovery (`nvidia.com/gpu.product`).
"""

from __future__ import annotations

from dataclasses import dataclass

HOSTNAME_LABEL = "kubernetes.io/hostname"
PRODUCT_LABEL = "nvidia.com/gpu.product"
NVIDIA_GPU = "nvidia.com/gpu"
AMD_GPU = "amd.com/gpu"


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A kind of GPU: its device-plugin resource and the products that are this kind."""

    name: str
    resource: str = NVIDIA_GPU
    products: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstanceType:
    """A machine: its accelerator and how many of them it has."""

    name: str
    accelerator: str
    gpus: int


ACCELERATORS: dict[str, Accelerator] = {
    row.name: row
    for row in (
        Accelerator("t4", products=("Tesla-T4",)),
        Accelerator("v100", products=("Tesla-V100-SXM2-16GB", "Tesla-V100-SXM2-32GB")),
        Accelerator("a10g", products=("NVIDIA-A10G",)),
        Accelerator("l4", products=("NVIDIA-L4",)),
        Accelerator("l40s", products=("NVIDIA-L40S",)),
        Accelerator("a100", products=("NVIDIA-A100-SXM4-40GB", "NVIDIA-A100-SXM4-80GB")),
        Accelerator("h100", products=("NVIDIA-H100-80GB-HBM3",)),
        Accelerator("h200", products=("NVIDIA-H200",)),
        Accelerator("b200", products=("NVIDIA-B200",)),
        Accelerator("b300", products=("NVIDIA-B300",)),
        Accelerator("gb200", products=("NVIDIA-GB200",)),
        Accelerator("mi300x", resource=AMD_GPU),
    )
}

INSTANCE_TYPES: dict[str, InstanceType] = {
    row.name: row
    for row in (
        InstanceType("p3dn.24xlarge", "v100", 8),
        InstanceType("p4d.24xlarge", "a100", 8),
        InstanceType("p4de.24xlarge", "a100", 8),
        InstanceType("p5.4xlarge", "h100", 1),
        InstanceType("p5.48xlarge", "h100", 8),
        InstanceType("p5e.48xlarge", "h200", 8),
        InstanceType("p5en.48xlarge", "h200", 8),
        InstanceType("p6-b200.48xlarge", "b200", 8),
        InstanceType("p6-b300.48xlarge", "b300", 8),
        InstanceType("g4dn.12xlarge", "t4", 4),
        InstanceType("g4dn.metal", "t4", 8),
        InstanceType("g5.12xlarge", "a10g", 4),
        InstanceType("g5.48xlarge", "a10g", 8),
        InstanceType("g6.12xlarge", "l4", 4),
        InstanceType("g6.48xlarge", "l4", 8),
        InstanceType("g6e.12xlarge", "l40s", 4),
        InstanceType("g6e.48xlarge", "l40s", 8),
    )
}


def gpu_resource(accelerators: list[str]) -> str:
    """Return the extended resource that a GPU of these kinds is requested by."""
    first = ACCELERATORS.get(accelerators[0]) if accelerators else None
    return first.resource if first else NVIDIA_GPU
