"""A job, its node pool and its fabric → the site that the fabric's profile is rendered for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.catalog.fabrics import AUTO, FABRICS, NVLINK, Site
from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Finding
from genjob.resolve.machine import machine_in
from genjob.wording import quoted

if TYPE_CHECKING:
    from genjob.catalog.fabrics import Fabric, Need
    from genjob.model.environment import NodePool
    from genjob.model.experiment import Experiment
    from genjob.resolve.precedence import EnvironmentFile


def fabric_of(experiment: Experiment, pool: NodePool | None) -> Fabric | None:
    """Return the fabric that NCCL uses; None without NCCL or where nothing is known of it.

    In one machine that is NVLink, whatever joins the machines.
    """
    if experiment.network.backend != "nccl" or not experiment.resources.gpus_per_node:
        return None
    if experiment.nodes == 1 and experiment.elastic is None:
        return FABRICS[NVLINK]
    if experiment.network.fabric != AUTO:
        return FABRICS[experiment.network.fabric]
    return FABRICS[machine_in(pool).fabric] if pool else None


def site_of(experiment: Experiment, pool: NodePool | None) -> Site:
    """Return what the profile of a fabric needs to know of the place where a job runs."""
    resources = experiment.resources
    has_memory = resources.cpu is not None or resources.memory is not None
    in_pod_network = not experiment.network.host_network
    if pool is None:
        kind = resources.accelerator[0] if resources.accelerator else None
        return Site(kind, has_memory=has_memory, in_pod_network=in_pod_network)
    machine = machine_in(pool)
    return Site(
        machine.accelerator,
        machine.nics,
        tuple(pool.networks),
        machine.hcas,
        pool.daemon_image,
        bool(pool.fabric_resources),
        has_memory,
        in_pod_network,
    )


def missing(
    fabric: Fabric, site: Site, environment: EnvironmentFile, pool_index: int
) -> list[Diagnostic]:
    """Return what a fabric cannot be used without and the node pool does not say, at the pool."""
    return [_at_pool(need, fabric, environment, pool_index) for need in fabric.unmet(site)]


def _at_pool(
    need: Need, fabric: Fabric, environment: EnvironmentFile, pool_index: int
) -> Diagnostic:
    pool = environment.model.node_pools[pool_index]
    value = getattr(pool, need.field)
    path = ("node_pools", pool_index, need.field if value else "name")
    there = f"found {len(value)} {need.field}; " if isinstance(value, list) and value else ""
    message = f"{there}fabric {quoted(fabric.name)} needs {quoted(need.field)} of node pool"
    place = environment.document.locate(path)
    hint = f"write {quoted(need.field)}: {need.meaning}"
    return Diagnostic(Code.POOL_VALUE_MISSING, f"{message} {quoted(pool.name)}", place, hint)


def without_pool(fabric: Fabric, site: Site) -> list[Finding]:
    """Return what a fabric cannot be used without where no node pool could say it."""
    fields = [need.field for need in fabric.unmet(site)]
    if not fields:
        return []
    message = f"fabric {quoted(fabric.name)} needs a node pool with {' and '.join(fields)}"
    hint = "describe the machines in node_pools of the environment"
    return [Finding(Code.POOL_VALUE_MISSING, ("network", "fabric"), message, hint)]
