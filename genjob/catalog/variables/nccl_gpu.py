"""How NCCL moves data between the GPUs of a machine: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    CODE,
    FLAG01,
    INTEGER,
    LEVELS,
    SIZE,
    Section,
    Variable,
)

_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _debugging(
        "NCCL_ALLOC_P2P_NET_LL_BUFFERS",
        FLAG01,
        "Give each peer on the network LL buffers of its own.",
        default="0",
        since="2.14",
        note="Takes memory for each rank of the job.",
    ),
    _debugging(
        "NCCL_CUMEM_ENABLE",
        INTEGER,
        "Allocate through cuMem: 0 off, 1 on, -2 where the driver can.",
        minimum=-2,
        maximum=1,
        since="2.18",
        note="NVLS and NVLink between machines need it. 2.18 had it off.",
    ),
    _debugging(
        "NCCL_CUMEM_HOST_ENABLE",
        FLAG01,
        "Allocate host buffers through cuMem instead of /dev/shm.",
        since="2.23",
        note="From 2.24 on it is on with driver 12.6, where the container may use NUMA calls.",
    ),
    _undocumented(
        "NCCL_IGNORE_DISABLED_P2P",
        CODE,
        "When the driver denies peer access: 0 fails on NVLink pairs, 1 goes on, 2 never asks.",
        default="0",
        choices=("0", "1", "2"),
    ),
    _debugging(
        "NCCL_IPC_USE_ABSTRACT_SOCKET",
        FLAG01,
        "Pass handles between processes through abstract unix sockets.",
        default="1",
        since="2.29",
        note="false when the ranks of a machine run in pods with networks of their own.",
    ),
    _debugging(
        "NCCL_LEGACY_CUDA_REGISTER",
        FLAG01,
        "Allow buffers of cudaMalloc to be registered.",
        default="0",
        since="2.24",
    ),
    _debugging(
        "NCCL_NVB_DISABLE",
        FLAG01,
        "Never relay through a third GPU of the machine.",
        default="0",
        since="2.11",
    ),
    _debugging(
        "NCCL_P2P_DIRECT_DISABLE",
        FLAG01,
        "Keep GPUs of one process from each other's user buffers.",
        default="0",
    ),
    _debugging(
        "NCCL_P2P_DISABLE",
        FLAG01,
        "Keep the GPUs of a machine from reading each other over NVLink or PCI.",
        default="0",
        note="A leftover of debugging costs most of the bandwidth of an NVLink machine.",
    ),
    _debugging(
        "NCCL_P2P_LEVEL",
        CHOICE,
        "Farthest pair of GPUs that still use peer access; LOC turns it off.",
        choices=("LOC", "NVL", "PIX", "PXB", "PHB", "SYS"),
        newer_choices=LEVELS,
        case_sensitive=True,
        since="2.3.4",
    ),
    _debugging(
        "NCCL_P2P_LL_THRESHOLD",
        SIZE,
        "Largest send/recv that takes the LL protocol.",
        default="16384",
        since="2.14",
    ),
    _debugging(
        "NCCL_P2P_NET_CHUNKSIZE",
        SIZE,
        "Bytes of one network message of send/recv.",
        default="131072",
        power_of_two=True,
        since="2.14",
    ),
    _undocumented(
        "NCCL_P2P_NVL_CHUNKSIZE",
        SIZE,
        "Bytes of one piece of send/recv over NVLink.",
        default="524288",
    ),
    _undocumented(
        "NCCL_P2P_PCI_CHUNKSIZE",
        SIZE,
        "Bytes of one piece of send/recv over PCI.",
        default="131072",
    ),
    _debugging(
        "NCCL_P2P_PXN_LEVEL",
        CODE,
        "PXN for send/recv: 0 never, 1 where no PCI switch leads to the NIC, 2 always.",
        default="2",
        choices=("0", "1", "2"),
        since="2.12",
    ),
    _undocumented(
        "NCCL_P2P_READ_ENABLE", FLAG01, "Let the receiver read instead of the sender write."
    ),
    _undocumented(
        "NCCL_P2P_USE_CUDA_MEMCPY",
        FLAG01,
        "Copy between GPUs with the copy engines instead of kernels.",
        default="0",
    ),
    _debugging(
        "NCCL_PXN_C2C",
        FLAG01,
        "Allow PXN to a GPU behind a C2C link and PCI.",
        default="1",
        since="2.27",
        note="The default was false in 2.27.",
    ),
    _debugging(
        "NCCL_PXN_DISABLE",
        FLAG01,
        "Never use the NIC beside another GPU through NVLink.",
        default="0",
        since="2.12",
    ),
    _debugging(
        "NCCL_SHM_DISABLE",
        FLAG01,
        "Send over the network instead of shared memory between GPUs of a machine.",
        default="0",
        note="A /dev/shm that is too small is better made larger.",
    ),
    _undocumented(
        "NCCL_SHM_LOCALITY",
        CODE,
        "Which side holds the buffers in shared memory: 1 the sender, 2 the receiver.",
        default="2",
        choices=("1", "2"),
    ),
)
