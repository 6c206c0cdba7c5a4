"""How NCCL moves GPU memory to the NIC: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import CHOICE, FLAG01, LEVELS, VERBS, Section, Variable

_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _debugging(
        "NCCL_DMABUF_ENABLE",
        FLAG01,
        "Register GPU memory through dma-buf where the kernel can, without nvidia-peermem.",
        default="1",
        since="2.13",
    ),
    _undocumented(
        "NCCL_GDRCOPY_ENABLE",
        FLAG01,
        "Write flags into GPU memory through GDRCopy.",
        default="0",
        note="The pod needs /dev/gdrdrv.",
    ),
    _debugging(
        "NCCL_IB_CUDA_SUPPORT",
        FLAG01,
        "Switch of GPUDirect RDMA in the first releases.",
        removed="2.4.0",
        replaced_by="NCCL_NET_GDR_LEVEL",
        fabrics=VERBS,
    ),
    Variable(
        "NCCL_IB_GDR_LEVEL",
        CHOICE,
        "First name of NCCL_NET_GDR_LEVEL.",
        source="nccl-env",
        choices=("LOC", "PIX", "PXB", "PHB", "SYS"),
        since="2.3.4",
        deprecated="since NCCL 2.4.0",
        replaced_by="NCCL_NET_GDR_LEVEL",
        obsolete=True,
        fabrics=VERBS,
    ),
    _debugging(
        "NCCL_NET_GDR_C2C",
        FLAG01,
        "Use GPUDirect through a Grace CPU and its C2C link.",
        default="1",
        since="2.26",
        note="The default was false in 2.26.",
    ),
    _debugging(
        "NCCL_NET_GDR_LEVEL",
        CHOICE,
        "Farthest GPU and NIC that still use GPUDirect RDMA.",
        choices=("LOC", "PIX", "PXB", "PHB", "SYS"),
        newer_choices=LEVELS,
        case_sensitive=True,
        since="2.3.4",
        note="Newer releases also know NVL, NVB, C2C, P2C and PXN.",
    ),
    _debugging(
        "NCCL_NET_GDR_READ",
        FLAG01,
        "Use GPUDirect to send, too; so it is on NVLink machines unless told.",
    ),
)
