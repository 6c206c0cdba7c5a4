"""A PyTorchJob → where what its command says disagrees with what the operator tells its pods.

The operator speaks to torchrun through PET_… variables; a flag on the command line beats them.
Source: https://github.com/pytorch/pytorch/blob/v2.5.0/torch/distributed/run.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.launch import LAUNCH_MODULE, flags, is_plain_python, main_containers, words
from genjob.rules.rule import Hit
from genjob.rules.topology import (
    gpus,
    is_elastic,
    node_range,
    nproc_per_node,
    replicas,
    total_pods,
)
from genjob.rules.walk import REPLICA_SPECS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.launch import Flag


def constant_node_rank(job: JsonObject) -> Iterator[Hit]:
    """A node rank written into the command is that of every pod of the role.

    Symptom: a hang at the start: several nodes are the same rank.
    """
    for path, container in main_containers(job):
        typed = _torchrun_flags(path, container)
        rank = typed.get("node_rank")
        if rank is None or not rank.value.isdecimal() or "rdzv_backend" in typed or is_elastic(job):
            continue
        if (total_pods(job) or 1) > 1 and int(rank.value) != _only_rank(job, path):
            message = f"node rank {rank.value} is written into the command of every pod of the role"
            yield Hit(rank.path, message, "remove it: the operator sets PET_NODE_RANK in each pod")


def constant_nnodes(job: JsonObject) -> Iterator[Hit]:
    """A number of nodes written into the command is not the number of pods.

    Symptom: a hang at the start, or `ConnectTimeout`: nodes are missing.
    """
    pods = node_range(job)
    for path, container in main_containers(job):
        nnodes = _torchrun_flags(path, container).get("nnodes")
        wanted = _bounds(nnodes.value) if nnodes else None
        if nnodes and wanted and pods and (wanted[1] < pods[0] or wanted[0] > pods[1]):
            message = (
                f"nnodes {nnodes.value} is written into the command, the job has {_range(pods)}"
            )
            yield Hit(nnodes.path, message, "remove it: the operator sets PET_NNODES in each pod")


def deprecated_launch_module(job: JsonObject) -> Iterator[Hit]:
    """The module torch.distributed.launch is deprecated; torchrun takes its place.

    Symptom: a warning; scripts get `--local-rank`, which many do not know.
    Source: https://pytorch.org/docs/2.5/distributed.html#launch-utility
    """
    for path, container in main_containers(job):
        typed = words(path, container)
        if LAUNCH_MODULE.search(" ".join(word for _, word in typed)):
            at = next((at for at, word in typed if "torch.distributed.launch" in word), path)
            yield Hit(at, "'python -m torch.distributed.launch' is deprecated", "write 'torchrun'")


def python_with_many_processes(job: JsonObject) -> Iterator[Hit]:
    """WORLD_SIZE counts nprocPerNode processes in each pod, and plain python starts one of them.

    Symptom: a hang at the start: ranks are missing.
    Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/pytorch/envvar.go
    """
    count = nproc_per_node(job)
    plain = [part for part in main_containers(job) if is_plain_python(part[1])]
    if count is not None and count > 1 and plain:
        message = f"'python' starts 1 process in a pod, nprocPerNode makes WORLD_SIZE count {count}"
        yield Hit(("spec", "nprocPerNode"), message, "start the script with 'torchrun'")


def nproc_above_gpus(job: JsonObject) -> Iterator[Hit]:
    """More processes start in a pod than it has GPUs; each drives one.

    Symptom: `invalid device ordinal`, or `Duplicate GPU detected`.
    """
    for path, count, available in _processes_and_gpus(job):
        if count > available > 0:
            message = f"{_count(count, 'process')} in a pod that has {_count(available, 'GPU')}"
            yield Hit(path, message, _processes_hint(count, available))


def nproc_below_gpus(job: JsonObject) -> Iterator[Hit]:
    """Fewer processes start in a pod than it has GPUs; the others idle.

    Symptom: GPUs that idle.
    """
    for path, count, available in _processes_and_gpus(job):
        if 0 < count < available:
            message = f"{_count(count, 'process')} in a pod that has {_count(available, 'GPU')}"
            yield Hit(path, message, _processes_hint(count, available))


def gpus_differ_between_roles(job: JsonObject) -> Iterator[Hit]:
    """Master and Worker have different numbers of GPUs; nprocPerNode is one value for all pods.

    Where nprocPerNode is a number, the role that it does not fit is reported instead.

    Symptom: ranks without a GPU, or GPUs without a rank.
    """
    by_role = {_role(path): (path, gpus(container)) for path, container in main_containers(job)}
    if (
        not is_elastic(job)
        and nproc_per_node(job) is None
        and {"Master", "Worker"} <= by_role.keys()
    ):
        (_, master), (path, worker) = by_role["Master"], by_role["Worker"]
        if master != worker:
            message = f"the Master has {_count(master, 'GPU')}, a Worker {_count(worker, 'GPU')}"
            hint = "give all pods the same number: nprocPerNode applies to each of them"
            yield Hit((*path, "resources", "limits"), message, hint)


def _role(path: DocPath) -> str:
    return str(path[len(REPLICA_SPECS)])


def _torchrun_flags(path: DocPath, container: JsonObject) -> dict[str, Flag]:
    """Return the flags by name; none of a stand-alone run, which counts its own nodes."""
    typed = {flag.name: flag for flag in flags(path, container)}
    return {} if "standalone" in typed else typed


def _only_rank(job: JsonObject, path: DocPath) -> int | None:
    """Return the rank of the only pod of a role, None when the role has several."""
    if _role(path) == "Master":
        return 0
    return replicas(job, "Master") if replicas(job, "Worker") == 1 else None


def _bounds(nnodes: str) -> tuple[int, int] | None:
    """Read torchrun's `4` or `1:4`; None for a variable."""
    low, _, high = nnodes.partition(":")
    return (int(low), int(high or low)) if low.isdecimal() and (high or low).isdecimal() else None


def _range(pods: tuple[int, int]) -> str:
    return f"{pods[0]} to {pods[1]} pods" if pods[0] != pods[1] else _count(pods[0], "pod")


def _processes_and_gpus(job: JsonObject) -> Iterator[tuple[DocPath, int, int]]:
    """Yield where the processes of a pod are counted, their number, and the GPUs of the pod."""
    for path, container in main_containers(job):
        flag = {flag.name: flag for flag in flags(path, container)}.get("nproc_per_node")
        if flag and flag.value.isdecimal():
            yield flag.path, int(flag.value), gpus(container)
        elif not flag and (count := nproc_per_node(job)) and not is_plain_python(container):
            yield ("spec", "nprocPerNode"), count, gpus(container)


def _processes_hint(count: int, available: int) -> str:
    return f"start {available} in each pod, or give it {_count(count, 'GPU')}"


def _count(number: int, noun: str) -> str:
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}{plural if number != 1 else ''}"
