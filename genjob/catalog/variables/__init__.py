"""Every environment variable that NCCL and what runs beside it read: name → its row.

A new variable is a new row in the table of its family. The rows say what a variable may be;
`genjob.variables` says what is wrong with a text.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables import (
    gcp,
    gloo,
    launcher,
    libfabric,
    nccl_algorithms,
    nccl_debug,
    nccl_gpu,
    nccl_gpudirect,
    nccl_ib,
    nccl_launch,
    nccl_network,
    nccl_sockets,
    nccl_source_only,
    nccl_topology,
    ofi,
    runtime,
    torch_nccl,
    torch_python,
    ucx,
)
from genjob.catalog.variables.variable import PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.catalog.variables.variable import Variable

GROUPS: Final[dict[str, tuple[Variable, ...]]] = {
    "NCCL: logs and checks": nccl_debug.ROWS,
    "NCCL: start-up and TCP": nccl_sockets.ROWS,
    "NCCL: the network": nccl_network.ROWS,
    "NCCL: InfiniBand and RoCE": nccl_ib.ROWS,
    "NCCL: GPUDirect RDMA": nccl_gpudirect.ROWS,
    "NCCL: between the GPUs of a machine": nccl_gpu.ROWS,
    "NCCL: algorithms, channels and buffers": nccl_algorithms.ROWS,
    "NCCL: kernels and connections": nccl_launch.ROWS,
    "NCCL: topology and plugins": nccl_topology.ROWS,
    "Plugins of Google Cloud": gcp.ROWS,
    "The plugin of AWS": ofi.ROWS,
    "libfabric": libfabric.ROWS,
    "UCX and SHARP": ucx.ROWS,
    "PyTorch: the NCCL process group": torch_nccl.ROWS,
    "PyTorch: everything else": torch_python.ROWS,
    "Gloo and TensorPipe": gloo.ROWS,
    "Python, OpenMP and CUDA": runtime.ROWS,
    "torchrun and the operator": launcher.ROWS,
    "NCCL: parameters without documentation": nccl_source_only.ROWS,
}
"""Title → its rows, in the order in which a reader looks for them."""

REGISTRY: Final[Mapping[str, Variable]] = MappingProxyType(
    {row.name: row for rows in GROUPS.values() for row in rows}
)
"""Name of a variable → its row."""

FIELDS: Final[Mapping[str, Variable]] = MappingProxyType(
    {
        name.removeprefix(PREFIX).lower(): row
        for name, row in REGISTRY.items()
        if name.startswith(PREFIX)
    }
)
"""Field of `nccl:` → its row; the field is the variable, by rule: `ib_hca` is `NCCL_IB_HCA`."""


def lookup(word: str) -> Variable | None:
    """Return the row of a variable or of a field of `nccl:`, whatever its case, or None."""
    return REGISTRY.get(word.upper()) or FIELDS.get(word.lower())
