"""The volumes of a job's pods → what the API server or the kubelet refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from genjob.quantity import meant_quantity, read_quantity
from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import as_int, as_object, as_str, distinct_pods, get, parts, pod_parts
from genjob.wording import did_you_mean, found, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.rules.walk import Part

SOURCE_NAMES = {
    "configMap": "name",
    "hostPath": "path",
    "nfs": "server",
    "persistentVolumeClaim": "claimName",
    "secret": "secretName",
}
"""Source of a volume → its field that may not be empty."""

OBJECTS = ("configMap", "secret")
"""Sources whose name no schema requires."""

PROJECTED = ("clusterTrustBundle", "configMap", "downwardAPI", "secret", "serviceAccountToken")
HOST_PATH_TYPES = (
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
    "CharDevice",
    "BlockDevice",
)
LAST_MODE = 0o777


def volume_name_invalid(job: JsonObject) -> Iterator[Hit]:
    """A volume's name is a DNS label of at most 63 characters."""
    for path, volume in pod_parts(job, "volumes"):
        name = as_str(volume.get("name"))
        if name is not None and (fault := names.dns_label(name)):
            hint = f"write {quoted(names.label_suggestion(name))}" if name else ""
            yield Hit((*path, "name"), f"volume name {quoted(name)} {fault}", hint)


def duplicate_volume_name(job: JsonObject) -> Iterator[Hit]:
    """Volume names are unique in a pod."""
    for path, pod in distinct_pods(job):
        seen: set[str] = set()
        for at, volume in parts((*path, "volumes"), pod.get("volumes")):
            name = as_str(volume.get("name"))
            if name and name in seen:
                message = f"another volume of the pod is named {quoted(name)} too"
                yield Hit((*at, "name"), message, "give each volume its own name")
            seen.add(name or "")


def volume_with_two_sources(job: JsonObject) -> Iterator[Hit]:
    """A volume comes from one source."""
    for path, volume in pod_parts(job, "volumes"):
        _, *others = [*_sources(volume)] or [""]
        if others:
            message = f"the volume has {len(others) + 1} sources: {_listed(_sources(volume))}"
            yield Hit((*path, others[0]), message, "keep one of them", at_key=True)


def volume_without_source(job: JsonObject) -> Iterator[Hit]:
    """A volume without a source becomes an emptyDir, which goes with the pod.

    Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/v1/defaults.go
    """
    for path, volume in pod_parts(job, "volumes"):
        written = [field for field in volume if field != "name"]
        if not _sources(volume) and written != ["emptyDir"]:
            message = "the volume has no source; Kubernetes makes it an emptyDir, lost with the pod"
            yield Hit(path, message, "write its source, or 'emptyDir: {}'", at_key=True)


def volume_reference_empty(job: JsonObject) -> Iterator[Hit]:
    """The source of a volume names a claim, an object, a server or a folder."""
    for path, volume in pod_parts(job, "volumes"):
        for kind, field in SOURCE_NAMES.items():
            yield from _unnamed((*path, kind), volume.get(kind), field)
    for path, source in _projected(job):
        for kind in OBJECTS:
            yield from _unnamed((*path, kind), source.get(kind), "name")


def host_path_invalid(job: JsonObject) -> Iterator[Hit]:
    """The path on a host does not climb with '..', and its type is one of a few words."""
    for path, volume in pod_parts(job, "volumes"):
        at = (*path, "hostPath")
        if ".." in (as_str(get(volume, "hostPath", "path")) or "").split("/"):
            yield Hit((*at, "path"), "the path on the host contains '..'", "write the whole path")
        kind = as_str(get(volume, "hostPath", "type"))
        if kind and kind not in HOST_PATH_TYPES:
            message = f"hostPath type is {quoted(kind)}, expected {one_of(HOST_PATH_TYPES)}"
            yield Hit((*at, "type"), message, did_you_mean(kind, HOST_PATH_TYPES))


def nfs_path_relative(job: JsonObject) -> Iterator[Hit]:
    """The path on an NFS server begins with '/'."""
    for path, volume in pod_parts(job, "volumes"):
        folder = as_str(get(volume, "nfs", "path"))
        if folder is not None and not folder.startswith("/"):
            message = f"the path {quoted(folder)} on the NFS server does not begin with '/'"
            yield Hit((*path, "nfs", "path"), message, f"write {quoted('/' + folder)}")


