"""A pod on GPU machines of Google Cloud → what keeps it from its network, or from its end.

Source: https://github.com/GoogleCloudPlatform/container-engine-accelerators
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import GOOGLE_TCP
from genjob.rules.network import GKE_INTERFACES
from genjob.rules.rule import Hit
from genjob.rules.walk import as_str, parts
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

PREFIXES: Final = ("NCCL_GPUDIRECTTCPX_", "NCCL_FASTRAK_")
"""Variables that only a pod on GPUDirect-TCPX or -TCPXO has."""

DAEMON_NAMES: Final = ("tcpx-daemon", "tcpxo-daemon")
DAEMON_IMAGE: Final = "tcpgpudmarxd"
GPUS: Final = 8
RAILS: Final = ("gcp-tcpx", "gcp-tcpxo", "gcp-gib")
"""Fabrics on which adapters of different rails do not reach each other, as Google documents."""


def gke_interfaces_missing(network: Network) -> Iterator[Hit]:
    """A pod on GPUDirect-TCPX or -TCPXO has no annotation that gives it the data interfaces.

    Symptom: the plugin finds no interface eth1, and the job does not start, or runs over TCP.
    """
    for role in network.across(_is_gpudirect):
        has_other_way = role.is_on_host_network or role.has_claims
        if GKE_INTERFACES not in role.annotations and not has_other_way:
            message = f"the data interfaces are not in the pod: no {quoted(GKE_INTERFACES)}"
            hint = f"write the annotation {quoted(GKE_INTERFACES)} into the pod template"
            yield Hit(role.path, message, hint)


def gke_interfaces_on_host_network(network: Network) -> Iterator[Hit]:
    """Interfaces are attached to a pod that has those of its machine.

    Symptom: the annotation is passed over; the names of the interfaces are not those that the
    settings speak of.
    """
    for role in network.roles:
        if role.is_on_host_network and GKE_INTERFACES in role.annotations:
            message = f"{quoted(GKE_INTERFACES)} has no effect with hostNetwork"
            at = (*role.pod_path, "hostNetwork")
            yield Hit(at, message, "remove hostNetwork", at_key=True)


def daemon_keeps_pod_running(network: Network) -> Iterator[Hit]:
    """The receive daemon is an ordinary container, which never ends.

    Symptom: training is done, and the pod and the job stay Running for ever, with their GPUs.
    Source: https://github.com/AI-Hypercomputer/gpu-recipes
    """
    for role in network.roles:
        for at, container in parts((*role.pod_path, "containers"), role.pod.get("containers")):
            name, image = as_str(container.get("name")) or "", as_str(container.get("image")) or ""
            if name in DAEMON_NAMES or DAEMON_IMAGE in image:
                message = f"{quoted(name)} never ends, and so the pod does not"
                hint = "move it to 'initContainers', with 'restartPolicy: Always'"
                yield Hit((*at, "name"), message, hint)


def part_of_gke_machine(network: Network) -> Iterator[Hit]:
    """A pod with the interfaces of a whole machine has a part of its GPUs.

    Symptom: adapters and GPUs do not pair; NCCL sees 7 of 8 GPUs, or is slow.
    Source: https://github.com/GoogleCloudPlatform/container-engine-accelerators/issues/580
    """
    for role in network.roles:
        if _is_gpudirect(role) and 0 < role.gpus < GPUS:
            message = (
                f"{role.gpus} of the {GPUS} GPUs of a machine whose interfaces are all attached"
            )
            yield Hit(role.resource_path("nvidia.com/gpu"), message, f"write {GPUS}")


def cross_nic_on_rails(network: Network) -> Iterator[Hit]:
    """Adapters of different rails are joined on a fabric where each rail is a network of its own.

    Symptom: peers that cannot be reached, or congestion.
    Source: https://github.com/NVIDIA/nccl/issues/2013
    """
    for role, setting in network.of("NCCL_CROSS_NIC"):
        if setting.text == "1" and role.guess.is_any_of(RAILS):
            message = f"rails are separate networks on {role.guess.fabrics[0]}"
            yield Hit(setting.path, message, "write 0")


def _is_gpudirect(role: Role) -> bool:
    by_variable = not role.guess.fabrics and any(name.startswith(PREFIXES) for name in role.env)
    by_daemon = role.guess.is_any_of(GOOGLE_TCP) and not role.guess.sign.startswith("the machine")
    return by_variable or by_daemon
