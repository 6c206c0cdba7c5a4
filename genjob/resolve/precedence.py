"""What an experiment is resolved from → its layers, in the one order in which they win."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from genjob.catalog.fabrics import Site, settings
from genjob.model.experiment import NOT_IN_LAYERS
from genjob.resolve.layers import Layer, Mount
from genjob.resolve.machine import machine_in
from genjob.resolve.sizing import share, wants_gpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.catalog.fabrics import Fabric
    from genjob.document import Document
    from genjob.jsontypes import DocPath
    from genjob.model.environment import Environment, NodePool
    from genjob.model.experiment import Experiment
    from genjob.model.snapshot import Snapshot

SHM_PATH = "/dev/shm"  # noqa: S108 # the mount point of POSIX shared memory, not a temporary file


@dataclass(frozen=True, slots=True)
class EnvironmentFile:
    """An environment, the document that it was written in, and the snapshot of its cluster."""

    model: Environment
    document: Document
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a resolution reads; the pool and the fabric are known in later rounds only.

    `asked` are the Workers and the Master as they are without a pool: what they ask for.
    `override` is the key under `environments` whose fields win; it may be that of an environment
    that does not exist, so that its fields are checked all the same.
    """

    experiment: Document
    environment: EnvironmentFile | None = None
    override: str | None = None
    pool_index: int | None = None
    asked: tuple[Experiment, Experiment] | None = None
    fabric: Fabric | None = None
    site: Site = field(default_factory=Site)

    @property
    def pool(self) -> NodePool | None:
        """The node pool that the job lands on."""
        if self.environment is None or self.pool_index is None:
            return None
        return self.environment.model.node_pools[self.pool_index]


def _catalogue(inputs: Inputs) -> Layer | None:
    if inputs.pool is None or inputs.asked is None:
        return None
    machine, asked = machine_in(inputs.pool), inputs.asked[0].resources
    resources = share(machine, asked) if wants_gpus(asked) else {}
    if any(map(_has_shared_memory, inputs.asked)):
        resources.pop("shm_size", None)
    values = {"resources": resources, "scheduling": {"node_selector": dict(machine.selector)}}
    name = f"instance type {inputs.pool.instance_type or inputs.pool.name}"
    return Layer.of_values(name, values) if resources or machine.selector else None


def _has_shared_memory(role: Experiment) -> bool:
    """Tell whether a role brings its own /dev/shm, or has that of its machine."""
    mounted = {storage.mount_path.rstrip("/") for storage in role.storage}
    by_hand = SHM_PATH in json.dumps(role.pod_overrides)
    return role.network.host_ipc or SHM_PATH in mounted or by_hand


def _fabric(inputs: Inputs) -> Layer | None:
    if inputs.fabric is None:
        return None
    values = settings(inputs.fabric, inputs.site)
    return Layer.of_values(f"fabric {inputs.fabric.name}", values) if values else None


def _defaults(inputs: Inputs) -> Layer | None:
    if inputs.environment is None:
        return None
    mounts = (Mount((), ("defaults",)),)
    document = inputs.environment.document
    return Layer.of_document("environment defaults", document, mounts, without=NOT_IN_LAYERS)


def _labels(inputs: Inputs) -> Layer | None:
    if inputs.environment is None:
        return None
    mounts = (Mount(("labels",), ("labels",)),)
    return Layer.of_document("environment labels", inputs.environment.document, mounts)


def _pool(inputs: Inputs) -> Layer | None:
    if inputs.pool is None or inputs.environment is None or inputs.pool_index is None:
        return None
    here: DocPath = ("node_pools", inputs.pool_index)
    mounts = tuple(Mount(tree, (*here, key)) for tree, key in _pool_parts(inputs.fabric))
    return Layer.of_document(f"node pool {inputs.pool.name}", inputs.environment.document, mounts)


def _pool_parts(fabric: Fabric | None) -> Iterator[tuple[DocPath, str]]:
    """Yield the parts of a node pool that belong to a job on this fabric, and where they go."""
    yield ("scheduling", "node_selector"), "node_selector"
    yield ("scheduling", "tolerations"), "tolerations"
    yield ("env",), "env"
    if fabric is not None and fabric.joins_machines:
        yield ("nccl",), "nccl"
    if fabric is not None and fabric.takes_devices:
        yield ("resources", "extended"), "fabric_resources"


def _experiment(inputs: Inputs) -> Layer | None:
    mounts = (Mount((), ()),)
    return Layer.of_document("experiment", inputs.experiment, mounts, without=("environments",))


def _override(inputs: Inputs) -> Layer | None:
    if inputs.override is None:
        return None
    mounts = (Mount((), ("environments", inputs.override)),)
    name = f"experiment, environment {inputs.override}"
    return Layer.of_document(name, inputs.experiment, mounts, without=NOT_IN_LAYERS)


PRECEDENCE: tuple[Callable[[Inputs], Layer | None], ...] = (
    _catalogue,
    _fabric,
    _labels,
    _defaults,
    _pool,
    _experiment,
    _override,
)
"""The layers, lowest first. Below them all are the defaults of the models."""
