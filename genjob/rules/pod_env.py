"""The environment of a job's containers → what the API server refuses or a shell cannot see.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import as_str, container_parts, containers, get, parts
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

ENV_SOURCES = ("configMapKeyRef", "secretKeyRef", "fieldRef", "resourceFieldRef")
ENV_FROM_SOURCES = ("configMapRef", "secretRef")
FIELDS = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
RESOURCES = tuple(
    f"{kind}.{name}"
    for kind in ("limits", "requests")
    for name in ("cpu", "memory", "ephemeral-storage")
)


def env_name_invalid(job: JsonObject) -> Iterator[Hit]:
    """A variable's name is not empty and has printable ASCII characters other than '='.

    Kubernetes 1.32 widened the rule to this; what it still refuses, every version refuses.
    """
    for path, name in _names(job):
        wrong = next((c for c in name if c == "=" or not " " <= c <= "~"), None)
        if wrong is not None or not name:
            fault = f"contains {quoted(wrong)}" if wrong else "is empty"
            yield Hit(
                path, f"variable name {quoted(name)} {fault}", "write a name such as 'MY_VAR'"
            )


def env_name_unusual(job: JsonObject) -> Iterator[Hit]:
    """Before Kubernetes 1.32 a name has letters, digits, '_', '-' and '.', no digit first."""
    for path, name in _names(job):
        is_taken = name and name.isascii() and name.isprintable() and "=" not in name
        if is_taken and (fault := _old_fault(name)):
            message = f"variable name {quoted(name)} {fault}; Kubernetes before 1.32 refuses it"
            yield Hit(path, message, "write letters, digits and '_'")


def duplicate_env_name(job: JsonObject) -> Iterator[Hit]:
    """A variable is set twice in one container; the last one wins.

    Symptom: the program never sees the first value; server-side apply, which Argo CD and Flux do,
    fails with `duplicate entries for key`.
    """
    for path, container in containers(job):
        last: dict[str, DocPath] = {}
        for at, entry in parts((*path, "env"), container.get("env")):
            name = as_str(entry.get("name"))
            if name and name in last:
                message = f"{name} is set again further down, and the last value wins"
                yield Hit((*last[name], "name"), message, "remove one of the two")
            last[name or ""] = at


def env_value_twice(job: JsonObject) -> Iterator[Hit]:
    """A variable has a value or a source, not both."""
    for path, entry in container_parts(job, "env"):
        if entry.get("value") and isinstance(entry.get("valueFrom"), dict):
            message = f"variable {_name(entry)} has both 'value' and 'valueFrom'"
            yield Hit((*path, "valueFrom"), message, "remove one of the two", at_key=True)


def env_source_not_one(job: JsonObject) -> Iterator[Hit]:
    """The source of a variable is exactly one of a few; so is that of an envFrom entry."""
    for path, entry in container_parts(job, "env"):
        if isinstance(source := entry.get("valueFrom"), dict) and not entry.get("value"):
            yield from _not_one((*path, "valueFrom"), source, ENV_SOURCES)
    for path, entry in container_parts(job, "envFrom"):
        yield from _not_one(path, entry, ENV_FROM_SOURCES)


def env_reference_invalid(job: JsonObject) -> Iterator[Hit]:
    """The source of a variable names an object, and a key that it can have."""
    for path, entry in container_parts(job, "env"):
        for field in ("configMapKeyRef", "secretKeyRef"):
            reference = get(entry, "valueFrom", field)
            yield from _reference((*path, "valueFrom", field), reference)
    for path, entry in container_parts(job, "envFrom"):
        for field in ENV_FROM_SOURCES:
            yield from _reference((*path, field), entry.get(field))


def env_field_unknown(job: JsonObject) -> Iterator[Hit]:
    """A variable reads one of the fields that the downward API offers."""
    for path, entry in container_parts(job, "env"):
        field = as_str(get(entry, "valueFrom", "fieldRef", "fieldPath"))
        at = (*path, "valueFrom", "fieldRef", "fieldPath")
        if field is not None and field not in FIELDS and not _is_label_or_annotation(field):
            message = f"fieldPath {quoted(field)} is not offered to a variable"
            hint = did_you_mean(field, FIELDS) or f"write {one_of(FIELDS)}"
            yield Hit(at, message, hint)


def env_resource_unknown(job: JsonObject) -> Iterator[Hit]:
    """A variable reads the limit or the request of CPU, memory, ephemeral storage or huge pages."""
    for path, entry in container_parts(job, "env"):
        name = as_str(get(entry, "valueFrom", "resourceFieldRef", "resource"))
        huge = (name or "").startswith(("limits.hugepages-", "requests.hugepages-"))
        if name is not None and name not in RESOURCES and not huge:
            message = f"resource {quoted(name)} is not offered to a variable"
            at = (*path, "valueFrom", "resourceFieldRef", "resource")
            yield Hit(at, message, f"write {one_of(RESOURCES)}")


def _names(job: JsonObject) -> Iterator[tuple[DocPath, str]]:
    for path, entry in container_parts(job, "env"):
        if (name := as_str(entry.get("name"))) is not None:
            yield (*path, "name"), name
    for path, entry in container_parts(job, "envFrom"):
        if prefix := as_str(entry.get("prefix")):
            yield (*path, "prefix"), prefix


def _name(entry: JsonObject) -> str:
    return quoted(as_str(entry.get("name")) or "")


def _old_fault(name: str) -> str:
    if name[0].isdigit():
        return f"begins with {quoted(name[0])}"
    return names.config_key(name)


def _not_one(path: DocPath, source: JsonObject, kinds: tuple[str, ...]) -> Iterator[Hit]:
    given = [kind for kind in kinds if source.get(kind) is not None]
    if len(given) != 1 and source.keys() <= {*kinds, "prefix"}:
        sources = " and ".join(quoted(kind) for kind in given) or "no source"
        message = f"found {sources}, expected one of {one_of(kinds)}"
        yield Hit(path, message, "keep one" if given else "write one", at_key=True)


def _reference(path: DocPath, reference: Json) -> Iterator[Hit]:
    """Check the name of a ConfigMap or a Secret, which no schema requires, and a key of it."""
    if not isinstance(reference, dict):
        return
    if reference.get("name") is None:
        yield Hit(path, f"{path[-1]} has no name", "write the name of the object", at_key=True)
    for field, fault_of in (("name", names.dns_subdomain), ("key", names.config_key)):
        text = as_str(reference.get(field))
        if text is not None and (fault := fault_of(text)):
            message = f"{field} {quoted(text)} {fault}"
            yield Hit((*path, field), message, "write it as it is in the cluster")


def _is_label_or_annotation(field: str) -> bool:
    """Recognise `metadata.labels['key']` and its sister for annotations."""
    for owner in ("metadata.labels", "metadata.annotations"):
        if field.startswith(f"{owner}['") and field.endswith("']"):
            return not names.qualified_name(field[len(owner) + 2 : -2].lower())
    return False
