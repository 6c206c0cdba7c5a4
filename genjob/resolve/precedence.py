"""What an experiment is resolved from → its layers, in the one order in which they win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.model.experiment import NOT_IN_LAYERS
from genjob.resolve.layers import Layer, Mount
from genjob.resolve.pools import gpus_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.catalog.fabrics import Fabric
    from genjob.document import Document
    from genjob.jsontypes import DocPath
    from genjob.model.environment import Environment, NodePool


@dataclass(frozen=True, slots=True)
class EnvironmentFile:
    """An environment and the document that it was written in."""

    model: Environment
    document: Document


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a resolution reads; the pool and the fabric are known in its second round only.

    `override` is the key under `environments` whose fields win; it may be that of an environment
    that does not exist, so that its fields are checked all the same.
    """

    experiment: Document
    environment: EnvironmentFile | None = None
    override: str | None = None
    pool_index: int | None = None
    fabric: Fabric | None = None
    wants_gpus: bool = False

    @property
    def pool(self) -> NodePool | None:
        """The node pool that the job lands on."""
        if self.environment is None or self.pool_index is None:
            return None
        return self.environment.model.node_pools[self.pool_index]


def _catalogue(inputs: Inputs) -> Layer | None:
    gpus = gpus_of(inputs.pool) if inputs.pool else None
    if gpus is None or not inputs.wants_gpus or inputs.pool is None:
        return None
    name = f"instance type {inputs.pool.instance_type or inputs.pool.name}"
    return Layer.of_values(name, {"resources": {"gpus_per_node": gpus}})


def _fabric(inputs: Inputs) -> Layer | None:
    if inputs.fabric is None:
        return None
    values: dict[str, object] = {"nccl": dict(inputs.fabric.nccl)}
    if inputs.fabric.capabilities:
        values["security"] = {"capabilities": list(inputs.fabric.capabilities)}
    return Layer.of_values(f"fabric {inputs.fabric.name}", values)


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


_POOL_PARTS: tuple[tuple[DocPath, str], ...] = (
    (("scheduling", "node_selector"), "node_selector"),
    (("scheduling", "tolerations"), "tolerations"),
    (("env",), "env"),
)
_FABRIC_PARTS: tuple[tuple[DocPath, str], ...] = (
    (("nccl",), "nccl"),
    (("resources", "extended"), "fabric_resources"),
)


def _pool(inputs: Inputs) -> Layer | None:
    if inputs.pool is None or inputs.environment is None or inputs.pool_index is None:
        return None
    parts = [*_POOL_PARTS, *(_FABRIC_PARTS if inputs.fabric else ())]
    if inputs.fabric is not None and not inputs.fabric.is_rdma:
        parts.remove(_FABRIC_PARTS[1])
    here: DocPath = ("node_pools", inputs.pool_index)
    mounts = tuple(Mount(tree, (*here, key)) for tree, key in parts)
    return Layer.of_document(f"node pool {inputs.pool.name}", inputs.environment.document, mounts)


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
