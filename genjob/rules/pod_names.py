"""The pods of a job → names and words that the API server or the kubelet refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import (
    as_str,
    containers,
    distinct_pods,
    get,
    parts,
    pod_containers,
    pod_parts,
)
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.walk import Part

CONTAINER_WORDS = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
}
POD_WORDS = {
    "dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    "preemptionPolicy": ("PreemptLowerPriority", "Never"),
}
NAMES_OF_OBJECTS = ("priorityClassName", "runtimeClassName", "serviceAccountName", "nodeName")
KEYED_LISTS = {"imagePullSecrets": "name", "hostAliases": "ip"}
"""Lists of a pod → what the CRD tells their entries apart by; other such lists have rules of
their own, which the API server applies to pods too."""

NEVER_EMPTY = ("runtimeClassName",)
NAMES_OF_HOSTS = ("hostname", "subdomain")
SIDE_CAR = "Always"
PROBES = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle")


def container_name_invalid(job: JsonObject) -> Iterator[Hit]:
    """A container's name is a DNS label of at most 63 characters."""
    for path, container in containers(job):
        name = as_str(container.get("name"))
        if name is not None and (fault := names.dns_label(name)):
            hint = f"write {quoted(names.label_suggestion(name))}" if name else ""
            yield Hit((*path, "name"), f"container name {quoted(name)} {fault}", hint)


def duplicate_container_name(job: JsonObject) -> Iterator[Hit]:
    """Container names are unique in a pod, those of init containers included."""
    for path, pod in distinct_pods(job):
        seen: set[str] = set()
        for at, container in pod_containers(path, pod):
            name = as_str(container.get("name"))
            if name and name in seen:
                message = f"another container of the pod is named {quoted(name)} too"
                yield Hit((*at, "name"), message, "give each container its own name")
            seen.add(name or "")


def image_invalid(job: JsonObject) -> Iterator[Hit]:
    """An image reference has no white space, neither around it nor inside."""
    for path, container in containers(job):
        image = as_str(container.get("image")) or ""
        if image.split() not in ([], [image]):
            message = f"image {quoted(image)} contains white space"
            yield Hit((*path, "image"), message, f"write {quoted(''.join(image.split()))}")


def init_container_without_image(job: JsonObject) -> Iterator[Hit]:
    """An init container needs an image, as the others do."""
    for path, container in _init_containers(job):
        if container.get("image") in (None, ""):
            yield Hit(path, "the init container has no image", "write 'image'")


def container_word_unknown(job: JsonObject) -> Iterator[Hit]:
    """The image pull policy and the termination message policy are each one of a few words."""
    for path, container in containers(job):
        yield from _unknown_words(path, container, CONTAINER_WORDS)


def pod_word_unknown(job: JsonObject) -> Iterator[Hit]:
    """The DNS policy and the preemption policy of a pod are each one of a few words."""
    for path, pod in distinct_pods(job):
        yield from _unknown_words(path, pod, POD_WORDS)


def object_reference_invalid(job: JsonObject) -> Iterator[Hit]:
    """The priority class, runtime class, service account and node are named as objects are."""
    for path, pod in distinct_pods(job):
        for field in NAMES_OF_OBJECTS:
            name = as_str(pod.get(field)) or ""
            is_given = name or (field in NEVER_EMPTY and pod.get(field) == "")
            if is_given and (fault := names.dns_subdomain(name)):
                message = f"{field} {quoted(name)} {fault}"
                yield Hit((*path, field), message, "write the name of an object")


def duplicate_entry(job: JsonObject) -> Iterator[Hit]:
    """A pod names a pull secret twice, or gives one address two lists of host names.

    Symptom: none where each entry is taken; server-side apply, which Argo CD and Flux do, fails
    with `duplicate entries for key`.
    """
    for field, key in KEYED_LISTS.items():
        for path, pod in distinct_pods(job):
            seen: set[str] = set()
            for at, entry in parts((*path, field), pod.get(field)):
                name = as_str(entry.get(key))
                if name and name in seen:
                    message = f"{field} has {quoted(name)} twice"
                    yield Hit((*at, key), message, "write it once")
                seen.add(name or "")


def host_name_invalid(job: JsonObject) -> Iterator[Hit]:
    """The host name and the subdomain of a pod are DNS labels of at most 63 characters."""
    for path, pod in distinct_pods(job):
        for field in NAMES_OF_HOSTS:
            name = as_str(pod.get(field))
            if name and (fault := names.dns_label(name)):
                yield Hit((*path, field), f"{field} {quoted(name)} {fault}", "write a DNS label")


def dns_policy_without_servers(job: JsonObject) -> Iterator[Hit]:
    """The DNS policy 'None' needs at least one name server in dnsConfig."""
    for path, pod in distinct_pods(job):
        if pod.get("dnsPolicy") == "None" and not get(pod, "dnsConfig", "nameservers"):
            message = "dnsPolicy 'None' needs a name server"
            yield Hit((*path, "dnsPolicy"), message, "write 'dnsConfig.nameservers'")


def init_restart_policy_unknown(job: JsonObject) -> Iterator[Hit]:
    """The restart policy of an init container is 'Always', for a side-car, or left out."""
    for path, container in _init_containers(job):
        policy = as_str(container.get("restartPolicy"))
        if policy is not None and policy != SIDE_CAR:
            message = (
                f"restartPolicy of an init container is {quoted(policy)}, expected '{SIDE_CAR}'"
            )
            yield Hit((*path, "restartPolicy"), message, "leave it out for one that ends")


def init_container_with_probe(job: JsonObject) -> Iterator[Hit]:
    """An init container that ends has no probes and no lifecycle; only a side-car has."""
    for path, container in _init_containers(job):
        for field in PROBES:
            if container.get(field) is not None and container.get("restartPolicy") != SIDE_CAR:
                message = f"an init container without 'restartPolicy: {SIDE_CAR}' has no {field}"
                yield Hit((*path, field), message, f"remove {field}", at_key=True)


def _init_containers(job: JsonObject) -> Iterator[Part]:
    yield from pod_parts(job, "initContainers")


def _unknown_words(
    path: DocPath, owner: JsonObject, allowed: dict[str, tuple[str, ...]]
) -> Iterator[Hit]:
    for field, words in allowed.items():
        word = as_str(owner.get(field))
        if word and word not in words:
            message = f"{field} is {quoted(word)}, expected {one_of(words)}"
            yield Hit((*path, field), message, did_you_mean(word, words))
