"""An experiment and the node pools of an environment → the pool that it lands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Finding
from genjob.resolve.capacity import shortages
from genjob.resolve.machine import machine_in
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from fractions import Fraction

    from genjob.model.environment import Environment, NodePool
    from genjob.model.experiment import Experiment


def choose_pool(
    experiment: Experiment, environment: Environment
) -> tuple[int | None, Finding | None]:
    """Return the index of the first node pool that fits, or why none does.

    Of pools that have the right kind of machine and too little of something, it is the nearest.
    """
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
    kinds = [machine_in(pool).accelerator for pool in pools]
    fitting = [
        index
        for index, kind in enumerate(kinds)
        if _is_kind(kind, wanted.accelerator, needs_gpu=needs_gpu)
    ]
    if fitting:
        return max(fitting, key=lambda index: _fit(experiment, pools[index])), None
    if wanted.accelerator is None or not pools:
        return None, None
    have = [kind for kind in kinds if kind]
    message = (
        f"no node pool of environment {quoted(environment.name)} has {one_of(wanted.accelerator)}"
    )
    hint = f"its accelerators: {', '.join(dict.fromkeys(have)) or 'none'}"
    return None, Finding(Code.NO_NODE_POOL, ("resources", "accelerator"), message, hint)


def _is_kind(kind: str | None, accelerators: list[str] | None, *, needs_gpu: bool) -> bool:
    if accelerators is not None:
        return kind in accelerators
    return (kind is not None) == needs_gpu


def _fit(experiment: Experiment, pool: NodePool) -> Fraction | int:
    """Return how much of what an experiment asks for a pool certainly has, at most 1."""
    found = shortages(experiment, pool, machine_in(pool))
    return min((each.fit for each in found if each.is_certain), default=1)
