"""A pod with EFA devices → settings with which its plugin is slow, silent or overruled.

Source: https://github.com/aws/aws-ofi-nccl/blob/master/doc/efa-env-var.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.fabric_signs import EFA_DEVICE
from genjob.rules.machines import machine_of
from genjob.rules.rule import Hit
from genjob.rules.walk import as_object, get
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

HUGE_PAGES: Final = "hugepages-2Mi"
NO_DEVICE_RDMA: Final = ("p3dn.", "g4dn.")
"""Instance types whose EFA has no RDMA of its own."""

PLUGIN_OWNED: Final = (
    "NCCL_BUFFSIZE",
    "NCCL_P2P_NET_CHUNKSIZE",
    "NCCL_NVLS_CHUNKSIZE",
    "NCCL_NVLSTREE_MAX_CHUNKSIZE",
    "NCCL_NET_FORCE_FLUSH",
    "NCCL_TOPO_FILE",
    "NCCL_TUNER_PLUGIN",
)
"""What the plugin sets for each type of machine. Source: aws-ofi-nccl, src/platform-aws.cpp."""


def efa_may_fall_back(network: Network) -> Iterator[Hit]:
    """Nothing keeps NCCL from TCP when the image has no EFA plugin.

    Symptom: `NET/Socket` in the log in place of `NET/Libfabric`, and not a word about it.
    Source: https://github.com/aws/aws-ofi-nccl/issues/803, https://github.com/NVIDIA/nccl/issues/959
    """
    for role in _efa(network):
        if (
            network.has_many_pods
            and "NCCL_NET" not in role.env
            and not role.container.get("envFrom")
        ):
            message = "without the EFA plugin in the image NCCL takes TCP, silently"
            hint = "set NCCL_NET to 'Libfabric' ('AWS Libfabric' for older plugins)"
            yield Hit(role.resource_path(EFA_DEVICE), message, hint)


def provider_not_efa(network: Network) -> Iterator[Hit]:
    """The provider of libfabric is another one than EFA on a pod with EFA devices.

    Symptom: libfabric uses TCP, and the EFA devices stand reserved.
    """
    for role in _efa(network):
        provider = role.text("FI_PROVIDER")
        if provider is not None and ("efa" not in provider or provider.startswith("^")):
            message = f"provider {quoted(provider)} beside the device {quoted(EFA_DEVICE)}"
            yield Hit(role.env["FI_PROVIDER"].path, message, "write 'efa', or remove it")


def device_rdma_not_there(network: Network) -> Iterator[Hit]:
    """RDMA of the device is demanded on a machine whose EFA has none.

    Symptom: the program ends with a warning of libfabric.
    Source: https://github.com/ofiwg/libfabric/blob/main/man/fi_efa.7.md
    """
    for role, setting in network.of("FI_EFA_USE_DEVICE_RDMA"):
        machine = machine_of(role.pod)
        if machine and machine.name.startswith(NO_DEVICE_RDMA) and setting.text == "1":
            message = f"the EFA of {quoted(machine.name)} has no RDMA of its own"
            yield Hit(setting.path, message, "remove it: libfabric finds out by itself")


def huge_pages_and_fork(network: Network) -> Iterator[Hit]:
    """EFA may take huge pages that the pod does not have.

    Symptom: `OSError: Cannot allocate memory` when a DataLoader forks its workers.
    Source: https://github.com/aws/aws-ofi-nccl/issues/69
    """
    for role in _efa(network):
        amounts = as_object(get(role.container, "resources", "limits"))
        if network.has_many_pods and HUGE_PAGES not in amounts and not _spares_pages(role):
            message = "EFA takes huge pages, and the pod asks for none"
            hint = f"ask for '{HUGE_PAGES}: 5120Mi', or set FI_EFA_USE_HUGE_PAGE to 0"
            yield Hit(role.resource_path(EFA_DEVICE), message, hint)


def plugin_owned_setting(network: Network) -> Iterator[Hit]:
    """A value that the EFA plugin chooses for the type of machine is set by hand.

    Symptom: all-reduce is slower than on other clusters of the same machines.
    Source: https://github.com/aws/aws-ofi-nccl/blob/master/src/platform-aws.cpp
    """
    for role in _efa(network):
        for name in PLUGIN_OWNED:
            if name in role.env:
                message = f"the EFA plugin sets {name} for the type of machine"
                yield Hit((*role.env[name].path[:-1], "name"), message, "remove it")


def _efa(network: Network) -> Iterator[Role]:
    return (role for role in network.roles if EFA_DEVICE in role.devices)


def _spares_pages(role: Role) -> bool:
    return "FI_EFA_USE_HUGE_PAGE" in role.env or bool(role.container.get("envFrom"))
