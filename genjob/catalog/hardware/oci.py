"""Machines of Oracle Cloud. NICs are RDMA ports: the virtual functions that a pod may have.

An OCPU is a core with two threads; Kubernetes counts the threads. The names of the adapters are
those on the host, by the vendor's table of each shape.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.hardware.machine import InstanceType, row

_SIZES: Final = "cpus memory_gib"

_oci = partial(row, provider="OCI", source="oke", uncertain=_SIZES)


def _mlx5(*numbers: int) -> tuple[str, ...]:
    return tuple(f"mlx5_{number}" for number in numbers)


def _roce(count: int) -> tuple[str, int]:
    return "oci-roce", count


_A100: Final = _mlx5(*range(1, 9), *range(14, 18), *range(9, 13))
_EIGHT: Final = _mlx5(0, 3, 4, 5, 6, 9, 10, 11)

ROWS: Final[tuple[InstanceType, ...]] = (
    _oci(
        "BM.GPU4.8",
        gpus=(8, "a100", 40),
        network=_roce(16),
        size=(128, 2048),
        hcas=_mlx5(0, 2, 6, 8, 10, 12, 14, 16, 1, 3, 7, 9, 11, 13, 15, 17),
    ),
    _oci(
        "BM.GPU.A100-v2.8",
        gpus=(8, "a100", 80),
        network=_roce(16),
        size=(None, None),
        hcas=_A100,
    ),
    _oci("BM.GPU.B4.8", gpus=(8, "a100", 40), network=_roce(16), size=(None, None), hcas=_A100),
    _oci(
        "BM.GPU.H100.8",
        gpus=(8, "h100", 80),
        network=_roce(16),
        size=(224, 2048),
        hcas=_mlx5(0, 1, *range(3, 11), *range(12, 18)),
    ),
    _oci("BM.GPU.H200.8", gpus=(8, "h200", 141), network=_roce(8), size=(None, None), hcas=_EIGHT),
    _oci("BM.GPU.B200.8", gpus=(8, "b200", 180), network=_roce(8), size=(None, None), hcas=_EIGHT),
    _oci(
        "BM.GPU.B300.8",
        gpus=(8, "b300", None),
        network=_roce(16),
        size=(None, None),
        hcas=_mlx5(0, 1, *range(7, 15), *range(16, 22)),
    ),
    _oci(
        "BM.GPU.GB200.4",
        gpus=(4, "gb200", None),
        network=_roce(4),
        size=(None, None),
        hcas=_mlx5(0, 1, 3, 4),
    ),
    _oci(
        "BM.GPU.GB300.4",
        gpus=(4, "gb300", None),
        network=_roce(8),
        size=(None, None),
        hcas=_mlx5(0, 1, 2, 3, 5, 6, 7, 8),
    ),
    _oci(
        "BM.GPU.RTXPRO.8",
        gpus=(8, "rtx-pro-6000", None),
        network=_roce(8),
        size=(None, None),
        uncertain=f"nics {_SIZES}",
        hcas=_mlx5(0, 1, 2, 3, 6, 7, 8, 9),
    ),
    _oci(
        "BM.GPU.MI300X.8",
        gpus=(8, "mi300x", 192),
        network=_roce(8),
        size=(None, None),
        hcas=_mlx5(0, 2, 3, 4, 5, 7, 8, 9),
    ),
    _oci(
        "BM.GPU.MI355X-v1.8",
        gpus=(8, "mi355x", None),
        network=_roce(8),
        size=(None, None),
        hcas=tuple(f"ionic_{number}" for number in (0, 2, 3, 4, 5, 7, 8, 9)),
    ),
)
