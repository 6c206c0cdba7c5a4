"""Machines of Google Cloud. NICs are those for data, without the pod network's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from genjob.catalog.hardware.machine import InstanceType, row

if TYPE_CHECKING:
    from collections.abc import Mapping

_SIZES: Final = "cpus memory_gib"
_TCP: Final = ("ethernet", 0)

_gcp = partial(row, provider="GCP", source="gke-device")


def _gke(accelerator: str) -> Mapping[str, str]:
    return {"cloud.google.com/gke-accelerator": accelerator}


ROWS: Final[tuple[InstanceType, ...]] = (
    _gcp(
        "a2-highgpu-8g",
        gpus=(8, "a100", 40),
        network=_TCP,
        size=(96, 680),
        source="skypilot",
        uncertain=_SIZES,
        labels=_gke("nvidia-tesla-a100"),
    ),
    _gcp(
        "a2-megagpu-16g",
        gpus=(16, "a100", 40),
        network=_TCP,
        size=(96, 1360),
        source="skypilot",
        labels=_gke("nvidia-tesla-a100"),
    ),
    _gcp(
        "a2-ultragpu-8g",
        gpus=(8, "a100", 80),
        network=_TCP,
        size=(96, 1360),
        source="skypilot",
        labels=_gke("nvidia-a100-80gb"),
    ),
    _gcp(
        "a3-highgpu-8g",
        gpus=(8, "h100", 80),
        network=("gcp-tcpx", 4),
        size=(208, 1872),
        uncertain=_SIZES,
        labels=_gke("nvidia-h100-80gb"),
    ),
    _gcp(
        "a3-megagpu-8g",
        gpus=(8, "h100", 80),
        network=("gcp-tcpxo", 8),
        size=(208, 1872),
        uncertain=_SIZES,
        labels=_gke("nvidia-h100-mega-80gb"),
    ),
    _gcp(
        "a3-ultragpu-8g",
        gpus=(8, "h200", 141),
        network=("gcp-gib", 8),
        size=(224, 2952),
        uncertain=_SIZES,
        labels=_gke("nvidia-h200-141gb"),
    ),
    _gcp(
        "a4-highgpu-8g",
        gpus=(8, "b200", 180),
        network=("gcp-gib", 8),
        size=(224, 3968),
        uncertain=_SIZES,
        labels=_gke("nvidia-b200"),
    ),
    _gcp(
        "a4x-highgpu-4g",
        gpus=(4, "gb200", 186),
        network=("gcp-gib", 4),
        size=(140, 884),
        uncertain=_SIZES,
        labels=_gke("nvidia-gb200"),
    ),
)