def empty_dir_medium_unknown(job: JsonObject) -> Iterator[Hit]:
    """An emptyDir is on disk, in memory, or in huge pages; the kubelet fails on another word.

    Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/volume/emptydir/empty_dir.go
    """
    for path, volume in pod_parts(job, "volumes"):
        medium = as_str(get(volume, "emptyDir", "medium"))
        if medium and medium != "Memory" and not medium.startswith("HugePages"):
            message = f"emptyDir medium is {quoted(medium)}, expected 'Memory', 'HugePages' or none"
            hint = did_you_mean(medium, ("Memory", "HugePages"))
            yield Hit((*path, "emptyDir", "medium"), message, hint)


def empty_dir_size_invalid(job: JsonObject) -> Iterator[Hit]:
    """The size limit of an emptyDir is a quantity that is not negative."""
    for path, volume in pod_parts(job, "volumes"):
        size = get(volume, "emptyDir", "sizeLimit")
        amount = read_quantity(size)
        if isinstance(size, str | int | float) and (amount is None or amount < 0):
            message = f"sizeLimit is {found(size)}, expected a quantity that is not negative"
            hint = f"write '{meant_quantity(str(size).lstrip('-')) or '64Gi'}'"
            yield Hit((*path, "emptyDir", "sizeLimit"), message, hint)


def file_mode_out_of_range(job: JsonObject) -> Iterator[Hit]:
    """The mode of the files of a volume is from 0 to 0777, in octal."""
    for path, mode in _modes(job):
        number = as_int(mode)
        if number is not None and not 0 <= number <= LAST_MODE:
            message = f"file mode {number} is {oct(number)} in octal, expected 0 to 0o777"
            yield Hit(path, message, _mode_hint(str(number)))


def projected_source_not_one(job: JsonObject) -> Iterator[Hit]:
    """Each source of a projected volume is of one kind."""
    for path, source in _projected(job):
        given = [kind for kind in source if source[kind] is not None]
        if len(given) > 1:
            message = f"the source has {len(given)} kinds: {_listed(given)}"
            yield Hit((*path, given[1]), message, "write each as its own source", at_key=True)


def item_path_invalid(job: JsonObject) -> Iterator[Hit]:
    """The file that a key becomes stays inside the volume: a relative path without '..'."""
    for path, source in _file_sources(job):
        for at, item in parts((*path, "items"), source.get("items")):
            if item.get("key") == "":
                yield Hit((*at, "key"), "key is empty", "write a key of the object")
            target = as_str(item.get("path"))
            if target is not None and (fault := descending_fault(target)):
                message = f"path {quoted(target)} {fault}"
                yield Hit((*at, "path"), message, "write a path inside the volume")


def descending_fault(path: str) -> str:
    """Say what lets a path leave its volume; an empty text when it stays inside."""
    if path.startswith("/"):
        return "begins with '/'"
    if ".." in path.split("/"):
        return "contains '..'"
    return "" if path else "is empty"


def _mode_hint(digits: str) -> str:
    """Read three octal digits as a person means them: 640 is 416."""
    if re.fullmatch("[0-7]{3}", digits):
        return f"write {int(digits, 8)}, which is {digits} in octal"
    return f"write at most {LAST_MODE}, which is 777 in octal"


def _unnamed(path: DocPath, source: Json, field: str) -> Iterator[Hit]:
    if not isinstance(source, dict):
        return
    if source.get(field) == "":
        yield Hit((*path, field), f"{field} of {path[-1]} is empty", f"write '{field}'")
    elif source.get(field) is None and path[-1] in OBJECTS:
        yield Hit(path, f"{path[-1]} has no {field}", f"write '{field}'", at_key=True)


def _sources(volume: JsonObject) -> list[str]:
    return [field for field, value in volume.items() if field != "name" and value is not None]


def _listed(words: list[str]) -> str:
    return ", ".join(quoted(word) for word in words)


def _projected(job: JsonObject) -> Iterator[Part]:
    for path, volume in pod_parts(job, "volumes"):
        yield from parts((*path, "projected", "sources"), get(volume, "projected", "sources"))


def _file_sources(job: JsonObject) -> Iterator[Part]:
    """Yield what turns keys into files: ConfigMap and Secret volumes and projections."""
    for path, owner in (*pod_parts(job, "volumes"), *_projected(job)):
        for kind in ("configMap", "downwardAPI", "secret"):
            yield (*path, kind), as_object(owner.get(kind))


def _modes(job: JsonObject) -> Iterator[tuple[DocPath, Json]]:
    for path, source in _file_sources(job):
        yield (*path, "defaultMode"), source.get("defaultMode")
        for at, item in parts((*path, "items"), source.get("items")):
            yield (*at, "mode"), item.get("mode")
    for path, volume in pod_parts(job, "volumes"):
        yield (*path, "projected", "defaultMode"), get(volume, "projected", "defaultMode")
