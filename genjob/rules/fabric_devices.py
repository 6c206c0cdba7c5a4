"""The devices of a pod beside its variables → a fabric that is paid for and not used, or missing.

Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html (2.30.7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.variables import REGISTRY
from genjob.catalog.variables.families import family_of
from genjob.catalog.variables.variable import EFA, TCPX, TCPXO, VERBS
from genjob.diagnostics import Severity
from genjob.rules.fabric_signs import EFA_DEVICE, INFINIBAND
from genjob.rules.rule import Hit
from genjob.wording import one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

IB_DISABLE: Final = "NCCL_IB_DISABLE"
NET: Final = "NCCL_NET"

NETS: Final[dict[str, tuple[str, ...]]] = {
    "IB": VERBS,
    "gIB": ("gcp-gib",),
    "Libfabric": EFA,
    "AWS Libfabric": EFA,
    "FasTrak": TCPXO,
    "GPUDirectTCPX_v7": TCPX,
}
"""Value of NCCL_NET → the fabrics that it is the network of."""

SPOKEN_OF_ELSEWHERE: Final = frozenset(
    {"FI_PROVIDER", "NCCL_CROSS_NIC", "NCCL_IB_DISABLE", "NCCL_IB_GID_INDEX"}
)
"""Variables that a rule of their own is about, or that do no harm on any fabric."""

FABRIC_FAMILIES: Final[dict[str, str]] = {
    "NCCL_IB_": "InfiniBand or RoCE",
    "FI_EFA_": "EFA",
    "OFI_NCCL_": "EFA",
    "NCCL_GPUDIRECTTCPX_": "GPUDirect-TCPX",
    "NCCL_FASTRAK_": "GPUDirect-TCPXO",
}
"""Prefix of variables → the fabric that they belong to, in words."""


def rdma_without_device(network: Network) -> Iterator[Hit]:
    """InfiniBand or RoCE is asked for, and the pod has no device for it.

    Symptom: `NET/IB : No device found`, and training at the speed of TCP.
    Source: https://github.com/oracle-quickstart/oci-hpc-oke
    """
    for role in network.across(lambda role: not role.guess.fabrics and not _has_any_device(role)):
        name = next((name for name in ("NCCL_IB_HCA", NET, IB_DISABLE) if _asks_ib(role, name)), "")
        if name and not role.number(IB_DISABLE):
            message = f"{name} asks for RDMA, and the pod has no device for it"
            hint = "ask for the device of the cluster, such as 'rdma/ib', or remove it"
            yield Hit(role.env[name].path, message, hint)


def fabric_switched_off(network: Network) -> Iterator[Hit]:
    """The pod reserves network devices, and a variable keeps NCCL from using them.

    Symptom: the adapters stand reserved; the log says `NET/Socket`, and training runs at the speed
    of TCP.
    """
    for role in network.across(lambda role: bool(role.devices)):
        device = next(iter(role.devices))
        is_plugged = NET in role.env or "NCCL_NET_PLUGIN" in role.env
        by_ib = role.number(IB_DISABLE) == 1 and role.guess.is_any_of(VERBS) and not is_plugged
        by_net = (role.text(NET) or "").casefold() == "socket"
        if by_ib or by_net:
            name = NET if by_net else IB_DISABLE
            message = f"{name} {quoted(role.env[name].text)} keeps NCCL from {quoted(device)}"
            yield Hit(
                role.env[name].path, message, f"remove it, or do not ask for {quoted(device)}"
            )


def variable_of_another_fabric(network: Network) -> Iterator[Hit]:
    """Variables that mean nothing on the fabric that the machines have.

    Symptom: none; they are read by nobody, and hide what is really configured.
    Source: https://github.com/aws/aws-ofi-nccl/blob/master/doc/efa-env-var.md
    """
    for role in network.across(lambda _: True):
        useless = [name for name in role.env if _is_useless(role, name)]
        if useless:
            first, *others = useless
            names = f"{first} and {len(others)} more mean" if others else f"{first} means"
            message = f"{names} nothing on {_fabric(role)}"
            hint = f"remove {', '.join(useless)}"
            severity = Severity.INFO if role.given else None  # meant for another environment
            at = (*role.env[first].path[:-1], "name")
            yield Hit(at, message, hint, severity=severity)


def two_fabrics_mixed(network: Network) -> Iterator[Hit]:
    """Variables of two fabrics in one container, and nothing that tells which one it has.

    Symptom: half of the settings are read by nobody; often they were copied from elsewhere.
    """
    for role in network.roles:
        if role.guess.fabrics:
            continue
        found = {fabric: name for name in role.env for fabric in _families(name)}
        if len(found) > 1:
            first, *_, last = found
            message = f"{found[last]} is for {last}, {found[first]} for {first}"
            hint = "keep those of the fabric that the machines have"
            yield Hit((*role.env[found[last]].path[:-1], "name"), message, hint)


def net_of_another_fabric(network: Network) -> Iterator[Hit]:
    """NCCL is told to use a network that the machines do not have.

    Symptom: `Failed to initialize any NET plugin`, at the start of training.
    """
    for role, setting in network.of(NET):
        fabrics = NETS.get(setting.text)
        if network.has_many_pods and fabrics and _is_never(role, fabrics):
            message = f"the network {quoted(setting.text)} does not exist on {_fabric(role)}"
            fits = [net for net, on in NETS.items() if set(role.guess.fabrics) <= set(on)]
            yield Hit(setting.path, message, f"write {one_of(fits)}" if fits else "remove it")


def efa_provider_without_device(network: Network) -> Iterator[Hit]:
    """FI_PROVIDER asks for EFA, and the pod has no EFA device.

    Symptom: `provider efa output empty list`, and training at the speed of TCP.
    Source: https://github.com/aws/aws-ofi-nccl/issues/889
    """
    for role in network.across(lambda role: not _has_any_device(role)):
        provider = role.text("FI_PROVIDER") or ""
        if provider == "efa" and (not role.guess.fabrics or role.guess.is_any_of(EFA)):
            message = f"provider 'efa', and no device {quoted(EFA_DEVICE)}"
            hint = f"ask for {quoted(EFA_DEVICE)}, as many as the machine has"
            yield Hit(role.env["FI_PROVIDER"].path, message, hint)


def _asks_ib(role: Role, name: str) -> bool:
    match name:
        case "NCCL_IB_DISABLE":
            return role.number(name) == 0
        case "NCCL_NET":
            return role.text(name) == "IB"
        case _:
            return name in role.env


def _has_any_device(role: Role) -> bool:
    """Return whether a pod may have network devices by any way that there is."""
    folders = role.mounted_host_paths()
    return bool(
        role.devices
        or role.has_claims
        or role.is_privileged
        or "NVIDIA_MOFED" in role.env
        or folders.keys() & {"/dev", INFINIBAND}
    )


def _is_useless(role: Role, name: str) -> bool:
    row = REGISTRY.get(name)
    if row is None or not row.fabrics or name in SPOKEN_OF_ELSEWHERE:
        return False
    return role.env[name].text != row.default and _is_never(role, row.fabrics)


def _is_never(role: Role, fabrics: tuple[str, ...]) -> bool:
    """Return whether the fabric of a pod is known and is none of these."""
    return bool(role.guess.fabrics) and not set(role.guess.fabrics) & set(fabrics)


def _fabric(role: Role) -> str:
    """Return the fabric of a pod in words, with the sign that tells it."""
    names, sign = role.guess
    fabric = names[0] if len(names) == 1 else "InfiniBand or RoCE"
    return f"{fabric}, which {sign} tells"


def _families(name: str) -> Iterator[str]:
    for prefix, fabric in FABRIC_FAMILIES.items():
        if name.startswith(prefix) and name != IB_DISABLE and family_of(name).prefix:
            yield fabric
