"""The claims and ConfigMaps beside a job → what its experiment makes of them.

A claim becomes a storage with a size, a ConfigMap that is mounted becomes files beside the
experiment, and one that is read through `envFrom` its `config`. What does not fit stays a manifest
of its own, which the experiment mounts by name.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from genjob.importing.canonical import canonical, is_ours
from genjob.importing.claims import claim_of
from genjob.importing.labels import shared_labels
from genjob.importing.settled import settled
from genjob.manifest import identity
from genjob.rules.walk import MAIN_CONTAINER, as_list, as_object, get, parts, pod_specs
from genjob.workspace.loading import EXPERIMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.jsontypes import JsonObject

CLAIM: Final = "PersistentVolumeClaim"
CONFIG_MAP: Final = "ConfigMap"

_VOLUMES: Final = {CLAIM: ("persistentVolumeClaim", "claimName"), CONFIG_MAP: ("configMap", "name")}
"""Kind → the kind of volume that mounts it, and the key of the name there."""


@dataclass(frozen=True)
class Kept:
    """An object that stays a manifest of its own, and why."""

    body: JsonObject
    reason: str


@dataclass
class Beside:
    """What an experiment makes of the objects beside its job.

    `labels` are those of all of its objects; `storages` is as `storage` takes it; `config` are
    settings and the name of their ConfigMap; `files` are contents by the name that a storage gives
    them; `made` are the objects that the experiment makes, `kept` those that the job uses and the
    experiment does not make.
    """

    labels: JsonObject = field(default_factory=dict)
    storages: dict[str, JsonObject] = field(default_factory=dict)
    config: tuple[str, JsonObject] | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    made: list[JsonObject] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)


def beside(job: JsonObject, objects: Sequence[JsonObject]) -> Beside:
    """Return what becomes of the objects that a settled job uses."""
    used = [body for body in objects if [*_uses(job, body)]]
    shared = shared_labels(job)
    found = Beside(shared if all(_labels(each, job) == shared for each in used) else {})
    for body in used:
        reason = _metadata_reason(body, job, found.labels) or _put(found, job, body)
        if reason:
            found.kept.append(Kept(body, reason))
        else:
            found.made.append(body)
    return found


def _put(found: Beside, job: JsonObject, body: JsonObject) -> str:
    """Add what an object becomes, or return why it does not."""
    name, uses = identity(body).name, [*_uses(job, body)]
    if not all(uses) and body.get("kind") == CONFIG_MAP:
        return "the job refers to it by name in more than a plain mount"
    if body.get("kind") == CLAIM:
        return _put_claim(found, body, name, is_mounted=any(uses))
    data, binary = as_object(body.get("data")), as_object(body.get("binaryData"))
    if {*uses} == {"env"}:
        everywhere = len(uses) == len([*pod_specs(job)])
        if found.config is not None or binary or not data or not everywhere:
            return "an experiment has one set of settings, for all of its pods"
        found.config = (name, data)
        return ""
    return _put_files(found, name, {**_encoded(data), **_decoded(binary)}, {*uses})


def _put_claim(found: Beside, body: JsonObject, name: str, *, is_mounted: bool) -> str:
    made, left = claim_of(body)
    if left or "size" not in made:
        what = ", ".join(f"spec.{key}" for key in left) or "spec.resources"
        return f"no field of a storage holds its {what}"
    if not is_mounted:
        return "the training container does not mount it plainly"
    found.storages[f"persistentVolumeClaim/{name}"] = {"pvc": made}
    return ""


def _put_files(found: Beside, name: str, files: dict[str, bytes], uses: set[str]) -> str:
    if uses != {"volume"}:
        return "it is both mounted and read as variables"
    taken = [key for key in files if found.files.get(key, files[key]) != files[key]]
    if not files or taken or EXPERIMENT_FILE in files or not all(map(_is_text, files.values())):
        return f"its files cannot be put beside {EXPERIMENT_FILE}"
    found.files |= files
    found.storages[f"configMap/{name}"] = {"files": [*sorted(files)]}
    return ""


def _metadata_reason(body: JsonObject, job: JsonObject, labels: JsonObject) -> str:
    metadata = as_object(canonical(body, identity(job).name).get("metadata"))
    more = sorted({*metadata} - {"name", "namespace", "labels"})
    if more:
        return f"no experiment says the {more[0]} of such an object"
    if _labels(body, job) != labels:
        return "its labels are not those of the job and its pods"
    return ""


def _labels(body: JsonObject, job: JsonObject) -> JsonObject:
    name = identity(job).name
    own = as_object(get(settled(body), "metadata", "labels"))
    return {key: text for key, text in own.items() if not is_ours(key, text, name)}


def _encoded(data: JsonObject) -> dict[str, bytes]:
    return {key: str(text).encode() for key, text in data.items()}


def _decoded(binary: JsonObject) -> dict[str, bytes]:
    return {key: base64.b64decode(str(text)) for key, text in binary.items()}


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _uses(job: JsonObject, body: JsonObject) -> Iterator[str]:
    """Yield how a job uses an object, for each use: `volume`, `env`, or nothing for another way."""
    kind, name = str(body.get("kind")), identity(body).name
    if kind not in _VOLUMES or identity(body).namespace not in {"", identity(job).namespace}:
        return
    for _, pod in pod_specs(job):
        yield from _in_volumes(pod, kind, name)
        if kind == CONFIG_MAP:
            yield from _in_containers(pod, name)


def _in_volumes(pod: JsonObject, kind: str, name: str) -> Iterator[str]:
    source, key = _VOLUMES[kind]
    mains = [c for _, c in parts((), pod.get("containers")) if c.get("name") == MAIN_CONTAINER]
    mounted = {m.get("name") for main in mains for _, m in parts((), main.get("volumeMounts"))}
    for _, volume in parts((), pod.get("volumes")):
        own = as_object(volume.get(source))
        if own.get(key) == name:
            yield "volume" if {*own} == {key} and volume.get("name") in mounted else ""
        elif kind == CONFIG_MAP:
            yield from _projected(volume, name)


def _projected(volume: JsonObject, name: str) -> Iterator[str]:
    for _, source in parts((), get(volume, "projected", "sources")):
        if get(source, "configMap", "name") == name:
            yield ""


def _in_containers(pod: JsonObject, name: str) -> Iterator[str]:
    for group in ("containers", "initContainers"):
        for _, container in parts((), pod.get(group)):
            is_main = group == "containers" and container.get("name") == MAIN_CONTAINER
            yield from _in_env(container, name, is_main=is_main)


def _in_env(container: JsonObject, name: str, *, is_main: bool) -> Iterator[str]:
    sources = as_list(container.get("envFrom"))
    last = sources[-1] if sources else None
    for _, source in parts((), container.get("envFrom")):
        if get(source, "configMapRef", "name") == name:
            yield "env" if is_main and source is last and _is_plain(source) else ""
    for _, entry in parts((), container.get("env")):
        if get(entry, "valueFrom", "configMapKeyRef", "name") == name:
            yield ""


def _is_plain(source: JsonObject) -> bool:
    return {*source} == {"configMapRef"} and {*as_object(source["configMapRef"])} == {"name"}
