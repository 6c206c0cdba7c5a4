"""An environment, or nothing → what manifests are checked for: versions, schemas, machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from genjob.crd.library import SchemaSet, kubernetes_versions, operator_versions
from genjob.model.environment import Environment, Target
from genjob.resolve.machine import machine_in
from genjob.rules.walk import as_object, pod_specs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from genjob.jsontypes import JsonObject
    from genjob.model.environment import NodePool


@dataclass(frozen=True, slots=True)
class Conditions:
    """What manifests are checked for; `environment` is the one that they are applied in, if known.

    `command` is what a filled-in template is given to.
    """

    target: Target
    schemas: SchemaSet = field(default_factory=SchemaSet)
    environment: Environment | None = None
    engine: Literal["argocd", "flux", "none"] = "none"
    command: str = "genjob lint -"

    def fabric(self, jobs: Iterable[JsonObject]) -> str | None:
        """Return the fabric between the machines of all these jobs, None where it is not known."""
        if self.environment is None:
            return None
        pools = self.environment.node_pools
        found = {_fabric(pod, pools) for job in jobs for _, pod in pod_specs(job)}
        return found.pop() if len(found) == 1 else None


def newest(schemas: SchemaSet) -> Target:
    """Return the newest versions of the operator and of Kubernetes that have schemas."""
    return Target(
        training_operator=operator_versions(schemas)[-1],
        kubernetes=kubernetes_versions(schemas)[-1],
    )


def _fabric(pod: JsonObject, pools: Iterable[NodePool]) -> str | None:
    """Return the fabric of the one pool whose labels a pod asks for."""
    wanted = as_object(pod.get("nodeSelector")).items()
    fitting = [pool for pool in pools if _labels(pool) and _labels(pool).items() <= wanted]
    is_known = len(fitting) == 1 and (fitting[0].fabric or fitting[0].instance_type)
    return machine_in(fitting[0]).fabric if is_known else None


def _labels(pool: NodePool) -> dict[str, str]:
    return {**machine_in(pool).selector, **pool.node_selector}
