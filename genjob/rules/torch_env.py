"""Variables of PyTorch, CUDA and OpenMP → training that hangs, crawls or sees the wrong GPUs.

Source: https://docs.pytorch.org/docs/2.9/torch_nccl_environment_variables.html
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.quantity import read_quantity
from genjob.rules.launch import command_text
from genjob.rules.rule import Hit
from genjob.rules.topology import nproc_per_node
from genjob.rules.walk import get
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

NO: Final = frozenset({"0", "f", "false", "n", "no"})
YES: Final = frozenset({"1", "t", "true", "y", "yes"})
"""How PyTorch reads a flag, in any case."""

ALLOCATOR: Final = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
ONE_CONNECTION: Final = "CUDA_DEVICE_MAX_CONNECTIONS"
SLOW: Final[dict[str, str]] = {
    "TORCH_DISTRIBUTED_DEBUG": "DETAIL",
    "CUDA_LAUNCH_BLOCKING": "1",
    "TORCH_NCCL_NAN_CHECK": "1",
}
"""Variable → the value with which each operation is checked, or waits for the one before."""

_FSDP: Final = re.compile(r"(?<![a-z])fsdp", re.IGNORECASE)
_TENSOR_PARALLEL: Final = re.compile(r"--tensor-model-parallel-size[= ]+([0-9]{1,6})")
_GLOO: Final = re.compile(r"--(?:dist[-_])?backend[= ]+['\"]?gloo\b")


def hangs_never_abort(network: Network) -> Iterator[Hit]:
    """Nothing ends a collective that hangs, or each one blocks the process.

    Symptom: a job that stands still until somebody looks; or kernels that are never queued ahead.
    Source: https://docs.pytorch.org/docs/2.9/torch_nccl_environment_variables.html
    """
    handling, waiting = "TORCH_NCCL_ASYNC_ERROR_HANDLING", "TORCH_NCCL_BLOCKING_WAIT"
    for role in network.roles:
        if _is(role, waiting, YES):
            message = f"{waiting} makes every collective block its process"
            yield Hit(role.env[waiting].path, message, f"remove it; {handling} 1 ends hangs too")
        elif _is(role, handling, NO):
            message = f"{handling} {quoted(role.env[handling].text)} lets a hang last for ever"
            yield Hit(role.env[handling].path, message, "remove it")


def debugging_slows_training(network: Network) -> Iterator[Hit]:
    """A switch for debugging makes every operation wait, or checks each.

    Symptom: training is several times slower.
    Source: https://docs.pytorch.org/docs/2.9/distributed.html#debugging-torch-distributed-applications
    """
    for name, value in SLOW.items():
        for _, setting in network.of(name):
            if setting.text.upper() == value:
                message = f"{name} {quoted(setting.text)} slows training down"
                yield Hit(setting.path, message, "remove it when the search is over")


def two_allocator_settings(network: Network) -> Iterator[Hit]:
    """The allocator is configured twice, under its old name and its new one.

    Symptom: releases of PyTorch differ in which one they take.
    Source: https://github.com/pytorch/pytorch/blob/v2.9.0/c10/core/AllocatorConfig.h
    """
    new, old = ALLOCATOR
    for role, setting in network.of(old):
        if new in role.env:
            yield Hit((*setting.path[:-1], "name"), f"{new} is set too", "remove one of the two")


def expandable_segments_registered(network: Network) -> Iterator[Hit]:
    """Memory that grows is to be registered with NCCL, which cannot be done.

    Symptom: PyTorch drops the registration with a line in the log, or NCCL fails to register.
    Source: https://github.com/pytorch/pytorch/issues/165419
    """
    hook = "TORCH_NCCL_USE_TENSOR_REGISTER_ALLOCATOR_HOOK"
    for role, setting in network.of(hook):
        texts = [role.text(name) or "" for name in ALLOCATOR]
        if _is(role, hook, YES) and any("expandable_segments:True" in text for text in texts):
            message = "memory of expandable segments cannot be registered"
            yield Hit(setting.path, message, "remove it, or 'expandable_segments:True'")


def dump_that_never_comes(network: Network) -> Iterator[Hit]:
    """A dump at a timeout is asked for, and what writes it is off.

    Symptom: no trace after a hang.
    Source: https://docs.pytorch.org/tutorials/unstable/flight_recorder_tutorial.html
    """
    dump, monitor = "TORCH_NCCL_DUMP_ON_TIMEOUT", "TORCH_NCCL_ENABLE_MONITORING"
    sizes = ("TORCH_FR_BUFFER_SIZE", "TORCH_NCCL_TRACE_BUFFER_SIZE")
    for role in network.roles:
        off = [name for name in sizes if role.number(name) == 0]
        off += [monitor] if _is(role, monitor, NO) else []
        if _is(role, dump, YES) and off:
            message = f"{off[0]} {quoted(role.env[off[0]].text)} keeps the dump from being written"
            hint = "write 1" if off[0] == monitor else "write a number of entries, such as 2000"
            yield Hit(role.env[off[0]].path, message, hint)


def cuda_connections_misfit(network: Network) -> Iterator[Hit]:
    """The number of hardware queues does not go with the kind of parallelism.

    Symptom: with FSDP and one queue, communication and computation take turns; with tensor
    parallelism of Megatron and several, they start in the wrong order.
    Source: https://github.com/pytorch/torchtitan/issues/1147
    """
    for role in network.roles:
        text, value = command_text(role.container), role.text(ONE_CONNECTION)
        split = _TENSOR_PARALLEL.search(text)
        is_split = split is not None and int(split[1]) > 1
        if value == "1" and _FSDP.search(text) and not is_split:
            message = f"{ONE_CONNECTION} 1 keeps FSDP from overlapping"
            yield Hit(role.env[ONE_CONNECTION].path, message, "remove it")


def visible_devices_set(network: Network) -> Iterator[Hit]:
    """A variable chooses among the GPUs that the device plugin gave the pod.

    Symptom: `invalid device ordinal`, two ranks on one GPU, or GPUs of other pods.
    Source: https://github.com/NVIDIA/Megatron-LM/issues/661
    """
    for name in ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"):
        for role, setting in network.of(name):
            if role.gpus > 0:
                message = f"{name} {quoted(setting.text)} beside the {role.gpus} GPUs of the pod"
                yield Hit((*setting.path[:-1], "name"), message, "remove it")


def threads_above_cpus(network: Network) -> Iterator[Hit]:
    """Threads of all processes together are more than the CPUs that the pod may use.

    Symptom: the kernel throttles the pod.
    Source: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
    """
    for role, setting in network.of("OMP_NUM_THREADS"):
        threads, limit = role.number("OMP_NUM_THREADS"), _cpu_limit(role)
        count = nproc_per_node(network.job) or role.gpus or 1
        if threads and limit and threads * count > limit:
            message = f"{count} processes of {threads} threads, and {limit} CPUs"
            yield Hit(setting.path, message, f"write {max(1, limit // count)}")


def gloo_with_gpus(network: Network) -> Iterator[Hit]:
    """The back end gloo is used on GPUs.

    Symptom: every collective copies to main memory and back; the GPUs wait.
    Source: https://docs.pytorch.org/docs/2.9/distributed.html#which-backend-to-use
    """
    for role in network.roles:
        at = _gloo_word(role)
        if role.gpus and (network.backend == "gloo" or at is not None):
            path = (*role.path, *at) if at else role.path
            gpus = f"{role.gpus} GPU{'s' * (role.gpus != 1)}"
            yield Hit(path, f"gloo on {gpus} copies through main memory", "use nccl")


def _gloo_word(role: Role) -> tuple[str, int] | None:
    """Return where the command names the back end gloo."""
    if not _GLOO.search(command_text(role.container)):
        return None
    for field in ("args", "command"):
        words = role.container.get(field)
        for index, word in enumerate(words if isinstance(words, list) else []):
            if isinstance(word, str) and "gloo" in word:
                return field, index
    return None


def _cpu_limit(role: Role) -> int | None:
    amount = read_quantity(get(role.container, "resources", "limits", "cpu"))
    return None if amount is None else int(amount)


def _is(role: Role, name: str, words: frozenset[str]) -> bool:
    return (role.text(name) or "").casefold() in words
