"""The volume mounts of a job's containers → what the API server refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.quantity import read_quantity
from genjob.rules.pod_volumes import descending_fault
from genjob.rules.rule import Hit
from genjob.rules.topology import gpus
from genjob.rules.walk import (
    as_str,
    container_parts,
    containers,
    distinct_pods,
    get,
    main_container,
    parts,
    pod_containers,
)
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.walk import Part

PROPAGATIONS = ("None", "HostToContainer", "Bidirectional")
SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the path of a mount, not a file that we write


def mount_without_volume(job: JsonObject) -> Iterator[Hit]:
    """A mount names a volume of its pod."""
    for path, pod in distinct_pods(job):
        volumes = [as_str(v.get("name")) or "" for _, v in parts((), pod.get("volumes"))]
        for at, mount in _mounts(path, pod):
            name = as_str(mount.get("name"))
            if name is not None and name not in volumes:
                message = f"no volume of the pod is named {quoted(name)}"
                hint = did_you_mean(name, volumes) or "add it to 'volumes'"
                yield Hit((*at, "name"), message, hint)


def duplicate_mount_path(job: JsonObject) -> Iterator[Hit]:
    """Two volumes are not mounted on one path of a container."""
    for path, container in containers(job):
        taken: dict[str, str] = {}
        for at, mount in parts((*path, "volumeMounts"), container.get("volumeMounts")):
            folder, name = as_str(mount.get("mountPath")), as_str(mount.get("name")) or ""
            if folder and folder in taken:
                message = f"volume {quoted(taken[folder])} is mounted on {quoted(folder)} too"
                yield Hit((*at, "mountPath"), message, "give each mount its own path")
            taken[folder or ""] = name


def mount_path_empty(job: JsonObject) -> Iterator[Hit]:
    """A mount has a path."""
    for path, mount in container_parts(job, "volumeMounts"):
        if mount.get("mountPath") == "":
            yield Hit((*path, "mountPath"), "mountPath is empty", "write a path such as '/data'")


def mount_path_with_colon(job: JsonObject) -> Iterator[Hit]:
    """A path with ':' is taken by the API server, and fails in container runtimes that split on it.

    Symptom: `invalid mount` when the container starts.
    Source: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
    """
    for path, mount in container_parts(job, "volumeMounts"):
        folder = as_str(mount.get("mountPath"))
        if folder and ":" in folder:
            message = f"mountPath {quoted(folder)} contains ':'"
            yield Hit((*path, "mountPath"), message, "write a path without ':'")


def sub_path_invalid(job: JsonObject) -> Iterator[Hit]:
    """A sub-path stays inside its volume: relative, without '..'."""
    for path, mount in container_parts(job, "volumeMounts"):
        for field in ("subPath", "subPathExpr"):
            folder = as_str(mount.get(field))
            if folder and (fault := descending_fault(folder)):
                message = f"{field} {quoted(folder)} {fault}"
                yield Hit((*path, field), message, "write a path inside the volume")


def two_sub_paths(job: JsonObject) -> Iterator[Hit]:
    """A mount has a subPath or a subPathExpr, not both."""
    for path, mount in container_parts(job, "volumeMounts"):
        if mount.get("subPath") and mount.get("subPathExpr"):
            message = "'subPathExpr' is given beside 'subPath'"
            yield Hit((*path, "subPathExpr"), message, "remove one of the two", at_key=True)


def mount_propagation_unknown(job: JsonObject) -> Iterator[Hit]:
    """The mount propagation is one of three words."""
    for path, mount in container_parts(job, "volumeMounts"):
        word = as_str(mount.get("mountPropagation"))
        if word is not None and word not in PROPAGATIONS:
            message = f"mountPropagation is {quoted(word)}, expected {one_of(PROPAGATIONS)}"
            yield Hit((*path, "mountPropagation"), message, did_you_mean(word, PROPAGATIONS))


def no_shared_memory(job: JsonObject) -> Iterator[Hit]:
    """Without a volume on /dev/shm the GPUs of a pod share 64 MiB; NCCL then fails to start.

    Symptom: `unable to open shared memory`, or `Bus error` in a DataLoader.
    Source: https://github.com/NVIDIA/nccl/issues/290
    """
    for path, pod in distinct_pods(job):
        main = main_container(path, pod)
        if main is None or gpus(main[1]) <= 1 or pod.get("hostIPC") is True:
            continue
        mounts = [mount.get("mountPath") for _, mount in parts((), main[1].get("volumeMounts"))]
        if not {SHARED_MEMORY, SHARED_MEMORY + "/"} & {m for m in mounts if isinstance(m, str)}:
            message = (
                f"{gpus(main[1])} GPUs and no volume on {SHARED_MEMORY}: 64 MiB are too little"
            )
            hint = f"mount an emptyDir with 'medium: Memory' on {SHARED_MEMORY}"
            yield Hit(main[0], message, hint)


def shared_memory_above_limit(job: JsonObject) -> Iterator[Hit]:
    """A memory-backed emptyDir counts against the memory limit of the container that fills it.

    Symptom: OOMKilled, when the volume fills.
    Source: https://kubernetes.io/docs/concepts/storage/volumes/#emptydir
    """
    for path, pod in distinct_pods(job):
        main = main_container(path, pod)
        limit = read_quantity(get(main[1], "resources", "limits", "memory")) if main else None
        mounts = parts((), main[1].get("volumeMounts")) if main else ()
        mounted = [mount.get("name") for _, mount in mounts]
        for at, volume in parts((*path, "volumes"), pod.get("volumes")):
            size = read_quantity(get(volume, "emptyDir", "sizeLimit"))
            in_memory = get(volume, "emptyDir", "medium") == "Memory"
            if in_memory and size and limit and size >= limit and volume.get("name") in mounted:
                message = "sizeLimit of a memory volume is not below the container's memory limit"
                hint = "lower it, or raise the memory limit: the volume counts against it"
                yield Hit((*at, "emptyDir", "sizeLimit"), message, hint)


def _mounts(path: DocPath, pod: JsonObject) -> Iterator[Part]:
    for at, container in pod_containers(path, pod):
        yield from parts((*at, "volumeMounts"), container.get("volumeMounts"))
