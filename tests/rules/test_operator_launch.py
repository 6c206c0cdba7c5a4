"""operator_launch.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ643",
        {"work > args": ["--node_rank=0"]},
        {"work > args": ["--node_rank=$(RANK)"]},
        "work > args > 0",
        "node rank 0 is written into the command of every pod of the role",
        "remove it: the operator sets PET_NODE_RANK in each pod",
    ),
    (
        "GJ643",
        {"main > args": ["--node-rank", "1"]},
        {"main > args": ["--node-rank", "0"]},
        "main > args > 0",
        "node rank 1 is written into the command of every pod of the role",
        "remove it: the operator sets PET_NODE_RANK in each pod",
    ),
    (
        "GJ643",
        {"worker > replicas": 1, "work > args": ["--node_rank=2"]},
        {"worker > replicas": 1, "work > args": ["--node_rank=1"]},
        "work > args > 0",
        "node rank 2 is written into the command of every pod of the role",
        "remove it: the operator sets PET_NODE_RANK in each pod",
    ),
    (
        "GJ644",
        {"main > args": ["--nnodes=8"]},
        {"main > args": ["--nnodes=4"]},
        "main > args > 0",
        "nnodes 8 is written into the command, the job has 4 pods",
        "remove it: the operator sets PET_NNODES in each pod",
    ),
    (
        "GJ644",
        {"main > args": ["--nnodes", "1:2"]},
        {"main > args": ["--nnodes", "1:8"]},
        "main > args > 0",
        "nnodes 1:2 is written into the command, the job has 4 pods",
        "remove it: the operator sets PET_NNODES in each pod",
    ),
    (
        "GJ644",
        {"main > command": ["bash", "-c", "torchrun --nnodes 1 train.py"]},
        {
            "main > command": [
                "bash",
                "-c",
                "# torchrun --nnodes=1\ntorchrun --nnodes=${N} train.py",
            ]
        },
        "main > command > 2",
        "nnodes 1 is written into the command, the job has 4 pods",
        "remove it: the operator sets PET_NNODES in each pod",
    ),
    (
        "GJ645",
        {"main > command": ["python", "-m", "torch.distributed.launch", "train.py"]},
        {"main > command": ["python", "-m", "torch.distributed.run", "train.py"]},
        "main > command > 2",
        "'python -m torch.distributed.launch' is deprecated",
        "write 'torchrun'",
    ),
    (
        "GJ646",
        {"main > command": ["/usr/bin/python3.11", "train.py"]},
        {"main > command": ["/usr/bin/python3.11", "train.py"], "spec > nprocPerNode": "auto"},
        "spec > nprocPerNode",
        "'python' starts 1 process in a pod, nprocPerNode makes WORLD_SIZE count 8",
        "start the script with 'torchrun'",
    ),
    (
        "GJ358",
        {"spec > nprocPerNode": "16"},
        {"spec > nprocPerNode": "8"},
        "spec > nprocPerNode",
        "16 processes in a pod that has 8 GPUs",
        "start 8 in each pod, or give it 16 GPUs",
    ),
    (
        "GJ358",
        {"main > args": ["--nproc_per_node=9"]},
        {"main > args": ["--nproc_per_node=$N"]},
        "main > args > 0",
        "9 processes in a pod that has 8 GPUs",
        "start 8 in each pod, or give it 9 GPUs",
    ),
    (
        "GJ359",
        {"spec > nprocPerNode": "1"},
        {"spec > nprocPerNode": "auto"},
        "spec > nprocPerNode",
        "1 process in a pod that has 8 GPUs",
        "start 8 in each pod, or give it 1 GPU",
    ),
    (
        "GJ360",
        {
            "spec > nprocPerNode": "auto",
            "main > resources > limits > nvidia.com/gpu": 1,
            "main > resources > requests": ...,
        },
        {
            "spec > nprocPerNode": "auto",
            "main > resources > limits > nvidia.com/gpu": "8",
            "main > resources > requests": ...,
        },
        "work > resources > limits",
        "the Master has 1 GPU, a Worker 8 GPUs",
        "give all pods the same number: nprocPerNode applies to each of them",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
