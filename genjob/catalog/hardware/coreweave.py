"""Machines of CoreWeave. NICs are InfiniBand adapters; a pod asks for one device to have all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from genjob.catalog.hardware.machine import InstanceType, row

if TYPE_CHECKING:
    from collections.abc import Callable

_SIZES: Final = "cpus memory_gib"


def _coreweave(name: str) -> Callable[..., InstanceType]:
    selector = {"node.coreweave.cloud/type": name}
    return partial(
        row,
        name,
        provider="CoreWeave",
        source="coreweave",
        selector=selector,
        uncertain=_SIZES,
    )


def _ib(count: int) -> tuple[str, int]:
    return "coreweave-ib", count


ROWS: Final[tuple[InstanceType, ...]] = (
    _coreweave("gd-8xh100ib-i128")(gpus=(8, "h100", 80), network=_ib(8), size=(128, 2048)),
    _coreweave("gd-8xa100-i128")(gpus=(8, "a100", 80), network=_ib(4), size=(128, 2048)),
    _coreweave("b200-8x")(gpus=(8, "b200", 180), network=_ib(8), size=(128, 2048)),
    _coreweave("b300-8x")(gpus=(8, "b300", None), network=_ib(8), size=(128, 2048)),
    _coreweave("gb200-4x")(gpus=(4, "gb200", 186), network=_ib(4), size=(144, 960)),
    _coreweave("gb300-4x")(gpus=(4, "gb300", None), network=_ib(4), size=(144, 960)),
)
