"""Prefixes of names: who reads variables that begin so, and whether the tables have all of them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Family(NamedTuple):
    """Variables that one program reads.

    `is_closed`: the tables have every name, so that another one is read by nobody.
    """

    prefix: str
    reader: str
    is_closed: bool = False


FAMILIES: Final = (
    Family("NCCL_FASTRAK_", "FasTrak"),
    Family("NCCL_GPUDIRECTTCPX_", "TCPX"),
    Family("NCCL_INSPECTOR_", "a profiler plugin"),
    Family("NCCL_PROFILE_", "a profiler plugin"),
    Family("NCCL_SHARP_", "the SHARP plugin"),
    Family("NCCL_SHIMNET_", "Google's shim"),
    Family("NCCL_TESTS_", "nccl-tests"),
    Family("NCCL_TUNER_", "a tuner plugin"),
    Family("NCCL_UCX_", "the UCX plugin"),
    Family("NCCL_", "NCCL", is_closed=True),
    Family("TORCH_NCCL_", "PyTorch", is_closed=True),
    Family("TORCHELASTIC_", "torchrun"),
    Family("TORCH_", "PyTorch"),
    Family("PYTORCH_", "PyTorch"),
    Family("PET_", "torchrun"),
    Family("GLOO_", "gloo"),
    Family("OFI_NCCL_", "aws-ofi-nccl"),
    Family("FI_", "libfabric"),
    Family("UCX_", "UCX"),
    Family("SHARP_COLL_", "SHARP"),
    Family("CUDA_", "CUDA"),
)
"""The first that fits is that of a name. Plugins and test programs have prefixes inside NCCL's."""

OTHERS: Final = Family("", "its program")
"""The family of a name that has none: any program may read it."""

LABELS_OF_IMAGES: Final = frozenset(
    {"NCCL_HOME", "NCCL_INCLUDE_DIR", "NCCL_ROOT", "NCCL_ROOT_DIR", "NCCL_VERSION"}
)
"""Names in NCCL's family that images and build tools set for themselves."""


def family_of(name: str) -> Family:
    """Return the family of a variable's name, or `OTHERS`."""
    return next((family for family in FAMILIES if name.startswith(family.prefix)), OTHERS)
