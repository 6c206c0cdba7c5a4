"""Tolerations, node selector and topology spread of a job's pods → what the API server refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import as_int, as_object, as_str, distinct_pods, parts, pod_parts
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject

TOLERATION_OPERATORS = ("Equal", "Exists", "Gt", "Lt")
"""Gt and Lt compare numbers, from Kubernetes 1.35."""

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
SPREAD_ACTIONS = ("DoNotSchedule", "ScheduleAnyway")


def node_selector_invalid(job: JsonObject) -> Iterator[Hit]:
    """A node selector has the keys and values of labels; another one selects no node."""
    for path, pod in distinct_pods(job):
        for key, value in as_object(pod.get("nodeSelector")).items():
            if fault := names.qualified_name(key):
                message = f"label key {quoted(key)} {fault}"
                yield Hit(
                    (*path, "nodeSelector", key), message, "write a node's label", at_key=True
                )
            elif fault := names.label_value(as_str(value) or ""):
                message = f"label value {quoted(str(value))} {fault}"
                yield Hit(
                    (*path, "nodeSelector", key), message, "write the value of a node's label"
                )


def toleration_word_unknown(job: JsonObject) -> Iterator[Hit]:
    """The operator and the effect of a toleration are each one of a few words."""
    for path, toleration in pod_parts(job, "tolerations"):
        for field, words in (("operator", TOLERATION_OPERATORS), ("effect", EFFECTS)):
            word = as_str(toleration.get(field))
            if word and word not in words:
                message = f"{field} is {quoted(word)}, expected {one_of(words)}"
                yield Hit((*path, field), message, did_you_mean(word, words))


def toleration_exists_with_value(job: JsonObject) -> Iterator[Hit]:
    """A toleration with the operator Exists has no value."""
    for path, toleration in pod_parts(job, "tolerations"):
        if toleration.get("operator") == "Exists" and toleration.get("value"):
            message = "a toleration with operator 'Exists' has no value"
            hint = "remove the value, or write 'operator: Equal'"
            yield Hit((*path, "value"), message, hint, at_key=True)


def toleration_without_key(job: JsonObject) -> Iterator[Hit]:
    """A toleration without a key tolerates every taint, and needs the operator Exists for that."""
    for path, toleration in pod_parts(job, "tolerations"):
        operator = toleration.get("operator") or "Equal"
        if not toleration.get("key") and operator in TOLERATION_OPERATORS and operator != "Exists":
            message = f"a toleration with operator {quoted(str(operator))} needs a key"
            yield Hit(path, message, "write 'key', or 'operator: Exists' for every taint")


def toleration_label_invalid(job: JsonObject) -> Iterator[Hit]:
    """The key and the value of a toleration are those of a label."""
    for path, toleration in pod_parts(job, "tolerations"):
        key, value = as_str(toleration.get("key")) or "", as_str(toleration.get("value")) or ""
        if key and (fault := names.qualified_name(key)):
            yield Hit((*path, "key"), f"taint key {quoted(key)} {fault}", "write the taint's key")
        if fault := names.label_value(value):
            message = f"taint value {quoted(value)} {fault}"
            yield Hit((*path, "value"), message, "write the taint's value")


def toleration_seconds_without_no_execute(job: JsonObject) -> Iterator[Hit]:
    """Only a toleration with the effect NoExecute ends after some seconds."""
    for path, toleration in pod_parts(job, "tolerations"):
        effect = toleration.get("effect")
        known = effect is None or effect in ("", *EFFECTS)
        if toleration.get("tolerationSeconds") is not None and known and effect != "NoExecute":
            message = "tolerationSeconds needs 'effect: NoExecute'"
            yield Hit((*path, "tolerationSeconds"), message, "remove it", at_key=True)


def spread_skew_not_positive(job: JsonObject) -> Iterator[Hit]:
    """The skew that a topology spread allows is at least 1."""
    for path, constraint in pod_parts(job, "topologySpreadConstraints"):
        for field in ("maxSkew", "minDomains"):
            number = as_int(constraint.get(field))
            if number is not None and number < 1:
                yield Hit((*path, field), f"{field} is {number}, expected at least 1", "write 1")


def spread_action_unknown(job: JsonObject) -> Iterator[Hit]:
    """A topology spread that cannot be met holds the pod back, or is passed over."""
    for path, constraint in pod_parts(job, "topologySpreadConstraints"):
        word = as_str(constraint.get("whenUnsatisfiable"))
        if word is not None and word not in SPREAD_ACTIONS:
            message = f"whenUnsatisfiable is {quoted(word)}, expected {one_of(SPREAD_ACTIONS)}"
            yield Hit((*path, "whenUnsatisfiable"), message, did_you_mean(word, SPREAD_ACTIONS))


def spread_topology_key_empty(job: JsonObject) -> Iterator[Hit]:
    """A topology spread names the label that tells the domains apart."""
    for path, constraint in pod_parts(job, "topologySpreadConstraints"):
        if constraint.get("topologyKey") == "":
            hint = "write a node's label such as 'kubernetes.io/hostname'"
            yield Hit((*path, "topologyKey"), "topologyKey is empty", hint)


def duplicate_spread(job: JsonObject) -> Iterator[Hit]:
    """Two topology spreads of a pod differ in their key or in their action."""
    for path, pod in distinct_pods(job):
        seen: set[tuple[str, str]] = set()
        constraints = pod.get("topologySpreadConstraints")
        for at, constraint in parts((*path, "topologySpreadConstraints"), constraints):
            key = as_str(constraint.get("topologyKey")) or ""
            pair = key, as_str(constraint.get("whenUnsatisfiable")) or ""
            if all(pair) and pair in seen:
                message = f"another spread over {quoted(key)} has the same whenUnsatisfiable"
                yield Hit((*at, "topologyKey"), message, "remove one of the two")
            seen.add(pair)
