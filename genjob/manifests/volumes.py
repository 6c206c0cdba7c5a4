"""Storage → the volumes of a pod and the mounts of its container."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifests.claims import claim_name
from genjob.manifests.configuration import files_name
from genjob.manifests.trace import Traced, fields, traced

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import DocPath, Json
    from genjob.model.experiment import Experiment
    from genjob.model.storage import ObjectVolume, Storage
    from genjob.resolve.job import Job

SHM_NAME = "dshm"
SHM_PATH = "/dev/shm"  # noqa: S108 # the mount point of POSIX shared memory, not a temporary file
_SHM: DocPath = ("resources", "shm_size")


def volumes(job: Job, role: Experiment) -> list[Json]:
    """Return the volumes of a pod, each named as its storage."""
    mounted = [
        Traced(
            ("name", storage.name, ("storage", index, "name")),
            _source(job, storage, ("storage", index)),
        )
        for index, storage in enumerate(role.storage)
    ]
    return [*mounted, *([_shm(role)] if role.resources.shm_size else [])]


def mounts(role: Experiment) -> list[Json]:
    """Return the mounts of the training container."""
    found: list[Json] = [_mount(storage, ("storage", i)) for i, storage in enumerate(role.storage)]
    if role.resources.shm_size:
        found.append(Traced(("name", SHM_NAME, _SHM), ("mountPath", SHM_PATH, _SHM)))
    return found


def _mount(storage: Storage, here: DocPath) -> Traced:
    return fields(
        ("name", storage.name, (*here, "name")),
        ("mountPath", storage.mount_path, (*here, "mount_path")),
        ("subPath", storage.sub_path, (*here, "sub_path")),
        ("readOnly", storage.read_only or None, (*here, "read_only")),
    )


def _shm(role: Experiment) -> Traced:
    memory = Traced(("medium", "Memory", _SHM), ("sizeLimit", role.resources.shm_size, _SHM))
    return Traced(("name", SHM_NAME, _SHM), ("emptyDir", memory, _SHM))


def _source(job: Job, storage: Storage, here: DocPath) -> tuple[str, Json, DocPath]:
    for kind, render in _SOURCES.items():
        if getattr(storage, kind) is not None:
            name, body = render(job, storage, (*here, kind))
            return name, body, (*here, kind)
    raise AssertionError(storage)  # the model demands exactly one


def _pvc(job: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    # readOnly belongs to the mount: on the volume it would also forbid the other pods' writes
    name = ("claimName", claim_name(job, storage), here)
    return "persistentVolumeClaim", Traced(name)


def _host_path(_: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    assert storage.host_path  # noqa: S101 # chosen by it
    path, kind = storage.host_path.path, storage.host_path.type
    return "hostPath", fields(("path", path, (*here, "path")), ("type", kind, (*here, "type")))


def _empty_dir(_: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    assert storage.empty_dir  # noqa: S101 # chosen by it
    medium = "Memory" if storage.empty_dir.medium == "memory" else None
    size = ("sizeLimit", storage.empty_dir.size, (*here, "size"))
    return "emptyDir", fields(("medium", medium, (*here, "medium")), size)


def _nfs(_: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    assert storage.nfs  # noqa: S101 # chosen by it
    server = ("server", storage.nfs.server, (*here, "server"))
    read_only = ("readOnly", storage.read_only or None, (*here[:-1], "read_only"))
    return "nfs", fields(server, ("path", storage.nfs.path, (*here, "path")), read_only)


def _config_map(_: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    assert storage.config_map  # noqa: S101 # chosen by it
    return "configMap", _object("name", storage.config_map, here)


def _secret(_: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    assert storage.secret  # noqa: S101 # chosen by it
    return "secret", _object("secretName", storage.secret, here)


def _object(name_key: str, volume: ObjectVolume, here: DocPath) -> Traced:
    items: list[Json] = [
        Traced(("key", key, (*here, "items", key)), ("path", path, (*here, "items", key)))
        for key, path in sorted(volume.items.items())
    ]
    return fields(
        (name_key, volume.name, (*here, "name")),
        ("items", items, (*here, "items")),
        ("defaultMode", volume.mode, (*here, "mode")),
        ("optional", volume.optional or None, (*here, "optional")),
    )


def _projected(_: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    return "projected", Traced(("sources", traced([*(storage.projected or ())], here), here))


def _files(job: Job, storage: Storage, here: DocPath) -> tuple[str, Json]:
    return "configMap", Traced(("name", files_name(job, storage), here))


_SOURCES: dict[str, Callable[[Job, Storage, DocPath], tuple[str, Json]]] = {
    "pvc": _pvc,
    "host_path": _host_path,
    "empty_dir": _empty_dir,
    "nfs": _nfs,
    "config_map": _config_map,
    "secret": _secret,
    "projected": _projected,
    "files": _files,
}
"""Kind of storage → the source of its volume."""
