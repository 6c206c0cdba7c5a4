"""The interfaces and adapters that variables name → those that a pod does not have, or not only.

Source: https://github.com/NVIDIA/nccl/blob/v2.30.7-1/src/misc/socket.cc
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import EFA
from genjob.rules.machines import machine_of
from genjob.rules.network import GKE_INTERFACES, NETWORKS
from genjob.rules.rule import Hit
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role, Setting

NCCL_INTERFACES: Final = "NCCL_SOCKET_IFNAME"
INTERFACES: Final = (NCCL_INTERFACES, "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME")
HCAS: Final = "NCCL_IB_HCA"
POD_INTERFACE: Final = "eth0"
"""What nearly every network plugin calls the interface of a pod."""

_HINT: Final = f"write {POD_INTERFACE!r}, the interface of a pod"


def loopback_interface(network: Network) -> Iterator[Hit]:
    """Pods that must reach each other are told to use the loopback interface.

    Symptom: `connect to 127.0.0.1 … Connection refused`, or a hang at the start of training.
    Source: https://github.com/NVIDIA/nccl/issues/286
    """
    for role, setting in _interfaces(network):
        is_only = "^" not in _sign(setting) and set(_names(setting)) == {"lo"}
        if network.has_many_pods and is_only:
            message = f"'lo' reaches the own pod only, and {network.pods} pods must talk"
            yield Hit(
                setting.path,
                message,
                "write the interface of the machine" if role.is_on_host_network else _HINT,
            )


def exclusion_without_loopback(network: Network) -> Iterator[Hit]:
    """A list of interfaces to leave out does not name the loopback interface.

    Symptom: NCCL takes `lo`, the first interface that is left, and hangs.
    Source: https://github.com/horovod/horovod/pull/700, https://github.com/NVIDIA/nccl/issues/913
    """
    for _, setting in network.of(NCCL_INTERFACES):
        sign, names = _sign(setting), _names(setting)
        if network.has_many_pods and "^" in sign and not any("lo".startswith(n) for n in names):
            message = f"{quoted(setting.text)} leaves 'lo' in"
            yield Hit(setting.path, message, f"write {quoted(f'{sign}lo,' + ','.join(names))}")


def exclusion_on_aws(network: Network) -> Iterator[Hit]:
    """On EKS a list of interfaces to leave out may let NCCL pick the link of Pod Identity.

    Symptom: NCCL uses an address of 169.254.170.x and hangs at the start.
    Source: https://github.com/aws-samples/aws-do-eks/issues/54
    """
    for role, setting in network.of(NCCL_INTERFACES):
        leaves_in = "^" in _sign(setting) and "lo" in _names(setting)
        if leaves_in and role.guess.is_any_of(EFA) and not role.is_on_host_network:
            message = f"{quoted(setting.text)} may leave the link of EKS Pod Identity in"
            yield Hit(setting.path, message, _HINT)


def interface_not_in_pod(network: Network) -> Iterator[Hit]:
    """A pod with a network of its own is told to use an interface that it does not have.

    Symptom: `Bootstrap : no socket interface found`, or an internal error of NCCL.
    Source: https://github.com/NVIDIA/nccl/issues/1277, https://github.com/NVIDIA/nccl/issues/1837
    """
    for role, setting in _interfaces(network):
        names = [name for name in _names(setting) if name]
        if role.is_on_host_network or _has_more_interfaces(role) or "^" in _sign(setting):
            continue
        fits = {name for name in names if POD_INTERFACE.startswith(name) or name == "lo"}
        if names and not fits:
            verb = "is no interface" if len(names) == 1 else "are no interfaces"
            message = f"{quoted(','.join(names))} {verb} of a pod that has only {POD_INTERFACE!r}"
            yield Hit(setting.path, message, f"write {POD_INTERFACE!r}")


def hca_name_is_prefix(network: Network) -> Iterator[Hit]:
    """An adapter is named without '=', so that longer names that begin so are taken too.

    Symptom: `mlx5_1` brings in mlx5_10 to mlx5_19 too, storage adapters among them.
    Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-ib-hca
    """
    for _, setting in network.of(HCAS):
        short = [name for name in _devices(setting) if re.fullmatch(r".*_[12]", name)]
        if short and "=" not in _sign(setting):
            message = f"{quoted(short[0])} also means {short[0]}0 to {short[0]}9, if there are such"
            sign = "^=" if setting.text.startswith("^") else "="
            yield Hit(setting.path, message, f"write {quoted(sign + setting.text.lstrip('^'))}")


def more_hcas_than_devices(network: Network) -> Iterator[Hit]:
    """More adapters are named than the pod gets.

    Symptom: the missing ones are passed over without a word; training is slow, or hangs where
    machines differ.
    Source: https://github.com/NVIDIA/nccl/issues/1277
    """
    for role, setting in network.of(HCAS):
        listed, count = _whole_names(setting), _adapters(role)
        if count is not None and len(listed) > count:
            message = f"{len(listed)} adapters are named, the pod gets {count}"
            yield Hit(setting.path, message, f"name those {count}, or ask for {len(listed)}")


def one_hca_of_many(network: Network) -> Iterator[Hit]:
    """One adapter is named where the pod gets several.

    Symptom: training runs at a fraction of the bandwidth.
    Source: https://github.com/NVIDIA/nccl/issues/1591
    """
    for role, setting in network.of(HCAS):
        listed, count = _whole_names(setting), _adapters(role)
        if count is not None and len(listed) == 1 < count:
            message = f"{quoted(listed[0])} is 1 of the {count} adapters that the pod gets"
            yield Hit(setting.path, message, "name all that carry training")


def _interfaces(network: Network) -> Iterator[tuple[Role, Setting]]:
    for name in INTERFACES:
        yield from network.of(name)


def _sign(setting: Setting) -> str:
    match = re.match(r"\^?=?", setting.text)
    return match[0] if match else ""


def _names(setting: Setting) -> list[str]:
    return setting.text.removeprefix(_sign(setting)).split(",")


def _devices(setting: Setting) -> list[str]:
    return [name.partition(":")[0] for name in _names(setting)]


def _whole_names(setting: Setting) -> list[str]:
    """Return the adapters to use where each is named in full, none where a name stands for many."""
    sign, names = _sign(setting), [name for name in _devices(setting) if name]
    are_whole = "=" in sign or all(re.fullmatch(r".+_[0-9]+", name) for name in names)
    return names if are_whole and "^" not in sign else []


def _adapters(role: Role) -> int | None:
    """Return the adapters of a pod, None where one device stands for all of them."""
    counts = [count for count in role.devices.values() if count is not None and count > 1]
    if counts:
        return max(counts)
    machine = machine_of(role.pod)
    return machine.nics if machine else None


def _has_more_interfaces(role: Role) -> bool:
    """Return whether annotations give a pod further interfaces, or another name for its own."""
    return NETWORKS in role.annotations or GKE_INTERFACES in role.annotations or role.has_claims
