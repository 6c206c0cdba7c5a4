"""Machines of Azure. NICs are InfiniBand adapters: what `rdma/ib` counts with the SR-IOV plugin."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.hardware.machine import InstanceType, row
from genjob.catalog.sources import GENERAL

_SIZES: Final = "cpus memory_gib"
_ALL: Final = "gpu_memory_gib nics cpus memory_gib"

_azure = partial(row, provider="Azure", source="azure-images", uncertain=_SIZES)
_nc = partial(row, provider="Azure", network=("ethernet", 0), source=GENERAL, uncertain=_ALL)
_gb = partial(row, provider="Azure", network=("azure-ib", 4), source="azure-ai", uncertain=_ALL)

ROWS: Final[tuple[InstanceType, ...]] = (
    _azure("Standard_ND96asr_v4", gpus=(8, "a100", 40), network=("azure-ib", 8), size=(96, 900)),
    _azure(
        "Standard_ND96amsr_A100_v4", gpus=(8, "a100", 80), network=("azure-ib", 8), size=(96, 1900)
    ),
    _azure(
        "Standard_ND96isr_H100_v5",
        gpus=(8, "h100", 80),
        network=("azure-ib", 8),
        size=(96, 1900),
        source="azure-ai",
    ),
    _azure(
        "Standard_ND96isr_H200_v5",
        gpus=(8, "h200", 141),
        network=("azure-ib", 8),
        size=(96, 1850),
        source="azure-ai",
    ),
    _gb("Standard_ND128isr_NDR_GB200_v6", gpus=(4, "gb200", 186), size=(128, 900)),
    _gb("Standard_ND128isr_GB300_v6", gpus=(4, "gb300", None), size=(128, 900)),
    _nc("Standard_NC24ads_A100_v4", gpus=(1, "a100", 80), size=(None, None)),
    _nc("Standard_NC48ads_A100_v4", gpus=(2, "a100", 80), size=(None, None)),
    _nc("Standard_NC96ads_A100_v4", gpus=(4, "a100", 80), size=(None, None)),
)
