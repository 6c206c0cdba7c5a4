"""NVIDIA's DGX in one's own data centre: the names are ours, no label has them.

NICs are the adapters for training; others are for storage and must not be used. Kubernetes counts
the two threads of a core.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.hardware.machine import InstanceType, row
from genjob.catalog.sources import GENERAL

_HCAS: Final = tuple(f"mlx5_{number}" for number in (0, 3, 4, 5, 6, 9, 10, 11))

_dgx = partial(
    row, provider="DGX", network=("infiniband", 8), source="dgx", selector={}, hcas=_HCAS
)
_a100 = partial(
    row,
    provider="DGX",
    network=("infiniband", 8),
    source=GENERAL,
    selector={},
    uncertain="nics cpus memory_gib",
)

ROWS: Final[tuple[InstanceType, ...]] = (
    _a100("dgx-a100-40gb", gpus=(8, "a100", 40), size=(256, 1024)),
    _a100("dgx-a100-80gb", gpus=(8, "a100", 80), size=(256, 2048)),
    _dgx("dgx-h100", gpus=(8, "h100", 80), size=(224, 2048), uncertain="cpus"),
    _dgx("dgx-h200", gpus=(8, "h200", 141), size=(224, 2048), uncertain="cpus"),
)
