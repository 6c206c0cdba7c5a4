"""The pod of a job → the fabrics that its machines may have, and the sign that tells them.

Source: https://github.com/aws/aws-ofi-nccl, https://github.com/GoogleCloudPlatform/container-engine-accelerators,
https://github.com/Azure/aks-rdma-infiniband, https://github.com/oracle-quickstart/oci-hpc-oke
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.catalog.variables.variable import EFA, VERBS
from genjob.rules.machines import machine_of
from genjob.rules.walk import as_str, get, parts, pod_containers
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from genjob.jsontypes import JsonObject

EFA_DEVICE: Final = "vpc.amazonaws.com/efa"
INFINIBAND: Final = "/dev/infiniband"
_DEVICE: Final = re.compile(
    r"rdma/.+|vpc\.amazonaws\.com/efa|[\w.-]+/[\w.-]*(?:rdma|mlnx|sriov|hostdev|roce|hca)[\w.-]*"
)
_OCI_DEVICE: Final = "nvidia.com/rdma-vf"

_DAEMONS: Final = {"tcpx-daemon": "gcp-tcpx", "tcpxo-daemon": "gcp-tcpxo"}
_GIB: Final = "/home/kubernetes/bin/gib"


class Guess(NamedTuple):
    """The fabrics that a pod may be on, none when nothing tells, and what tells it."""

    fabrics: tuple[str, ...] = ()
    sign: str = ""

    def is_any_of(self, names: Iterable[str]) -> bool:
        """Tell whether the fabric is known and can be nothing else than one of these."""
        return bool(self.fabrics) and set(self.fabrics) <= set(names)


def is_network_device(resource: str) -> bool:
    """Tell whether a resource is a network adapter, or the right to use one."""
    return _DEVICE.fullmatch(resource) is not None


def guess(pod: JsonObject, devices: Mapping[str, int | None]) -> Guess:
    """Return the fabrics that a pod may be on: the surest sign first."""
    if EFA_DEVICE in devices:
        return Guess(EFA, f"the device {quoted(EFA_DEVICE)}")
    if _OCI_DEVICE in devices:
        return Guess(("oci-roce",), f"the device {quoted(_OCI_DEVICE)}")
    return _google(pod) or _machine(pod) or _verbs(pod, devices) or Guess()


def _google(pod: JsonObject) -> Guess | None:
    for _, container in pod_containers((), pod):
        name = as_str(container.get("name")) or ""
        if name in _DAEMONS:
            return Guess((_DAEMONS[name],), f"the container {quoted(name)}")
    if _GIB in _host_paths(pod):
        return Guess(("gcp-gib",), f"the volume {quoted(_GIB)}")
    return None


def _machine(pod: JsonObject) -> Guess | None:
    machine = machine_of(pod)
    if machine is None or not machine.fabric:
        return None
    return Guess((machine.fabric,), f"the machine {quoted(machine.name)}")


def _verbs(pod: JsonObject, devices: Mapping[str, int | None]) -> Guess | None:
    if devices:
        return Guess(VERBS, f"the device {quoted(next(iter(devices)))}")
    if INFINIBAND in _host_paths(pod):
        return Guess(VERBS, f"the volume {quoted(INFINIBAND)}")
    return None


def _host_paths(pod: JsonObject) -> set[str]:
    volumes = parts((), pod.get("volumes"))
    return {(as_str(get(volume, "hostPath", "path")) or "").rstrip("/") for _, volume in volumes}
