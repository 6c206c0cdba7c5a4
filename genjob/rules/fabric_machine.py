"""The machine that a pod is placed on → devices and settings that do not go with it.

Source: https://github.com/aws/karpenter-provider-aws/blob/main/website/content/en/docs/reference/instance-types.md
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.diagnostics import Severity
from genjob.rules.machines import machine_of
from genjob.rules.rule import Hit
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

EVERY_ADAPTER: Final = re.compile(r"vpc\.amazonaws\.com/efa|nvidia\.com/rdma-vf")
"""Devices of which each is one adapter of the machine, wherever the resource has this name."""

FILES: Final = ("NCCL_TOPO_FILE", "NCCL_GRAPH_FILE", "NCCL_TUNER_CONFIG_PATH")
MARKS: Final[dict[str, tuple[str, ...]]] = {
    r"a3plus": ("gcp-tcpxo",),
    r"/gib/|a3u|a4x?[._-]": ("gcp-gib",),
    r"ndv[0-9]": ("azure-ib",),
    r"\bp[456](?:d|e|en|de|dn)?[._-]": ("aws-efa",),
}
"""Part of a file's path → the fabrics of the machines that it describes."""

NVLS_WORDS: Final = frozenset({"nvls", "nvlstree"})
WITHOUT_NVLS: Final = frozenset({"v100", "t4", "a10g", "a100", "l4", "l40s"})
"""Accelerators without a switch that reduces. Source: NCCL user guide 2.30.7, NCCL_ALGO."""


def more_devices_than_machine(network: Network) -> Iterator[Hit]:
    """A pod asks for more adapters than its machine has.

    Symptom: the pod stays Pending: `Insufficient vpc.amazonaws.com/efa`.
    """
    for role, device, count, most, is_certain in _counts(network):
        if count > most:
            message = f"{count} of {quoted(device)}; a {_name(role)} has {most}"
            severity = None if is_certain else Severity.WARNING
            yield Hit(role.resource_path(device), message, f"write {most}", severity=severity)


def fewer_devices_than_machine(network: Network) -> Iterator[Hit]:
    """A pod with all GPUs of a machine asks for a part of its adapters.

    Symptom: a part of the bandwidth; `too many XML nodes`, or an odd topology, in the log of NCCL.
    Source: https://github.com/aws/aws-ofi-nccl/issues/785
    """
    for role, device, count, most, _ in _counts(network):
        machine = machine_of(role.pod)
        if 0 < count < most and machine and role.gpus >= machine.gpus:
            message = f"{count} of {quoted(device)}; a {_name(role)} has {most}"
            yield Hit(role.resource_path(device), message, f"write {most}: all of the machine")


def file_of_another_machine(network: Network) -> Iterator[Hit]:
    """A topology, graph or tuner file describes other machines.

    Symptom: a warning of NCCL, a wrong graph and low bandwidth, or no start at all.
    Source: https://github.com/NVIDIA/nccl/issues/1008
    """
    for name in FILES:
        for role, setting in network.of(name):
            fabrics = _fabrics_of(setting.text)
            known = set(role.guess.fabrics)
            if fabrics and known and not known & set(fabrics):
                message = f"{name} {quoted(setting.text)} is for {fabrics[0]}; "
                message += f"{role.guess.sign} tells {role.guess.fabrics[0]}"
                yield Hit(setting.path, message, "name the file of this machine, or remove it")


def nvls_where_there_is_none(network: Network) -> Iterator[Hit]:
    """NCCL is told to use NVLink SHARP on GPUs that do not have it.

    Symptom: `no algorithm/protocol available`, or a failure at the start.
    Source: https://github.com/NVIDIA/nccl/issues/976
    """
    for role, setting in network.of("NCCL_ALGO"):
        if lacks_nvls(role) and has_only_nvls(setting.text):
            message = f"{quoted(setting.text)} needs the NVSwitch of Hopper or later, "
            message += f"which a {_name(role)} does not have"
            yield Hit(setting.path, message, "remove it: NCCL chooses")


def has_only_nvls(algorithms: str) -> bool:
    """Return whether a list of algorithms leaves NCCL nothing but NVLink SHARP."""
    return set(algorithms.casefold().split(",")) <= NVLS_WORDS


def lacks_nvls(role: Role) -> bool:
    """Return whether the GPUs of a pod are known not to have NVLink SHARP."""
    machine = machine_of(role.pod)
    return machine is not None and machine.accelerator in WITHOUT_NVLS


def mnnvl_without_domain(network: Network) -> Iterator[Hit]:
    """NVLink between machines is demanded, and the pod claims no domain of it.

    Symptom: NCCL fails at the start, because it was told to do without nothing else.
    Source: https://github.com/NVIDIA/k8s-dra-driver-gpu
    """
    for role, setting in network.of("NCCL_MNNVL_ENABLE"):
        if setting.text == "1" and network.has_many_pods and not role.has_claims:
            message = "NVLink between machines is demanded without a claim of a ComputeDomain"
            hint = "claim one under 'resources.claims', or write 2: use it where it is"
            yield Hit(setting.path, message, hint)


def _counts(network: Network) -> Iterator[tuple[Role, str, int, int, bool]]:
    """Yield roles with a device: its amount, that of the machine, and whether that is certain."""
    for role in network.roles:
        machine = machine_of(role.pod)
        for device, count in role.devices.items():
            if machine and machine.nics is not None and count and EVERY_ADAPTER.fullmatch(device):
                yield role, device, count, machine.nics, "nics" not in machine.uncertain


def _name(role: Role) -> str:
    machine = machine_of(role.pod)
    return machine.name if machine else "machine"


def _fabrics_of(path: str) -> tuple[str, ...]:
    return next((fabrics for mark, fabrics in MARKS.items() if re.search(mark, path)), ())
