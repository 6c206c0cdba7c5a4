"""Where a pod runs, and who may run first → the fields of `scheduling`, and the accelerator."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.catalog.hardware import ACCELERATORS, HOSTNAME_LABEL, PRODUCT_LABEL
from genjob.importing.rest import (
    below,
    drop_if_empty,
    present,
    take_objects,
    take_text,
    take_text_map,
)
from genjob.manifests.placement import JOB_NAME_LABEL
from genjob.rules.walk import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import Json, JsonObject

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_TOPOLOGY: Final = "kueue.x-k8s.io/podset-{}-topology"
_EXPRESSION: Final = {"key", "operator", "values"}


class Placement(NamedTuple):
    """The section `scheduling`, and `accelerator` of `resources`."""

    scheduling: JsonObject
    accelerator: list[Json]


def placement(pod: JsonObject, annotations: JsonObject, *, job: str, has_gpus: bool) -> Placement:
    """Take node selector, affinity, tolerations, spread and names of a pod.

    An accelerator is told from the label of its product, where the pod asks for GPUs at all.
    """
    affinity = below(pod, "affinity")
    spread = _spread(affinity, job)
    expressions = _expressions(affinity)
    accelerator = _accelerator(expressions) if has_gpus else []
    avoided = _avoided(expressions)
    labels = _labels(expressions)
    _settle(affinity)
    drop_if_empty(pod, "affinity")
    made = present(
        topology=_topology(annotations),
        priority_class=take_text(pod, "priorityClassName"),
        scheduler_name=take_text(pod, "schedulerName"),
        spread=spread,
        node_selector=take_text_map(pod, "nodeSelector"),
        node_labels=labels,
        avoid_nodes=avoided,
        tolerations=take_objects(pod, "tolerations"),
        affinity=pod.pop("affinity", None) if isinstance(pod.get("affinity"), dict) else None,
        topology_spread=take_objects(pod, "topologySpreadConstraints"),
        service_account=take_text(pod, "serviceAccountName"),
        runtime_class=take_text(pod, "runtimeClassName"),
    )
    return Placement(made, accelerator)


def _spread(affinity: JsonObject, job: str) -> str | None:
    """Take the rule that keeps the pods of a job on machines of their own."""
    rules = below(affinity, "podAntiAffinity")
    for word, kind in (("required", _REQUIRED), ("preferred", _PREFERRED)):
        terms = as_list(rules.get(kind))
        own = [term for term in terms if _is_of_job(_term(term, word), job)]
        if len(own) == 1 and own[0] is terms[-1]:
            terms.pop()
            drop_if_empty(rules, kind)
            drop_if_empty(affinity, "podAntiAffinity")
            return word
    return None


def _term(term: Json, word: str) -> Json:
    if word == "required":
        return term
    weighted = as_object(term)
    return weighted.get("podAffinityTerm") if weighted.get("weight") == 100 else None  # noqa: PLR2004 # the weight that `spread` renders


def _is_of_job(term: Json, job: str) -> bool:
    fields = as_object(term)
    selector = as_object(fields.get("labelSelector"))
    by_label: JsonObject = {"matchLabels": {JOB_NAME_LABEL: job}}
    listed: JsonObject = {"key": JOB_NAME_LABEL, "operator": "In", "values": [job]}
    by_list: JsonObject = {"matchExpressions": [listed]}
    known = {*fields} == {"labelSelector", "topologyKey"}
    return known and fields["topologyKey"] == HOSTNAME_LABEL and selector in (by_label, by_list)


def _expressions(affinity: JsonObject) -> list[Json]:
    """Return the expressions that every machine must meet: those of the only term there is."""
    required = below(below(affinity, "nodeAffinity"), _REQUIRED)
    terms = as_list(required.get("nodeSelectorTerms"))
    return as_list(as_object(terms[0]).get("matchExpressions")) if len(terms) == 1 else []


def _accelerator(expressions: list[Json]) -> list[Json]:
    """Take the products of one or two accelerators, named as the catalogue names them."""
    for expression in expressions:
        if _kind(expression) != (PRODUCT_LABEL, "In"):
            continue
        wanted = as_object(expression)["values"]
        for names in _combinations():
            if [each for name in names for each in ACCELERATORS[name].products] == wanted:
                expressions.remove(expression)
                return [*names]
    return []


def _combinations() -> Iterator[tuple[str, ...]]:
    known = [name for name, row in ACCELERATORS.items() if row.products]
    for count in (1, 2):
        yield from product(known, repeat=count)


def _avoided(expressions: list[Json]) -> list[Json]:
    found = [each for each in expressions if _kind(each) == (HOSTNAME_LABEL, "NotIn")]
    if len(found) != 1 or not all(as_list(as_object(found[0])["values"])):
        return []
    expressions.remove(found[0])
    return as_list(as_object(found[0])["values"])


def _labels(expressions: list[Json]) -> JsonObject:
    """Take the labels of which several values will do, each label once."""
    keys = [_kind(each)[0] for each in expressions]
    made: JsonObject = {}
    for expression in [*expressions]:
        key, operator = _kind(expression)
        if operator == "In" and keys.count(key) == 1:
            made[key] = as_object(expression)["values"]
            expressions.remove(expression)
    return made


def _kind(expression: Json) -> tuple[str, str]:
    """Return key and operator of a plain expression with values, else nothing."""
    fields = as_object(expression)
    values = as_list(fields.get("values"))
    if {*fields} != _EXPRESSION or not values or not all(isinstance(v, str) for v in values):
        return "", ""
    return str(fields["key"]), str(fields["operator"])


def _settle(affinity: JsonObject) -> None:
    """Remove what is left empty on the way to the expressions; a term of its own stays."""
    node = below(affinity, "nodeAffinity")
    required = below(node, _REQUIRED)
    terms = as_list(required.get("nodeSelectorTerms"))
    if len(terms) == 1 and as_object(terms[0]) == {"matchExpressions": []}:
        del required["nodeSelectorTerms"]
        drop_if_empty(node, _REQUIRED)
        drop_if_empty(affinity, "nodeAffinity")


def _topology(annotations: JsonObject) -> JsonObject | None:
    """Take the request to Kueue for pods that are close together; one at most is a field."""
    known = {level: _TOPOLOGY.format(level) for level in ("required", "preferred")}
    there = {level: key for level, key in known.items() if annotations.get(key)}
    if len(there) != 1:
        return None
    ((level, key),) = there.items()
    return {level: annotations.pop(key)}
