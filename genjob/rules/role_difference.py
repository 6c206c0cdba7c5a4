"""Master and Worker of a job → what is different between them and must not be.

All ranks of a training agree on algorithms, buffers and transports, or wait for each other.
Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html (2.30.7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.rule import Hit
from genjob.rules.walk import as_str, get, parts
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

AGREED: Final = ("NCCL_", "FI_", "OFI_NCCL_", "TORCH_NCCL_", "GLOO_", "UCX_")
"""Prefixes of variables that must be the same on each rank."""

LOGS: Final = (
    "NCCL_DEBUG",
    "TORCH_NCCL_DEBUG",
    "TORCH_NCCL_DUMP",
    "FI_LOG",
    "OFI_NCCL_LOG",
    "UCX_LOG",
)
"""Prefixes of those of them that only say what is logged."""

GPU_TAINT: Final = "nvidia.com/gpu"


def nccl_differs_between_roles(network: Network) -> Iterator[Hit]:
    """Master and Worker have different settings of NCCL or of its network.

    Symptom: a hang at the first collective, or some ranks on another network than the others.
    """
    for master, worker in _pair(network):
        mine, theirs = _agreed(master), _agreed(worker)
        names = [n for n in {**theirs, **mine} if mine.get(n) != theirs.get(n)]
        if names and not master.container.get("envFrom") and not worker.container.get("envFrom"):
            first = next((name for name in names if name in theirs), "")
            at = worker.env[first].path if first else (*worker.path, "env")
            message = f"Master and Worker differ in {', '.join(names)}"
            yield Hit(at, message, "set the same for both")


def devices_differ_between_roles(network: Network) -> Iterator[Hit]:
    """Master and Worker have different numbers of network devices.

    Symptom: a hang at the start, or the speed of the pod that has the least.
    """
    for master, worker in _pair(network):
        for device in {**worker.devices, **master.devices}:
            mine, theirs = master.devices.get(device, 0), worker.devices.get(device, 0)
            if mine is None or theirs is None or mine == theirs:
                continue
            message = f"the Master has {mine} of {quoted(device)}, a Worker {theirs}"
            at = worker.resource_path(device) if device in worker.devices else worker.path
            yield Hit(at, message, "ask for the same in both")


def images_differ_between_roles(network: Network) -> Iterator[Hit]:
    """Master and Worker run different images.

    Symptom: `NCCL version mismatch`, or code that differs between ranks.
    """
    for master, worker in _pair(network):
        mine, theirs = as_str(master.container.get("image")), as_str(worker.container.get("image"))
        if mine and theirs and mine != theirs:
            message = f"the Master runs {quoted(mine)}, a Worker {quoted(theirs)}"
            yield Hit((*worker.path, "image"), message, "use one image")


def tolerations_differ_between_roles(network: Network) -> Iterator[Hit]:
    """One role tolerates the taint of GPU machines, the other asks for GPUs and does not.

    Symptom: pods of one role stay Pending: `untolerated taint nvidia.com/gpu`; the others wait.
    Source: https://github.com/flyteorg/flyte/issues/4422
    """
    for pair in _pair(network):
        for role, other in (pair, pair[::-1]):
            if role.gpus and other.gpus and _tolerates(other) and not _tolerates(role):
                message = (
                    f"the {role.name} does not tolerate {quoted(GPU_TAINT)}, the {other.name} does"
                )
                yield Hit(role.pod_path, message, f"write the tolerations of the {other.name}")


def _pair(network: Network) -> Iterator[tuple[Role, Role]]:
    by_name = {role.name: role for role in network.roles}
    if "Master" in by_name and "Worker" in by_name:
        yield by_name["Master"], by_name["Worker"]


def _agreed(role: Role) -> dict[str, str]:
    return {
        name: setting.text
        for name, setting in role.env.items()
        if name.startswith(AGREED) and not name.startswith(LOGS)
    }


def _tolerates(role: Role) -> bool:
    entries = parts((), role.pod.get("tolerations"))
    return any(get(entry, "key") in (GPU_TAINT, None) for _, entry in entries)
