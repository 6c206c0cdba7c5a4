"""Python, OpenMP and CUDA under a training process: their variables, one row each."""

from __future__ import annotations

from typing import Final

from genjob.catalog.variables.variable import CHOICE, FLAG01, INTEGER, LIST, TEXT, Grammar, Variable

ROWS: Final[tuple[Variable, ...]] = (
    Variable(
        "CUDA_DEVICE_MAX_CONNECTIONS",
        INTEGER,
        "Hardware queues of a GPU.",
        source="cuda-docs",
        default="8",
        minimum=1,
        maximum=32,
        note=(
            "1 for tensor and sequence parallelism of Megatron on Ampere and Hopper; it slows FSDP."
        ),
    ),
    Variable(
        "CUDA_DEVICE_ORDER",
        CHOICE,
        "How GPUs are numbered.",
        source="cuda-docs",
        default="FASTEST_FIRST",
        choices=("FASTEST_FIRST", "PCI_BUS_ID"),
    ),
    Variable(
        "CUDA_LAUNCH_BLOCKING",
        FLAG01,
        "Wait for each kernel.",
        source="cuda-docs",
        default="0",
        note="Very slow, and NCCL may deadlock; for debugging.",
    ),
    Variable(
        "CUDA_VISIBLE_DEVICES",
        LIST,
        "GPUs that the process sees.",
        source="cuda-docs",
        note="The device plugin decides this; by hand it ends in duplicate or missing GPUs.",
    ),
    Variable(
        "NVIDIA_VISIBLE_DEVICES",
        TEXT,
        "GPUs that the container runtime hands over.",
        source="general",
        note="all takes GPUs that other pods own.",
    ),
    Variable(
        "OMP_NUM_THREADS",
        INTEGER,
        "CPU threads of each process.",
        source="torch-py",
        minimum=1,
        grammar=Grammar.THREADS,
        note=(
            "torchrun sets 1 when several processes run. CPUs of the pod / nproc_per_node is usual."
        ),
    ),
    Variable(
        "PYTHONFAULTHANDLER",
        TEXT,
        "Print Python's stack on a fatal signal; any text that is not empty.",
        source="general",
    ),
    Variable(
        "PYTHONUNBUFFERED",
        TEXT,
        "Write output at once; any text that is not empty.",
        source="training-operator",
        default="1",
        note="The operator sets 1.",
    ),
)
