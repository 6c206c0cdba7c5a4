"""An object as somebody wrote or dumped it → what of it is a wish.

The status and the marks of the cluster go, and so does what says what Kubernetes would take anyway:
nulls, what is empty, a default written out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.foreign.live import declared
from genjob.manifests.volumes import SHM_NAME, SHM_PATH
from genjob.rules.walk import (
    as_list,
    as_object,
    main_container,
    parts,
    pod_containers,
    replica_specs,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from genjob.jsontypes import Json, JsonObject

_NOTHING_IF_EMPTY: Final = frozenset(
    (
        *("labels", "annotations", "finalizers", "nodeSelector", "matchLabels", "matchExpressions"),
        *("matchFields", "affinity", "nodeAffinity", "podAffinity", "podAntiAffinity"),
        *("preferredDuringSchedulingIgnoredDuringExecution", "tolerations", "hostAliases"),
        *("topologySpreadConstraints", "imagePullSecrets", "volumes", "initContainers"),
        *("env", "envFrom", "args", "command", "ports", "volumeMounts", "volumeDevices"),
        *("resources", "limits", "requests", "claims", "securityContext", "capabilities", "add"),
        *("drop", "items", "sysctls", "supplementalGroups", "runPolicy", "schedulingPolicy"),
        *("minResources", "metrics", "data", "binaryData", "readinessGates", "schedulingGates"),
    )
)
"""Fields that mean the same whether they are empty or missing; `emptyDir` is not one of them."""

_DEFAULTS: Final[dict[str, Json]] = {
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "terminationGracePeriodSeconds": 30,
    "schedulerName": "default-scheduler",
    "dnsPolicy": "ClusterFirst",
    "enableServiceLinks": True,
    "hostNetwork": False,
    "hostIPC": False,
    "hostPID": False,
    "readOnly": False,
    "optional": False,
    "stdin": False,
    "stdinOnce": False,
    "tty": False,
    "protocol": "TCP",
    "defaultMode": 420,
    "subPath": "",
    "volumeMode": "Filesystem",
    "suspend": False,
}
"""Key → what Kubernetes, or the CRD, takes when it is not there.

Source: kubernetes v1.31, pkg/apis/core/v1/defaults.go; training-operator v1.9.0, its CRD (suspend).
"""

_BELOW: Final[dict[str, tuple[str, Json]]] = {
    "fieldRef": ("apiVersion", "v1"),
    "hostPath": ("type", ""),
    "emptyDir": ("medium", ""),
}
"""Key → a default of one of the fields below it."""


def settled(body: JsonObject) -> JsonObject:
    """Return a copy of an object without what says nothing; see above."""
    made = as_object(_settled(declared(body), ""))
    metadata = as_object(made.get("metadata"))
    metadata.pop("ownerReferences", None)
    annotations = as_object(metadata.get("annotations"))
    _settle_claim(made, metadata, annotations)
    if not annotations:
        metadata.pop("annotations", None)
    for replica in replica_specs(made).values():
        _settle_pod(replica)
    return made


def _settled(value: Json, key: str) -> Json:
    if isinstance(value, dict):
        return dict(_members(value, key))
    if isinstance(value, list):
        return [_settled(item, key) for item in value]
    return value


def _members(value: Mapping[str, Json], key: str) -> Iterator[tuple[str, Json]]:
    is_free = key in _FREE_KEYS
    for name, each in value.items():
        below = _settled(each, "" if is_free else name)
        if below is None or (not is_free and _says_nothing(key, name, below)):
            continue
        yield name, below


_FREE_KEYS: Final = frozenset(
    {"labels", "annotations", "matchLabels", "nodeSelector", "data", "binaryData", "limits"}
    | {"requests", "minResources"}
)
"""Mappings whose keys are names that people give, not fields."""


def _says_nothing(key: str, name: str, value: Json) -> bool:
    if value in ({}, []):
        return name in _NOTHING_IF_EMPTY
    default = _DEFAULTS.get(name)
    known, usual = _BELOW.get(key, ("", None))
    return _same(value, default) or (name == known and _same(value, usual))


def _same(value: Json, default: Json) -> bool:
    return default is not None and type(value) is type(default) and value == default


def _settle_claim(body: JsonObject, metadata: JsonObject, annotations: JsonObject) -> None:
    """Remove what the controllers of volumes write into a claim, the volume they chose too."""
    if body.get("kind") != "PersistentVolumeClaim":
        return
    if annotations.get(_CHOSEN) == "yes":
        as_object(body.get("spec")).pop("volumeName", None)
    for key in [key for key in annotations if key.startswith(_OF_VOLUMES)]:
        del annotations[key]
    if metadata.get("finalizers") == ["kubernetes.io/pvc-protection"]:
        del metadata["finalizers"]


_CHOSEN: Final = "pv.kubernetes.io/bound-by-controller"
_OF_VOLUMES: Final = ("pv.kubernetes.io/", "volume.kubernetes.io/", "volume.beta.kubernetes.io/")


def _settle_pod(replica: JsonObject) -> None:
    """Remove from a template what the operator or Kubernetes writes over it."""
    template = as_object(replica.get("template"))
    metadata = as_object(template.get("metadata"))
    metadata.pop("creationTimestamp", None)
    if not metadata:
        template.pop("metadata", None)
    pod = as_object(template.get("spec"))
    if "restartPolicy" in pod and pod["restartPolicy"] == replica.get("restartPolicy"):
        del pod["restartPolicy"]
    if "serviceAccount" in pod and pod["serviceAccount"] == pod.get("serviceAccountName"):
        del pod["serviceAccount"]
    for _, container in pod_containers((), pod):
        for entry in as_list(container.get("env")):
            if isinstance(entry, dict) and {*entry} == {"name"}:
                entry["value"] = ""
    _name_shared_memory(pod)


def _name_shared_memory(pod: JsonObject) -> None:
    """Name the volume behind /dev/shm as experiments do: only its pod knows the name."""
    _, main = main_container((), pod) or ((), {})
    mounts = [each for _, each in parts((), main.get("volumeMounts"))]
    names = [str(m.get("name")) for m in mounts if m.get("mountPath") == SHM_PATH]
    volumes = {str(volume.get("name")): volume for _, volume in parts((), pod.get("volumes"))}
    if len(names) != 1 or SHM_NAME in volumes or not _is_memory(volumes.get(names[0])):
        return
    mounted = [
        m
        for _, container in pod_containers((), pod)
        for m in as_list(container.get("volumeMounts"))
    ]
    for each in [*as_list(pod.get("volumes")), *mounted]:
        if isinstance(each, dict) and each.get("name") == names[0]:
            each["name"] = SHM_NAME


def _is_memory(volume: JsonObject | None) -> bool:
    memory = as_object((volume or {}).get("emptyDir"))
    return {*memory} == {"medium", "sizeLimit"} and memory["medium"] == "Memory"
