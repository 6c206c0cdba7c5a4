"""Scheduling → node selector, affinity, tolerations and spread of a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.catalog.hardware import ACCELERATORS, HOSTNAME_LABEL, PRODUCT_LABEL
from genjob.manifests.labels import text_map
from genjob.manifests.trace import Traced, is_empty, lay_over, traced
from genjob.resolve.machine import machine_in

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job

JOB_NAME_LABEL = "training.kubeflow.org/job-name"
"""Label that the operator puts on every pod of a job. Source: training-operator 1.9, common.go."""

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_SPREAD: DocPath = ("scheduling", "spread")


def placement(job: Job, role: Experiment) -> list[tuple[str, Json, DocPath]]:
    """Return the rows of a pod spec that say where the pod runs."""
    wanted = role.scheduling
    return [
        (
            "nodeSelector",
            text_map(dict(sorted(wanted.node_selector.items())), ("scheduling", "node_selector")),
            ("scheduling", "node_selector"),
        ),
        ("affinity", affinity(job, role), ("scheduling", "affinity")),
        (
            "tolerations",
            traced([*wanted.tolerations], ("scheduling", "tolerations")),
            ("scheduling", "tolerations"),
        ),
        (
            "topologySpreadConstraints",
            traced([*wanted.topology_spread], ("scheduling", "topology_spread")),
            ("scheduling", "topology_spread"),
        ),
        ("schedulerName", wanted.scheduler_name, ("scheduling", "scheduler_name")),
        ("priorityClassName", wanted.priority_class, ("scheduling", "priority_class")),
        ("serviceAccountName", wanted.service_account, ("scheduling", "service_account")),
        ("runtimeClassName", wanted.runtime_class, ("scheduling", "runtime_class")),
    ]


def affinity(job: Job, role: Experiment) -> Json:
    """Return the raw affinity of a role with what its other fields ask for."""
    raw = traced(role.scheduling.affinity, ("scheduling", "affinity"))
    result = raw if isinstance(raw, Traced) else Traced()
    expressions = [*_accelerator(job, role), *_labels(role), *_avoided(role)]
    if expressions:
        result = lay_over(result, _node_affinity(result, expressions))
    if role.scheduling.spread != "none":
        result = lay_over(result, _anti_affinity(job, role, result))
    return result


def _accelerator(job: Job, role: Experiment) -> list[Json]:
    """Ask for the product by its label when no node pool says which machines have it."""
    if job.pool is not None and (job.pool.node_selector or machine_in(job.pool).selector):
        return []
    known = [
        ACCELERATORS[name] for name in role.resources.accelerator or () if name in ACCELERATORS
    ]
    products = [product for accelerator in known for product in accelerator.products]
    source: DocPath = ("resources", "accelerator")
    return [_expression(PRODUCT_LABEL, "In", products, source)] if products else []


def _labels(role: Experiment) -> list[Json]:
    return [
        _expression(key, "In", values, ("scheduling", "node_labels", key))
        for key, values in sorted(role.scheduling.node_labels.items())
    ]


def _avoided(role: Experiment) -> list[Json]:
    hosts = role.scheduling.avoid_nodes
    source: DocPath = ("scheduling", "avoid_nodes")
    return [_expression(HOSTNAME_LABEL, "NotIn", hosts, source)] if hosts else []


def _expression(key: str, operator: str, values: list[str], source: DocPath) -> Traced:
    return Traced(
        ("key", key, source), ("operator", operator, source), ("values", [*values], source)
    )


def _node_affinity(present: Traced, expressions: list[Json]) -> Traced:
    """Return the node affinity with expressions added to every term: terms are alternatives."""
    terms = _required_terms(present) or [Traced()]
    source: DocPath = ("scheduling",)
    widened: list[Json] = []
    for term in terms:
        own = term.get("matchExpressions")
        together = [*(own if isinstance(own, list) else ()), *expressions]
        widened.append(lay_over(term, Traced(("matchExpressions", together, source))))
    required = Traced(("nodeSelectorTerms", widened, source))
    return Traced(("nodeAffinity", Traced((_REQUIRED, required, source)), source))


def _required_terms(present: Traced) -> list[Traced]:
    node: Json = present
    for key in ("nodeAffinity", _REQUIRED, "nodeSelectorTerms"):
        node = node.get(key) if isinstance(node, dict) else None
    return [term for term in node if isinstance(term, Traced)] if isinstance(node, list) else []


def _anti_affinity(job: Job, role: Experiment, present: Traced) -> Traced:
    selector = Traced(("matchLabels", Traced((JOB_NAME_LABEL, job.run_name, _SPREAD)), _SPREAD))
    term = Traced(("labelSelector", selector, _SPREAD), ("topologyKey", HOSTNAME_LABEL, _SPREAD))
    if role.scheduling.spread == "required":
        kind, item = _REQUIRED, term
    else:
        weighted = Traced(("weight", 100, _SPREAD), ("podAffinityTerm", term, _SPREAD))
        kind, item = _PREFERRED, weighted
    rules = present.get("podAntiAffinity")
    own = rules.get(kind) if isinstance(rules, dict) else None
    both = [*(own if isinstance(own, list) else ()), item]
    return Traced(("podAntiAffinity", Traced((kind, both, _SPREAD)), _SPREAD))


__all__ = ["JOB_NAME_LABEL", "affinity", "is_empty", "placement"]
