"""The security contexts of a job's pods → what the API server or the kubelet refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.rule import Hit
from genjob.rules.walk import (
    as_int,
    as_list,
    as_object,
    containers,
    distinct_pods,
    pod_containers,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject
    from genjob.rules.walk import Part

SYS_ADMIN = "CAP_SYS_ADMIN"
LAST_ID = 2**31 - 1
IDS = ("runAsUser", "runAsGroup", "fsGroup")


def privileged_without_escalation(job: JsonObject) -> Iterator[Hit]:
    """A privileged container can always escalate its privileges."""
    for path, context in _of_containers(job):
        if context.get("privileged") is True and context.get("allowPrivilegeEscalation") is False:
            message = "'allowPrivilegeEscalation: false' contradicts 'privileged: true'"
            yield Hit((*path, "allowPrivilegeEscalation"), message, "remove one of the two")


def sys_admin_without_escalation(job: JsonObject) -> Iterator[Hit]:
    """A container with CAP_SYS_ADMIN can always escalate its privileges."""
    for path, context in _of_containers(job):
        added = as_list(as_object(context.get("capabilities")).get("add"))
        if SYS_ADMIN in added and context.get("allowPrivilegeEscalation") is False:
            message = f"'allowPrivilegeEscalation: false' contradicts capability '{SYS_ADMIN}'"
            yield Hit((*path, "allowPrivilegeEscalation"), message, "remove one of the two")


def capability_with_prefix(job: JsonObject) -> Iterator[Hit]:
    """Kubernetes writes a capability without 'CAP_'; some container runtimes refuse it with that.

    Source: https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
    """
    for path, context in _of_containers(job):
        for field in ("add", "drop"):
            listed = as_object(context.get("capabilities")).get(field)
            for at, name in texts((*path, "capabilities", field), listed):
                if name.startswith("CAP_") and name != SYS_ADMIN:
                    message = f"capability '{name}' is written with 'CAP_'"
                    yield Hit(at, message, f"write '{name.removeprefix('CAP_')}'")


def root_as_non_root(job: JsonObject) -> Iterator[Hit]:
    """The kubelet does not start a container that runs as user 0 where root is refused.

    A container's own context wins over that of its pod, field by field.
    Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/kubelet/kuberuntime/security_context.go
    """
    for path, pod in distinct_pods(job):
        outer = as_object(pod.get("securityContext"))
        for at, container in pod_containers(path, pod):
            own = as_object(container.get("securityContext"))
            where = (*at, "securityContext") if "runAsUser" in own else (*path, "securityContext")
            merged = {**outer, **own}
            if merged.get("runAsNonRoot") is True and as_int(merged.get("runAsUser")) == 0:
                message = "user 0 is root, and 'runAsNonRoot: true' refuses it"
                yield Hit(
                    (*where, "runAsUser"), message, "write another user, or drop runAsNonRoot"
                )


def user_id_out_of_range(job: JsonObject) -> Iterator[Hit]:
    """A user or a group is a number from 0 to 2147483647."""
    for path, owner in (*distinct_pods(job), *containers(job)):
        context = as_object(owner.get("securityContext"))
        for field in IDS:
            number = as_int(context.get(field))
            if number is not None and not 0 <= number <= LAST_ID:
                message = f"{field} is {number}, expected 0 to {LAST_ID}"
                at = (*path, "securityContext", field)
                yield Hit(at, message, "write the number of a user or a group")


def _of_containers(job: JsonObject) -> Iterator[Part]:
    for path, container in containers(job):
        yield (*path, "securityContext"), as_object(container.get("securityContext"))
