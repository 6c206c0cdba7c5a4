"""The affinity of a job's pods → what the API server refuses or no node can match.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import (
    as_int,
    as_list,
    as_object,
    as_str,
    distinct_pods,
    get,
    parts,
    pod_parts,
    texts,
)
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.rules.walk import Part

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
WITH_VALUES = ("In", "NotIn")
WITHOUT_VALUES = ("Exists", "DoesNotExist")
WITH_NUMBER = ("Gt", "Lt")
NODE_OPERATORS = (*WITH_VALUES, *WITHOUT_VALUES, *WITH_NUMBER)
LABEL_OPERATORS = (*WITH_VALUES, *WITHOUT_VALUES)
HEAVIEST = 100


def selector_operator_unknown(job: JsonObject) -> Iterator[Hit]:
    """The operator of a selector is one of a few words; only those of nodes compare numbers."""
    for path, expression, operators in _expressions(job):
        word = as_str(expression.get("operator"))
        if word is not None and word not in operators:
            message = f"operator is {quoted(word)}, expected {one_of(operators)}"
            yield Hit((*path, "operator"), message, did_you_mean(word, operators))


def selector_values_missing(job: JsonObject) -> Iterator[Hit]:
    """A selector with In or NotIn lists values; one with Gt or Lt exactly one whole number."""
    for path, expression, operators in _expressions(job):
        operator, values = expression.get("operator"), as_list(expression.get("values"))
        if operator in WITH_VALUES and not values:
            yield Hit(path, f"operator '{operator}' needs values", "write 'values'")
        elif operator in WITH_NUMBER and operator in operators and not _is_one_number(values):
            listed = ", ".join(quoted(str(value)) for value in values) or "none"
            message = f"operator '{operator}' needs one whole number, found {listed}"
            yield Hit((*path, "values"), message, "write one number, as a text")


def selector_values_unused(job: JsonObject) -> Iterator[Hit]:
    """A selector with Exists or DoesNotExist has no values."""
    for path, expression, _ in _expressions(job):
        if expression.get("operator") in WITHOUT_VALUES and expression.get("values"):
            message = f"operator '{expression['operator']}' has no values"
            yield Hit((*path, "values"), message, "remove them, or write 'In'", at_key=True)


def selector_value_invalid(job: JsonObject) -> Iterator[Hit]:
    """The values that a selector of pods lists are those of labels."""
    for path, expression, operators in _expressions(job):
        for at, value in texts((*path, "values"), expression.get("values")):
            if operators is LABEL_OPERATORS and (fault := names.label_value(value)):
                yield Hit(at, f"label value {quoted(value)} {fault}", "write a label's value")


def selector_key_invalid(job: JsonObject) -> Iterator[Hit]:
    """The key of a selector is that of a label."""
    for path, expression, _ in _expressions(job):
        key = as_str(expression.get("key"))
        if key is not None and (fault := names.qualified_name(key)):
            yield Hit((*path, "key"), f"label key {quoted(key)} {fault}", "write a label's key")


def match_label_invalid(job: JsonObject) -> Iterator[Hit]:
    """The keys and values of matchLabels are those of labels."""
    for path, selector in _label_selectors(job):
        for key, value in as_object(selector.get("matchLabels")).items():
            at = (*path, "matchLabels", key)
            if fault := names.qualified_name(key):
                yield Hit(
                    at, f"label key {quoted(key)} {fault}", "write a label's key", at_key=True
                )
            elif fault := names.label_value(as_str(value) or ""):
                yield Hit(at, f"label value {quoted(str(value))} {fault}", "write a label's value")


def no_node_selector_terms(job: JsonObject) -> Iterator[Hit]:
    """A required node affinity has at least one term."""
    for path, pod in distinct_pods(job):
        required = get(pod, "affinity", "nodeAffinity", REQUIRED)
        if isinstance(required, dict) and required.get("nodeSelectorTerms") == []:
            at = (*path, "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
            yield Hit(at, "nodeSelectorTerms is empty", "write a term, or remove the affinity")


def affinity_topology_key_invalid(job: JsonObject) -> Iterator[Hit]:
    """A pod affinity names the node label that tells its domains apart."""
    for path, term in _pod_terms(job):
        key = as_str(term.get("topologyKey"))
        if key is not None and (fault := names.qualified_name(key)):
            hint = "write a node's label such as 'kubernetes.io/hostname'"
            yield Hit((*path, "topologyKey"), f"topologyKey {quoted(key)} {fault}", hint)


def affinity_weight_out_of_range(job: JsonObject) -> Iterator[Hit]:
    """The weight of a preferred affinity is from 1 to 100."""
    for path, affinity in _affinities(job):
        for at, term in parts((*path, PREFERRED), affinity.get(PREFERRED)):
            weight = as_int(term.get("weight"))
            if weight is not None and not 1 <= weight <= HEAVIEST:
                message = f"weight is {weight}, expected 1 to {HEAVIEST}"
                yield Hit((*at, "weight"), message, f"write {HEAVIEST} for the strongest wish")


def _affinities(job: JsonObject) -> Iterator[Part]:
    for path, pod in distinct_pods(job):
        for kind in ("nodeAffinity", "podAffinity", "podAntiAffinity"):
            if isinstance(affinity := get(pod, "affinity", kind), dict):
                yield (*path, "affinity", kind), affinity


def _node_terms(job: JsonObject) -> Iterator[Part]:
    for path, affinity in _affinities(job):
        if path[-1] == "nodeAffinity":
            terms = get(affinity, REQUIRED, "nodeSelectorTerms")
            yield from parts((*path, REQUIRED, "nodeSelectorTerms"), terms)
            for at, term in parts((*path, PREFERRED), affinity.get(PREFERRED)):
                yield (*at, "preference"), as_object(term.get("preference"))


def _pod_terms(job: JsonObject) -> Iterator[Part]:
    for path, affinity in _affinities(job):
        if path[-1] != "nodeAffinity":
            yield from parts((*path, REQUIRED), affinity.get(REQUIRED))
            for at, term in parts((*path, PREFERRED), affinity.get(PREFERRED)):
                yield (*at, "podAffinityTerm"), as_object(term.get("podAffinityTerm"))


def _label_selectors(job: JsonObject) -> Iterator[Part]:
    for path, owner in (*_pod_terms(job), *pod_parts(job, "topologySpreadConstraints")):
        yield (*path, "labelSelector"), as_object(owner.get("labelSelector"))


def _expressions(job: JsonObject) -> Iterator[tuple[DocPath, JsonObject, tuple[str, ...]]]:
    """Yield the expressions of all selectors, each with the operators that it may have."""
    selectors = ((_node_terms(job), NODE_OPERATORS), (_label_selectors(job), LABEL_OPERATORS))
    for owners, operators in selectors:
        for path, owner in owners:
            expressions = owner.get("matchExpressions")
            for at, expression in parts((*path, "matchExpressions"), expressions):
                yield at, expression, operators


def _is_one_number(values: list[Json]) -> bool:
    return len(values) == 1 and re.fullmatch("[+-]?[0-9]+", str(values[0])) is not None
