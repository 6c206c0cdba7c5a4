"""Machines of Amazon Web Services. NICs are EFAs: what `vpc.amazonaws.com/efa` counts."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.hardware.machine import InstanceType, row

_aws = partial(row, provider="AWS", source="karpenter")


def _efa(count: int) -> tuple[str, int]:
    return "aws-efa", count


ROWS: Final[tuple[InstanceType, ...]] = (
    _aws("p3dn.24xlarge", gpus=(8, "v100", 32), network=_efa(1), size=(96, 768)),
    _aws("p4d.24xlarge", gpus=(8, "a100", 40), network=_efa(4), size=(96, 1152)),
    _aws("p4de.24xlarge", gpus=(8, "a100", 80), network=_efa(4), size=(96, 1152)),
    _aws("p5.4xlarge", gpus=(1, "h100", 80), network=_efa(1), size=(16, 256)),
    _aws("p5.48xlarge", gpus=(8, "h100", 80), network=_efa(32), size=(192, 2048)),
    _aws("p5e.48xlarge", gpus=(8, "h200", 141), network=_efa(32), size=(192, 2048)),
    _aws("p5en.48xlarge", gpus=(8, "h200", 141), network=_efa(16), size=(192, 2048)),
    _aws("p6-b200.48xlarge", gpus=(8, "b200", 179), network=_efa(8), size=(192, 2048)),
    _aws("p6-b300.48xlarge", gpus=(8, "b300", 268), network=_efa(16), size=(192, 4096)),
    _aws(
        "p6e-gb200.36xlarge",
        gpus=(4, "gb200", 186),
        network=_efa(4),
        size=(144, 960),
        source="efa-samples",
        uncertain="gpu_memory_gib cpus memory_gib",
    ),
    _aws("g4dn.12xlarge", gpus=(4, "t4", 16), network=_efa(1), size=(48, None)),
    _aws("g4dn.metal", gpus=(8, "t4", 16), network=_efa(1), size=(96, None)),
    _aws("g5.12xlarge", gpus=(4, "a10g", 24), network=_efa(1), size=(48, None)),
    _aws("g5.48xlarge", gpus=(8, "a10g", 24), network=_efa(1), size=(192, None)),
    _aws("g6.12xlarge", gpus=(4, "l4", 24), network=_efa(1), size=(48, None)),
    _aws("g6.48xlarge", gpus=(8, "l4", 24), network=_efa(1), size=(192, None)),
    _aws("g6e.12xlarge", gpus=(4, "l40s", 48), network=_efa(1), size=(48, None)),
    _aws("g6e.24xlarge", gpus=(4, "l40s", 48), network=_efa(2), size=(96, None)),
    _aws("g6e.48xlarge", gpus=(8, "l40s", 48), network=_efa(4), size=(192, None)),
    _aws("g7e.12xlarge", gpus=(2, "rtx-pro-6000", 96), network=_efa(1), size=(48, None)),
    _aws("g7e.24xlarge", gpus=(4, "rtx-pro-6000", 96), network=_efa(2), size=(96, None)),
    _aws("g7e.48xlarge", gpus=(8, "rtx-pro-6000", 96), network=_efa(4), size=(192, None)),
)
