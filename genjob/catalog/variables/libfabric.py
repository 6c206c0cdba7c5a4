"""libfabric and its EFA provider: their variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    EFA,
    FLAG01,
    FLAG_WORD,
    INTEGER,
    LIST,
    SIZE,
    TEXT,
    Variable,
)

_efa = partial(Variable, source="libfabric-efa", fabrics=EFA)

ROWS: Final[tuple[Variable, ...]] = (
    _efa("FI_EFA_CQ_SIZE", INTEGER, "Entries of a completion queue."),
    _efa(
        "FI_EFA_ENABLE_SHM_TRANSFER",
        FLAG_WORD,
        "Use shared memory between processes of a machine.",
        default="1",
        note="aws-ofi-nccl turns it off in any case.",
    ),
    Variable(
        "FI_EFA_FORK_SAFE",
        FLAG_WORD,
        "Make fork safe for registered memory.",
        source="ofi-efa-doc",
        default="0",
        deprecated="with current releases of aws-ofi-nccl",
        fabrics=EFA,
        note="The plugin does this itself.",
    ),
    _efa("FI_EFA_IFACE", LIST, "EFA devices to use.", default="all"),
    _efa(
        "FI_EFA_INTER_MIN_READ_MESSAGE_SIZE",
        SIZE,
        "Message size from which the receiver reads by RDMA.",
        default="1048576",
    ),
    _efa("FI_EFA_MR_CACHE_ENABLE", FLAG_WORD, "Keep memory registered for the next use."),
    _efa(
        "FI_EFA_MR_MAX_CACHED_COUNT",
        INTEGER,
        "Most registrations in the cache of registered memory.",
    ),
    _efa("FI_EFA_MR_MAX_CACHED_SIZE", SIZE, "Most bytes in the cache of registered memory."),
    _efa("FI_EFA_RUNT_SIZE", SIZE, "Bytes sent ahead while the rest is read.", default="307200"),
    _efa("FI_EFA_RX_SIZE", INTEGER, "Receives that may wait at once."),
    Variable(
        "FI_EFA_SET_CUDA_SYNC_MEMOPS",
        FLAG_WORD,
        "Mark registered CUDA memory as synchronous.",
        source="ofi-efa-doc",
        fabrics=EFA,
        note="0 works around an EFA installer below 1.29.1 with NCCL 2.19 and newer.",
    ),
    _efa("FI_EFA_TX_SIZE", INTEGER, "Sends that may be under way at once."),
    _efa(
        "FI_EFA_USE_DATA_PATH_DIRECT",
        FLAG_WORD,
        "Talk to the device without rdma-core on the data path.",
    ),
    _efa(
        "FI_EFA_USE_DEVICE_RDMA",
        FLAG_WORD,
        "Insist on RDMA by the device, or do without; unset takes it where it exists.",
        note=(
            "Not needed since libfabric 1.18 with plugin 1.7. true aborts where the device "
            "cannot read."
        ),
    ),
    _efa(
        "FI_EFA_USE_HUGE_PAGE",
        FLAG_WORD,
        "Take internal buffers from huge pages.",
        note=(
            "false, or hugepages-2Mi in the pod, when DataLoader workers fail with 'Cannot "
            "allocate memory'."
        ),
    ),
    Variable(
        "FI_LOG_LEVEL",
        CHOICE,
        "How much libfabric logs; debug needs a debug build.",
        source="libfabric",
        default="warn",
        choices=("warn", "trace", "info", "debug"),
        case_sensitive=False,
        fabrics=EFA,
    ),
    Variable("FI_LOG_PROV", LIST, "Providers that log.", source="libfabric", fabrics=EFA),
    Variable(
        "FI_PROVIDER",
        TEXT,
        "Provider to which libfabric is restricted.",
        source="ofi-efa-doc",
        fabrics=EFA,
        note="Only aws-ofi-nccl up to 1.5 needs efa here; any other provider means TCP.",
    ),
    Variable(
        "RDMAV_FORK_SAFE",
        FLAG01,
        "Switch of rdma-core for programs that fork.",
        source="ofi-efa-doc",
        fabrics=EFA,
        note="AWS advises against it with EFA: newer kernels may break.",
    ),
)
