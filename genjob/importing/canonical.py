"""An object → the form in which two objects that mean the same are equal.

What the operator and Kubernetes fill in is filled in, lists whose order means nothing become
mappings, and amounts have one spelling. Our own labels are left out.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Final

from genjob.importing.settled import settled
from genjob.importing.variables import REFERENCE
from genjob.manifests.labels import KEPT, PREFIX
from genjob.prediction.defaults import (
    DEFAULT_PORT,
    DEFAULT_PROCESSES,
    DEFAULT_RESTART_POLICY,
    PORT_NAME,
    node_bounds,
)
from genjob.quantity import read_quantity
from genjob.rules.walk import (
    MAIN_CONTAINER,
    as_list,
    as_object,
    get,
    parts,
    pod_containers,
    replica_specs,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import Json, JsonObject

_OWN_LABELS: Final = {"app.kubernetes.io/managed-by": "genjob"}
_NAME_LABEL: Final = "app.kubernetes.io/name"

_AMOUNTS: Final = ("requests", "limits", "minResources")
_AMOUNT_FIELDS: Final = ("sizeLimit", "divisor")
_FREE_ORDER: Final = frozenset(
    (
        *("tolerations", "topologySpreadConstraints", "imagePullSecrets", "matchExpressions"),
        *("nodeSelectorTerms", "requiredDuringSchedulingIgnoredDuringExecution", "add", "drop"),
        *("preferredDuringSchedulingIgnoredDuringExecution", "items", "accessModes"),
    )
)
"""Lists whose order means nothing to Kubernetes."""


def canonical(body: JsonObject, experiment: str) -> JsonObject:
    """Return the canonical form of a job, a claim or a ConfigMap of an experiment."""
    made = settled(body)
    _drop_ours(as_object(made.get("metadata")), experiment)
    if made.get("kind") == "PyTorchJob":
        _fill_in(made)
        for replica in replica_specs(made).values():
            _template(as_object(replica.get("template")), experiment)
    if made.get("kind") == "ConfigMap":
        _contents(made)
    return as_object(_alike(made, ""))


def _contents(config_map: JsonObject) -> None:
    """Bring data into one form: a pod cannot tell a text from the same bytes."""
    texts = as_object(config_map.pop("data", None))
    encoded = {key: b64encode(str(text).encode()).decode() for key, text in texts.items()}
    config_map["binaryData"] = {**encoded, **as_object(config_map.get("binaryData"))}
    config_map.pop("immutable", None)


def _drop_ours(metadata: JsonObject, experiment: str) -> None:
    labels, annotations = metadata.get("labels"), metadata.get("annotations")
    if isinstance(labels, dict):
        for key in [key for key, text in labels.items() if is_ours(key, text, experiment)]:
            del labels[key]
        if not labels:
            del metadata["labels"]
    if isinstance(annotations, dict):
        for key in [key for key, text in annotations.items() if KEPT.get(key) == text]:
            del annotations[key]
        if not annotations:
            del metadata["annotations"]


def is_ours(key: str, text: Json, experiment: str) -> bool:
    """Return whether a label is one that every object of an experiment has."""
    is_name = key == _NAME_LABEL and text == experiment
    return key.startswith(PREFIX) or _OWN_LABELS.get(key) == text or is_name


def _fill_in(job: JsonObject) -> None:
    """Fill in what the operator does before it makes pods."""
    spec = as_object(job.get("spec"))
    elastic = spec.get("elasticPolicy")
    policy = spec.setdefault("runPolicy", {})
    as_object(policy).setdefault("cleanPodPolicy", "None")
    if isinstance(elastic, dict):
        low, high = node_bounds(job)
        elastic |= {"minReplicas": low, "maxReplicas": high}
        elastic.setdefault("rdzvBackend", "c10d")
    if get(elastic, "nProcPerNode") is None:
        spec.setdefault("nprocPerNode", DEFAULT_PROCESSES)
    for replica in replica_specs(job).values():
        replica.setdefault("replicas", 1)
        replica.setdefault("restartPolicy", DEFAULT_RESTART_POLICY)


def _template(template: JsonObject, experiment: str) -> None:
    metadata, pod = as_object(template.get("metadata")), as_object(template.get("spec"))
    _drop_ours(metadata, experiment)
    if not metadata:
        template.pop("metadata", None)
    _key_by(pod, "volumes", _name)
    for _, container in pod_containers((), pod):
        _container(container)


def _container(container: JsonObject) -> None:
    command = as_list(container.get("command"))
    if command:
        container["command"] = [*command, *as_list(container.pop("args", None))]
    if container.get("name") == MAIN_CONTAINER:
        _open_port(container)
    asked = as_object(container.get("resources"))
    limits = as_object(asked.get("limits"))
    if limits:
        asked["requests"] = {**limits, **as_object(asked.get("requests"))}
    _env(container)
    _key_by(container, "ports", lambda port: f"{port.get('containerPort')}")
    _key_by(container, "volumeMounts", lambda mount: str(mount.get("mountPath")))


def _open_port(container: JsonObject) -> None:
    ports = as_list(container.get("ports"))
    if all(port.get("name") != PORT_NAME for _, port in parts((), ports)):
        default: JsonObject = {"name": PORT_NAME, "containerPort": DEFAULT_PORT}
        container["ports"] = [*ports, default]


def _env(container: JsonObject) -> None:
    """Key variables by name, each with the earlier ones that its value refers to."""
    seen: set[Json] = set()
    for _, entry in parts((), container.get("env")):
        referred: list[Json] = [*REFERENCE.findall(str(entry.get("value", "")))]
        if found := [name for name in referred if name in seen]:
            entry["sees"] = found
        seen.add(str(entry.get("name")))
    _key_by(container, "env", _name)


def _name(item: JsonObject) -> str:
    return str(item.get("name"))


def _key_by(owner: JsonObject, field: str, key: Callable[[JsonObject], str]) -> None:
    """Turn a list into a mapping; what has a key that is taken gets one behind it."""
    items = owner.get(field)
    if not isinstance(items, list):
        return
    keyed: JsonObject = {}
    for item in items:
        base = name = key(as_object(item))
        count = 1
        while name in keyed:
            count += 1
            name = f"{base} ({count})"
        keyed[name] = item
    owner[field] = keyed


def _alike(value: Json, key: str) -> Json:
    """Return a value with one spelling of amounts and one order of lists that have none."""
    if isinstance(value, dict):
        made = {name: _alike(each, name) for name, each in value.items()}
        if key in _AMOUNTS:
            return {name: _amount(each) for name, each in made.items()}
        made |= {name: _amount(made[name]) for name in _AMOUNT_FIELDS if name in made}
        return _selector(made)
    if isinstance(value, list):
        items = [_alike(item, "") for item in value]
        if key == "rdzvConf":
            return sorted(items, key=lambda item: str(as_object(item).get("key")))
        return sorted(items, key=_text) if key in _FREE_ORDER else items
    return value


def _selector(fields: JsonObject) -> JsonObject:
    """Return a selector with its labels as expressions: both are the same."""
    labels = fields.get("matchLabels")
    if not isinstance(labels, dict):
        return fields
    listed: list[Json] = [
        {"key": key, "operator": "In", "values": [text]} for key, text in labels.items()
    ]
    rest = {key: each for key, each in fields.items() if key != "matchLabels"}
    both = [*as_list(fields.get("matchExpressions")), *listed]
    return {**rest, "matchExpressions": sorted(both, key=_text)}


def _amount(value: Json) -> Json:
    if read_quantity(value) is None or isinstance(value, dict | list):
        return value
    return str(read_quantity(value))


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
