"""How NCCL launches kernels, registers buffers and connects: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    CODE,
    FLAG01,
    INTEGER,
    SIZE,
    TEXT,
    Section,
    Variable,
)

_system = partial(Variable, source="nccl-env", section=Section.SYSTEM)
_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _debugging(
        "NCCL_COMM_BLOCKING",
        FLAG01,
        "Whether calls on a communicator wait; false makes them return at once.",
        since="2.14",
    ),
    _undocumented(
        "NCCL_COMM_SHRINK_SHARE_RESOURCES",
        FLAG01,
        "Let a shrunk communicator share its parent's resources.",
    ),
    _undocumented(
        "NCCL_COMM_SPLIT_SHARE_RESOURCES",
        FLAG01,
        "Let a communicator made by a split share its parent's resources.",
    ),
    _undocumented(
        "NCCL_GIN_ENABLE",
        FLAG01,
        "Let GPU kernels start network transfers.",
        default="1",
        since="2.28",
    ),
    _undocumented(
        "NCCL_GIN_TYPE",
        INTEGER,
        "Back end of transfers that the GPU starts; -1 lets NCCL decide.",
        default="-1",
    ),
    _debugging(
        "NCCL_GRAPH_MIXING_SUPPORT",
        FLAG01,
        "Allow captured and direct calls on one communicator.",
        default="1",
        since="2.13",
    ),
    _debugging(
        "NCCL_GRAPH_REGISTER",
        FLAG01,
        "Register the buffers of captured CUDA graphs.",
        default="1",
        since="2.11",
    ),
    _debugging(
        "NCCL_LAUNCH_MODE",
        CHOICE,
        "One launch for each GPU, or one for all GPUs of the process.",
        default="PARALLEL",
        choices=("PARALLEL", "GROUP"),
        since="2.1.0",
        note="GROUP is deprecated since 2.9.",
    ),
    _debugging(
        "NCCL_LAUNCH_ORDER_IMPLICIT",
        FLAG01,
        "Run operations of several communicators in the order of the program.",
        default="0",
        since="2.26",
    ),
    _debugging(
        "NCCL_LAUNCH_RACE_FATAL",
        FLAG01,
        "Fail when two threads launch on one device at the same time.",
        default="1",
        since="2.26",
    ),
    _debugging(
        "NCCL_LOCAL_REGISTER",
        FLAG01,
        "Use buffers that the program registered itself.",
        default="1",
        since="2.19",
    ),
    _debugging(
        "NCCL_MEM_SYNC_DOMAIN",
        CODE,
        "Domain of CUDA memory order for NCCL's kernels: 0 default, 1 remote.",
        default="1",
        choices=("0", "1"),
        since="2.16",
    ),
    _system(
        "NCCL_MULTI_RANK_GPU_ENABLE",
        FLAG01,
        "Allow several ranks on one GPU, which is an error otherwise; an experiment of 2.30.",
        default="0",
        since="2.30",
        note="Not together with NVLink SHARP.",
    ),
    _debugging(
        "NCCL_RUNTIME_CONNECT",
        FLAG01,
        "Connect peers when they first talk instead of all at start.",
        default="1",
        since="2.22",
    ),
    _debugging(
        "NCCL_SET_STACK_SIZE",
        FLAG01,
        "Set the largest kernel stack once, when NCCL is loaded.",
        default="0",
        since="2.9",
    ),
    _debugging(
        "NCCL_SYM_GIN_KERNELS_ENABLE",
        FLAG01,
        "Allow symmetric kernels that reach the network from the GPU.",
        default="1",
        since="2.29 update 1",
    ),
    _undocumented("NCCL_SYM_KERNEL", TEXT, "The kernel for symmetric memory that must be used."),
    _debugging(
        "NCCL_WIN_ENABLE", FLAG01, "Allow windows of symmetric memory.", default="1", since="2.27"
    ),
    _undocumented(
        "NCCL_WORK_FIFO_BYTES",
        SIZE,
        "Bytes of the queue that hands work to the GPU.",
        default="1048576",
        power_of_two=True,
    ),
)
