"""An experiment and the node pools of an environment → the pool that it lands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.codes import Code
from genjob.diagnostics import Finding
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from genjob.model.environment import Environment, NodePool
    from genjob.model.experiment import Experiment


def choose_pool(
    experiment: Experiment, environment: Environment
) -> tuple[int | None, Finding | None]:
    """Return the index of the first node pool that fits, or why none does."""
    pools = environment.node_pools
    wanted, named = experiment.resources, experiment.scheduling.node_pool
    if named is not None:
        known = [pool.name for pool in pools]
        if named in known:
            return known.index(named), None
        message = f"environment {quoted(environment.name)} has no node pool {quoted(named)}"
        listed = f"its pools: {', '.join(known)}" if known else "it has no node pools"
        hint = did_you_mean(named, known) or listed
        return None, Finding(Code.NO_NODE_POOL, ("scheduling", "node_pool"), message, hint)
    needs_gpu = bool(wanted.gpus_per_node) or wanted.accelerator is not None
    kinds = [accelerator_of(pool) for pool in pools]
    for index, kind in enumerate(kinds):
        if _fits(kind, wanted.accelerator, needs_gpu=needs_gpu):
            return index, None
    if wanted.accelerator is None or not pools:
        return None, None
    have = [kind for kind in kinds if kind]
    message = (
        f"no node pool of environment {quoted(environment.name)} has {one_of(wanted.accelerator)}"
    )
    hint = f"its accelerators: {', '.join(dict.fromkeys(have)) or 'none'}"
    return None, Finding(Code.NO_NODE_POOL, ("resources", "accelerator"), message, hint)


def accelerator_of(pool: NodePool) -> str | None:
    """Return the kind of GPU of a pool, from itself or from its instance type."""
    machine = INSTANCE_TYPES.get(pool.instance_type or "")
    return pool.accelerator or (machine.accelerator if machine else None)


def gpus_of(pool: NodePool) -> int | None:
    """Return the GPUs of a pool's machine, from itself or from its instance type."""
    machine = INSTANCE_TYPES.get(pool.instance_type or "")
    if pool.gpus_per_node is not None:
        return pool.gpus_per_node
    return machine.gpus if machine else None


def _fits(kind: str | None, accelerators: list[str] | None, *, needs_gpu: bool) -> bool:
    if accelerators is not None:
        return kind in accelerators
    return (kind is not None) == needs_gpu
