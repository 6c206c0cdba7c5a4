"""A rule on a rendered object → what its finding says to a person who writes an experiment.

Rules speak of the object, in Kubernetes' words. Where the field of an experiment has another name,
or nothing in the object is the field, the row here says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath


@dataclass(frozen=True, slots=True)
class Advice:
    """The hint in words of an experiment, and the field to point at when the object has none."""

    hint: str
    path: DocPath | None = None


ADVICE: dict[str, Advice] = {
    "GJ469": Advice("set 'resources.shm_size', such as 64Gi", path=("resources", "gpus_per_node")),
    "GJ633": Advice("write a 'min_nodes' that is not above 'max_nodes'"),
    "GJ634": Advice("write 'nodes' from 'min_nodes' to 'max_nodes'", path=("nodes",)),
    "GJ641": Advice("remove it; 'clean_pod_policy: Running' frees the machines"),
    "GJ648": Advice("write 'run_policy.restart_policy', or remove it"),
    "GJ649": Advice("write 'dns_policy: ClusterFirstWithHostNet', or leave it out"),
    "GJ678": Advice("write 'pod_overrides: {dnsConfig: {nameservers: […]}}'"),
}
"""Code of a rule → its advice; the hint of the rule itself is right for all the others."""
