"""The security context and the attached networks of a pod → whether its RDMA devices work.

Source: https://github.com/Azure/aks-rdma-infiniband
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import VERBS
from genjob.diagnostics import Severity
from genjob.rules.fabric_signs import INFINIBAND
from genjob.rules.network import NETWORKS
from genjob.rules.rule import Hit
from genjob.rules.walk import as_int, as_str, get
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath
    from genjob.rules.network import Network, Role

LOCK: Final = "IPC_LOCK"
ALL: Final = "ALL"
_ADAPTER: Final = re.compile(r"(nvidia|mellanox|intel|openshift)\.(com|io)/.+")
"""Devices of which each is an adapter with a network of its own; `rdma/…` may be any number."""


def rdma_without_locked_memory(network: Network) -> Iterator[Hit]:
    """A container with RDMA devices may not lock memory.

    Symptom: `ibv_reg_mr … Cannot allocate memory`, where the container runtime limits locked memory
    to 64 KiB, as it does by default.
    Source: https://github.com/NVIDIA/nccl-tests/issues/206
    """
    for role in network.across(_has_verbs):
        if not role.is_privileged and not role.capabilities & {LOCK, ALL}:
            message = f"RDMA by {_what(role)}, without the right to lock memory"
            hint = f"write 'securityContext: {{capabilities: {{add: [{LOCK}]}}}}'"
            yield Hit(_place(role), message, hint)


def locked_memory_of_non_root(network: Network) -> Iterator[Hit]:
    """A process that is not root has no use of the capability to lock memory.

    Symptom: `ibv_reg_mr … Cannot allocate memory`, although IPC_LOCK was added: a capability of a
    user other than root is not effective.
    Source: https://github.com/k8snetworkplumbingwg/sriov-network-device-plugin/issues/271
    """
    for role in network.across(_has_verbs):
        field, at = _non_root(role)
        if LOCK in role.capabilities and not role.is_privileged and field:
            message = f"IPC_LOCK has no effect with {field}"
            yield Hit(at, message, "run as root, or raise the memlock limit of the runtime")


def privileged_beside_device(network: Network) -> Iterator[Hit]:
    """A container is privileged although a device plugin hands it its RDMA devices.

    Symptom: the Pod Security Standards refuse it in most namespaces; it may do all that root may.
    Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    """
    for role in network.roles:
        if role.devices and role.is_privileged and INFINIBAND not in role.mounted_host_paths():
            message = f"'privileged' beside the device {quoted(next(iter(role.devices)))}"
            at = (*role.path, "securityContext", "privileged")
            yield Hit(at, message, "remove it; IPC_LOCK is enough", at_key=True)


def networks_differ_from_devices(network: Network) -> Iterator[Hit]:
    """The networks that an annotation attaches are not as many as the adapters of the pod.

    Symptom: the pod cannot be created, or it has adapters without an interface.
    Source: https://github.com/k8snetworkplumbingwg/sriov-network-device-plugin
    """
    for role in network.roles:
        text = role.annotations.get(NETWORKS)
        adapters = {name: n for name, n in role.devices.items() if n and _ADAPTER.fullmatch(name)}
        attached = _attached(text) if text else []
        if len(adapters) != 1 or not attached or "$" in (text or ""):
            continue
        (name, count) = next(iter(adapters.items()))
        if len(attached) != count:
            message = f"{len(attached)} networks are attached for {count} of {quoted(name)}"
            certain = len(attached) > count and len(set(attached)) == 1
            at = (*role.pod_path[:-1], "metadata", "annotations", NETWORKS)
            severity = Severity.ERROR if certain else None
            yield Hit(at, message, f"name {count} networks", severity=severity)


def _has_verbs(role: Role) -> bool:
    is_mounted = INFINIBAND in role.mounted_host_paths()
    return role.guess.is_any_of(VERBS) and bool(role.devices or is_mounted)


def _what(role: Role) -> str:
    return quoted(next(iter(role.devices))) if role.devices else quoted(INFINIBAND)


def _place(role: Role) -> DocPath:
    return role.resource_path(next(iter(role.devices))) if role.devices else role.path


def _non_root(role: Role) -> tuple[str, DocPath]:
    """Return what makes the process another user than root, and where it stands."""
    for at, owner in ((role.path, role.container), (role.pod_path, role.pod)):
        user = as_int(get(owner, "securityContext", "runAsUser"))
        if user is not None:
            place: DocPath = (*at, "securityContext", "runAsUser")
            return (f"runAsUser {user}", place) if user else ("", place)
        if get(owner, "securityContext", "runAsNonRoot") is True:
            return "runAsNonRoot", (*at, "securityContext", "runAsNonRoot")
    return "", ()


def _attached(text: str) -> list[str]:
    """Return the names of attached networks: `a,b@net1`, or a JSON list of objects."""
    if not text.lstrip().startswith("["):
        return [name.strip().partition("@")[0] for name in text.split(",") if name.strip()]
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [as_str(entry.get("name")) or "" for entry in entries if isinstance(entry, dict)]
