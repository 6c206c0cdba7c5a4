"""Variables of InfiniBand and RoCE → values that the fabric ignores, or that hang it.

Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html (2.30.7)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import ROCE
from genjob.diagnostics import Severity
from genjob.rules.rule import Hit
from genjob.rules.walk import as_str
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

GID: Final = "NCCL_IB_GID_INDEX"
GID_CHOICES: Final = ("NCCL_IB_ADDR_FAMILY", "NCCL_IB_ADDR_RANGE", "NCCL_IB_ROCE_VERSION_NUM")
DOCUMENTED_GID: Final[dict[str, tuple[int, ...]]] = {"oci-roce": (1, 3), "gcp-gib": (3,)}
"""Fabric → the GID indexes that its vendor documents. Source: oracle-quickstart/oci-hpc-oke,
AI-Hypercomputer/gpu-recipes."""

ROCE_V1: Final = (0, 1)
"""GID indexes that are RoCE v1, or link-local addresses, on most machines."""

FIRST_TO_FIND_GIDS: Final = (2, 5)
"""The release of PyTorch that came with NCCL 2.21. Source: pytorch/pytorch v2.5.0, .ci/docker."""

_TORCH: Final = re.compile(r"(?:^|/)pytorch/pytorch:([0-9]{1,4})\.([0-9]{1,4})")

INFINIBAND: Final = ("infiniband", "azure-ib")
WITHOUT_CLASS: Final = ("roce", "oci-roce")
"""Fabrics whose lossless traffic class a job has to name."""


def gid_index_fixed(network: Network) -> Iterator[Hit]:
    """The index of a GID is fixed, which differs from machine to machine.

    Symptom: `ibv_modify_qp failed with error Connection timed out`, or a hang at the start. From
    NCCL 2.21 on NCCL finds the index itself.
    Source: https://github.com/NVIDIA/nccl/issues/426, https://github.com/NVIDIA/nccl/issues/1131
    """
    for role, setting in network.of(GID):
        index = role.number(GID)
        if index is None or index < 0 or _is_elsewhere(role):
            continue
        if not (_is_documented(role, index) or _has_old_nccl(role)):
            message, severity = _about_gid(role, index)
            hint = "remove it: NCCL 2.21 and later find the index"
            yield Hit(setting.path, message, hint, severity=severity)


def gid_choice_ignored(network: Network) -> Iterator[Hit]:
    """A fixed index of a GID stands beside variables that choose one.

    Symptom: the choice is passed over.
    """
    for role in network.roles:
        ignored = [name for name in GID_CHOICES if name in role.env]
        if (role.number(GID) or 0) > 0 and ignored:
            first, *others = ignored
            names = f"{first} and {len(others)} more have" if others else f"{first} has"
            hint = f"remove {GID}, or {', '.join(ignored)}"
            at = (*role.env[first].path[:-1], "name")
            yield Hit(at, f"{names} no effect beside {GID}", hint)


def roce_without_traffic_class(network: Network) -> Iterator[Hit]:
    """A job on RoCE does not say which traffic class is lossless.

    Symptom: pauses, and error 12 (timeout) under load: the traffic is in the class of everything.
    Source: https://github.com/oracle-quickstart/oci-hpc-oke
    """
    for role in network.across(lambda role: role.guess.is_any_of(WITHOUT_CLASS)):
        if "NCCL_IB_TC" not in role.env and not role.container.get("envFrom"):
            message = f"no NCCL_IB_TC on {role.guess.fabrics[0]}"
            hint = "set NCCL_IB_TC to the lossless class of the network, 4 times its DSCP"
            yield Hit((*role.path, "env"), message, hint)


def ib_timeout_zero(network: Network) -> Iterator[Hit]:
    """The timeout of InfiniBand is 0, which means for ever.

    Symptom: a lost packet hangs the job.
    """
    for role, setting in network.of("NCCL_IB_TIMEOUT"):
        if role.number("NCCL_IB_TIMEOUT") == 0:
            yield Hit(setting.path, f"{quoted(setting.text)} waits for ever", "write 20 to 23")


def _about_gid(role: Role, index: int) -> tuple[str, Severity]:
    """Return what to say of a fixed index, and its weight on what is known of the fabric."""
    if role.guess.is_any_of(INFINIBAND):
        return f"{GID} means nothing on {role.guess.fabrics[0]}", Severity.INFO
    if index in ROCE_V1:
        return f"GID index {index} is rarely an address of RoCE v2", Severity.WARNING
    message = f"GID index {index} is right only while every machine has the same table"
    return message, Severity.WARNING if role.guess.is_any_of(("roce",)) else Severity.INFO


def _is_documented(role: Role, index: int) -> bool:
    """Return whether a vendor whose fabric it may be documents this index."""
    names = role.guess.fabrics or tuple(DOCUMENTED_GID)
    is_said = any(index in DOCUMENTED_GID.get(name, ()) for name in names)
    return is_said and (len(names) == 1 or index not in ROCE_V1)


def _has_old_nccl(role: Role) -> bool:
    """Return whether the image is one of PyTorch's own with an NCCL before 2.21."""
    found = _TORCH.search(as_str(role.container.get("image")) or "")
    return found is not None and (int(found[1]), int(found[2])) < FIRST_TO_FIND_GIDS


def _is_elsewhere(role: Role) -> bool:
    """Return whether the fabric is one of those that no variable of RoCE means anything on."""
    is_roce = bool(set(role.guess.fabrics) & set(ROCE))
    return bool(role.guess.fabrics) and not is_roce and not role.guess.is_any_of(INFINIBAND)
