"""The sizes of a training pod → those that are allowed and are too small, or left to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.quantity import read_quantity
from genjob.rules.pod_mounts import SHARED_MEMORY
from genjob.rules.rule import Hit
from genjob.rules.walk import as_object, as_str, get, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role
    from genjob.rules.walk import Part

GIB: Final = 2**30
WHOLE_MACHINE_GPUS: Final = 8


def shared_memory_small(network: Network) -> Iterator[Hit]:
    """Shared memory, /dev/shm, has less than 1 GiB for each GPU.

    Symptom: `Bus error` in a DataLoader, or `No space left on device` in NCCL.
    Source: https://github.com/NVIDIA/nccl/issues/525
    """
    for role in network.roles:
        for at, volume in _shared_memory(role):
            size = read_quantity(get(volume, "emptyDir", "sizeLimit"))
            if size and role.gpus > 1 and size < role.gpus * GIB:
                message = f"shared memory is smaller than 1Gi for each of {role.gpus} GPUs"
                yield Hit((*at, "emptyDir", "sizeLimit"), message, f"write {role.gpus}Gi or more")


def shared_memory_without_size(network: Network) -> Iterator[Hit]:
    """Shared memory, /dev/shm, is as large as the memory limit of the pod, or half of the machine.

    Symptom: the pod is evicted, or its container is killed, when a DataLoader fills it.
    Source: https://kubernetes.io/docs/concepts/storage/volumes/#emptydir
    """
    for role in network.roles:
        for at, volume in _shared_memory(role):
            if get(volume, "emptyDir", "sizeLimit") is None and role.gpus:
                message = "shared memory has no size of its own"
                yield Hit((*at, "emptyDir"), message, "write a sizeLimit, such as 64Gi")


def gpus_without_cpu_or_memory(network: Network) -> Iterator[Hit]:
    """A pod with all GPUs of a machine asks for no CPU, or for no memory.

    Symptom: it is the first to be evicted; other pods take the CPUs that feed its GPUs.
    Source: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
    """
    for role in network.roles:
        given = {
            name
            for kind in ("requests", "limits")
            for name in as_object(get(role.container, "resources", kind))
        }
        missing = [name for name in ("cpu", "memory") if name not in given]
        if role.gpus >= WHOLE_MACHINE_GPUS and missing:
            message = f"{role.gpus} GPUs, and no request of {' or '.join(missing)}"
            yield Hit((*role.path, "resources"), message, "request what the machine has")


def _shared_memory(role: Role) -> Iterator[Part]:
    """Yield the volumes in memory that the training container has on /dev/shm."""
    mounts = parts((), role.container.get("volumeMounts"))
    names = {as_str(m.get("name")) for _, m in mounts if m.get("mountPath") == SHARED_MEMORY}
    for at, volume in parts((*role.pod_path, "volumes"), role.pod.get("volumes")):
        if as_str(volume.get("name")) in names and get(volume, "emptyDir", "medium") == "Memory":
            yield at, volume
