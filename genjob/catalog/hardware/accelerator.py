"""Accelerators: how a GPU is requested, and the products that machines label themselves with.

Labels: NVIDIA GPU feature discovery (`nvidia.com/gpu.product`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

PRODUCT_LABEL: Final = "nvidia.com/gpu.product"
NVIDIA_GPU: Final = "nvidia.com/gpu"
AMD_GPU: Final = "amd.com/gpu"


class Accelerator(NamedTuple):
    """A kind of GPU: its device-plugin resource and the products that are this kind."""

    name: str
    resource: str = NVIDIA_GPU
    products: tuple[str, ...] = ()


ACCELERATORS: Final[dict[str, Accelerator]] = {
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
        Accelerator("gb300"),
        Accelerator("rtx-pro-6000"),
        Accelerator("mi300x", resource=AMD_GPU),
        Accelerator("mi355x", resource=AMD_GPU),
    )
}


def gpu_resource(accelerators: list[str]) -> str:
    """Return the extended resource that a GPU of these kinds is requested by."""
    first = ACCELERATORS.get(accelerators[0]) if accelerators else None
    return first.resource if first else NVIDIA_GPU
