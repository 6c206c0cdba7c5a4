"""PyTorch beside its process groups: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import CHOICE, FLAG01, LIST, TEXT, Grammar, Variable

_torch = partial(Variable, source="torch-py")

ALLOCATOR_KEYS: Final = (
    "backend",
    "expandable_segments",
    "garbage_collection_threshold",
    "graph_capture_record_stream_reuse",
    "large_segment_size_mb",
    "max_non_split_rounding_mb",
    "max_split_size_mb",
    "per_process_memory_fraction",
    "pinned_num_register_threads",
    "pinned_reserve_segment_size_mb",
    "pinned_use_background_threads",
    "pinned_use_cuda_host_register",
    "release_lock_on_cudamalloc",
    "roundup_power2_divisions",
    "throw_on_cudamalloc_oom",
)
"""Options that the allocator knows; any other stops the program."""

ROWS: Final[tuple[Variable, ...]] = (
    _torch(
        "PYTORCH_ALLOC_CONF",
        TEXT,
        "Options of the allocator: key:value with commas between; booleans are True or False.",
        choices=ALLOCATOR_KEYS,
        grammar=Grammar.ALLOCATOR,
        since="2.9",
        note=(
            "Set this or PYTORCH_CUDA_ALLOC_CONF, not both. expandable_segments is known to "
            "clash with NCCL buffers and CUDA IPC."
        ),
    ),
    _torch(
        "PYTORCH_CUDA_ALLOC_CONF",
        TEXT,
        "Older name of PYTORCH_ALLOC_CONF.",
        choices=ALLOCATOR_KEYS,
        grammar=Grammar.ALLOCATOR,
        deprecated="since PyTorch 2.9",
        replaced_by="PYTORCH_ALLOC_CONF",
        note="Before PyTorch 2.9 this is the only name.",
    ),
    _torch(
        "PYTORCH_NO_CUDA_MEMORY_CACHING",
        FLAG01,
        "Give memory back to CUDA at once.",
        note="Very slow; for debugging.",
    ),
    Variable(
        "TORCH_CPP_LOG_LEVEL",
        CHOICE,
        "How much PyTorch's C++ logs.",
        source="torch-3p",
        default="WARNING",
        choices=("INFO", "WARNING", "ERROR", "FATAL", "0", "1", "2", "3"),
        note="INFO lines of DDP need INFO here, too.",
    ),
    Variable(
        "TORCH_CUDA_ARCH_LIST",
        LIST,
        "GPU architectures for which extensions are compiled.",
        source="general",
        separator=" ",
    ),
    _torch(
        "TORCH_DISTRIBUTED_DEBUG",
        CHOICE,
        "Checks of collectives and logs of DDP.",
        default="OFF",
        choices=("OFF", "INFO", "DETAIL"),
        case_sensitive=False,
        note="DETAIL compares every collective over gloo: slow, for debugging.",
    ),
    _torch(
        "TORCH_DISTRIBUTED_USE_TORCHCOMMS",
        FLAG01,
        "Use the back ends of torchcomms.",
        default="0",
        since="recent",
    ),
    _torch(
        "TORCH_DIST_INIT_BARRIER",
        FLAG01,
        "Wait for all ranks at the end of init_process_group.",
        default="0",
    ),
    _torch(
        "TORCH_DIST_NAN_CHECK",
        FLAG01,
        "Look for NaN in what is sent, with any back end.",
        default="0",
        since="2.14",
    ),
    _torch(
        "TORCH_DIST_USE_NCCL2",
        FLAG01,
        "Use the new process group for NCCL.",
        default="0",
        since="recent",
    ),
    Variable("TORCH_LOGS", LIST, "Parts of PyTorch that log, such as +dynamo.", source="torch-3p"),
    Variable(
        "TORCH_SHOW_CPP_STACKTRACES",
        FLAG01,
        "Add C++ stacks to errors.",
        source="torch-3p",
        default="0",
    ),
    _torch(
        "TORCH_SYMMMEM_IMPLICIT_POOL",
        FLAG01,
        "Keep a pool of symmetric memory without being asked.",
        default="1",
        since="recent",
    ),
)
