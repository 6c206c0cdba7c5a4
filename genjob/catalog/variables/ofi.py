"""The AWS plugin aws-ofi-nccl: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    EFA,
    FLAG_WORD,
    INTEGER,
    LIST,
    SIZE,
    TEXT,
    Variable,
)

_plugin = partial(Variable, source="aws-ofi-src", fabrics=EFA)

ROWS: Final[tuple[Variable, ...]] = (
    _plugin(
        "OFI_NCCL_ABORT_ON_ERROR",
        FLAG_WORD,
        "End the process when the plugin fails.",
        default="false",
    ),
    _plugin("OFI_NCCL_CQ_READ_COUNT", INTEGER, "Completions that are read in one go.", default="4"),
    _plugin("OFI_NCCL_CQ_SIZE", INTEGER, "Entries of a completion queue.", default="12288"),
    _plugin("OFI_NCCL_CUDA_FLUSH_ENABLE", FLAG_WORD, "Flush by a call of CUDA.", default="false"),
    _plugin("OFI_NCCL_DISABLE_DMABUF", FLAG_WORD, "Never register memory through dma-buf."),
    _plugin(
        "OFI_NCCL_DISABLE_GDR_REQUIRED_CHECK",
        FLAG_WORD,
        "Go on without GPUDirect on machines that ought to have it.",
        default="false",
    ),
    _plugin(
        "OFI_NCCL_EAGER_MAX_SIZE",
        INTEGER,
        "Largest message that is sent before the receiver asks, with RDMA.",
        default="8192",
    ),
    _plugin(
        "OFI_NCCL_ENDPOINT_PER_COMM",
        FLAG_WORD,
        "An endpoint for each communicator.",
        default="false",
        deprecated="in recent releases of aws-ofi-nccl",
    ),
    _plugin(
        "OFI_NCCL_EXCLUDE_TCP_IF",
        LIST,
        "Interfaces that the tcp provider leaves alone.",
        default="lo,docker0",
    ),
    _plugin(
        "OFI_NCCL_FORCE_NUM_RAILS",
        INTEGER,
        "Rails of each device; 0 lets the plugin decide.",
        default="0",
    ),
    _plugin(
        "OFI_NCCL_GDR_FLUSH_DISABLE",
        FLAG_WORD,
        "Never flush after a GPUDirect receive.",
        default="false",
    ),
    _plugin(
        "OFI_NCCL_MIN_STRIPE_SIZE",
        SIZE,
        "Message size from which data is striped over rails.",
        default="131072",
    ),
    _plugin("OFI_NCCL_MR_CACHE_DISABLE", FLAG_WORD, "Keep no cache of registered memory."),
    _plugin(
        "OFI_NCCL_NIC_DUP_CONNS",
        INTEGER,
        "Times that each NIC is offered, for more connections.",
        default="0",
    ),
    _plugin(
        "OFI_NCCL_PLATFORM",
        TEXT,
        "Platform whose settings the plugin takes, instead of the one it finds.",
    ),
    _plugin(
        "OFI_NCCL_PROGRESS_MODEL",
        CHOICE,
        "Who drives the provider: it alone, or the calls of the plugin.",
        default="UNSPEC",
        choices=("UNSPEC", "AUTO", "MANUAL"),
    ),
    _plugin(
        "OFI_NCCL_PROTOCOL",
        CHOICE,
        "How the plugin moves data: send and receive, or RDMA.",
        default="SENDRECV",
        choices=("SENDRECV", "RDMA"),
        note="p5 and newer take RDMA by themselves.",
    ),
    _plugin(
        "OFI_NCCL_TUNER_TYPE",
        CHOICE,
        "Where the tuner of the plugin takes its choices from.",
        default="REGION",
        choices=("INTERNAL", "REGION", "MODEL"),
    ),
    _plugin("OFI_NCCL_USE_IPV6_TCP", FLAG_WORD, "Let the tcp provider use IPv6.", default="false"),
)
