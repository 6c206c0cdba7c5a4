"""Fabric profiles: what a job needs to use the network between the machines of a pool.

A profile is one row: its NCCL settings, the capabilities and whether it takes RDMA devices. What
differs by site (HCA list, device resource, traffic class) is written in the node pool.
Source: NVIDIA NCCL user guide 2.30.7; Azure/aks-rdma-infiniband (locked memory needs IPC_LOCK).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Fabric:
    """A kind of network between machines."""

    name: str
    meaning: str
    is_rdma: bool = False
    nccl: Mapping[str, str | bool | int] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()


FABRICS: dict[str, Fabric] = {
    row.name: row
    for row in (
        Fabric(
            "ethernet", "TCP over the pod network; NCCL uses sockets", nccl={"ib_disable": True}
        ),
        Fabric(
            "infiniband",
            "InfiniBand HCAs through verbs, with GPUDirect RDMA",
            is_rdma=True,
            nccl={"ib_disable": False},
            capabilities=("IPC_LOCK",),
        ),
        Fabric(
            "roce",
            "RDMA over converged Ethernet (RoCE v2)",
            is_rdma=True,
            nccl={"ib_disable": False, "ib_qps_per_connection": 4, "ib_timeout": 22},
            capabilities=("IPC_LOCK",),
        ),
    )
}
