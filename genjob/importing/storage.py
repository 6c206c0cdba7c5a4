"""The volumes of a pod and the mounts of its training container → the field `storage`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.importing.rest import (
    drop_if_empty,
    present,
    take_count,
    take_each,
    take_flag,
    take_objects,
    take_text,
    take_word,
)
from genjob.manifests.volumes import SHM_NAME, SHM_PATH
from genjob.quantity import read_quantity
from genjob.rules.walk import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from genjob.jsontypes import Json, JsonObject

_MODES: Final = 0o777
_HOST_TYPES: Final = (
    *("DirectoryOrCreate", "Directory", "FileOrCreate", "File"),
    *("Socket", "CharDevice", "BlockDevice"),
)


class Storage(NamedTuple):
    """The field `storage`, and `shm_size` of `resources`."""

    storage: list[Json]
    shm_size: Json


def storage(pod: JsonObject, container: JsonObject, known: Mapping[str, JsonObject]) -> Storage:
    """Take each volume that the container mounts, with the first of its mounts.

    `known` are the kinds of storage that objects beside the job become, by the kind of volume and
    the name of the object: `configMap/scripts`.
    """
    volumes, mounts = as_list(pod.get("volumes")), as_list(container.get("volumeMounts"))
    if not (_are_told_apart(volumes, "name") and _are_told_apart(mounts, "mountPath")):
        return Storage([], None)
    found: list[Json] = []
    shm_size: Json = None
    for volume in [*volumes]:
        mount = _first_mount(mounts, as_object(volume).get("name"))
        made = _stored(as_object(volume), mount, known)
        if made is None:
            continue
        volumes.remove(volume)
        mounts.remove(mount)
        if made.get("name") == SHM_NAME and (size := _shm_size(made)) is not None:
            shm_size = size
        else:
            found.append(made)
    drop_if_empty(pod, "volumes")
    drop_if_empty(container, "volumeMounts")
    return Storage(found, shm_size)


def _are_told_apart(items: list[Json], key: str) -> bool:
    return len({str(as_object(item).get(key)) for item in items}) == len(items)


def _first_mount(mounts: list[Json], name: Json) -> JsonObject:
    return next((as_object(m) for m in mounts if as_object(m).get("name") == name), {})


def _shm_size(made: JsonObject) -> Json:
    """Return the size of shared memory that has one and nothing special about it."""
    memory = made.get("empty_dir")
    plain = {*made} == {"name", "mount_path", "empty_dir"} and made["mount_path"] == SHM_PATH
    if not plain or not isinstance(memory, dict) or memory.get("medium") != "memory":
        return None
    return memory.get("size")


def _stored(
    volume: JsonObject, mount: JsonObject, known: Mapping[str, JsonObject]
) -> JsonObject | None:
    rest = {**volume}
    name = take_text(rest, "name")
    place = _mounted({**mount})
    if name is None or place is None or len(rest) != 1:
        return None
    kind, body = next(iter(rest.items()))
    if kind not in _KINDS or not isinstance(body, dict):
        return None
    made = _beside(kind, body, known) or _KINDS[kind]({**body}, place)
    return None if made is None else {"name": name, **place, **made}


def _beside(kind: str, body: JsonObject, known: Mapping[str, JsonObject]) -> JsonObject | None:
    """Return what an object that stands beside the job becomes."""
    key = {"persistentVolumeClaim": "claimName", "configMap": "name"}.get(kind)
    return known.get(f"{kind}/{body[key]}") if key is not None and {*body} == {key} else None


def _mounted(mount: JsonObject) -> JsonObject | None:
    mount.pop("name", None)
    path = take_text(mount, "mountPath")
    made = present(
        mount_path=path,
        sub_path=take_text(mount, "subPath"),
        read_only=take_flag(mount, "readOnly") or None,
    )
    return None if path is None or mount else made


def _claim(rest: JsonObject, _: JsonObject) -> JsonObject | None:
    name = take_text(rest, "claimName")
    return None if name is None or rest else {"pvc": {"claim": name}}


def _host_path(rest: JsonObject, _: JsonObject) -> JsonObject | None:
    path = take_text(rest, "path")
    made = present(path=path, type=take_word(rest, "type", _HOST_TYPES))
    return None if path is None or rest else {"host_path": made}


def _empty_dir(rest: JsonObject, _: JsonObject) -> JsonObject | None:
    medium = "memory" if take_word(rest, "medium", ("Memory",)) else None
    size = rest.pop("sizeLimit", None)
    if rest or (size is not None and read_quantity(size) is None):
        return None
    return {"empty_dir": present(medium=medium, size=size)}


def _nfs(rest: JsonObject, place: JsonObject) -> JsonObject | None:
    server, path = take_text(rest, "server"), take_text(rest, "path")
    same = bool(take_flag(rest, "readOnly")) == bool(place.get("read_only"))
    if server is None or path is None or rest or not same:
        return None
    return {"nfs": {"server": server, "path": path}}


def _object(name_key: str, kind: str) -> Callable[[JsonObject, JsonObject], JsonObject | None]:
    def inverse(rest: JsonObject, _: JsonObject) -> JsonObject | None:
        name = take_text(rest, name_key)
        items = take_each(rest, "items", _item)
        named = {str(i["key"]): i["path"] for item in items if (i := as_object(item))}
        made = present(
            name=name,
            items=named,
            mode=take_count(rest, "defaultMode", most=_MODES),
            optional=take_flag(rest, "optional") or None,
        )
        return None if name is None or rest or len(named) != len(items) else {kind: made}

    return inverse


def _item(item: JsonObject) -> JsonObject | None:
    made = present(key=take_text(item, "key"), path=take_text(item, "path"))
    return made if len(made) == 2 and not item else None  # noqa: PLR2004 # both of them


def _projected(rest: JsonObject, _: JsonObject) -> JsonObject | None:
    sources = take_objects(rest, "sources")
    return None if not sources or rest else {"projected": sources}


_KINDS: Final[dict[str, Callable[[JsonObject, JsonObject], JsonObject | None]]] = {
    "persistentVolumeClaim": _claim,
    "hostPath": _host_path,
    "emptyDir": _empty_dir,
    "nfs": _nfs,
    "configMap": _object("name", "config_map"),
    "secret": _object("secretName", "secret"),
    "projected": _projected,
}
"""Source of a volume → what takes it, given the fields of its mount; None for an unusual one."""
