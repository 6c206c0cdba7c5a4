"""The placement of a pod and groups of nodes → those on which the scheduler would put it.

What is not known of the nodes, such as a label that the snapshot did not look at, is taken to fit.
Source: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ and
taint-and-toleration (v1.31)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.resolve.inventory import at_most
from genjob.rules.pod_affinity import REQUIRED
from genjob.rules.walk import as_list, as_object, get, parts, pod_specs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.model.snapshot import NodeGroup, Snapshot, Taint
    from genjob.rules.walk import Part

_TERMS: Final[DocPath] = ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
_KEEPS_AWAY: Final = frozenset({"NoSchedule", "NoExecute"})


def label_keys(job: JsonObject) -> Iterator[str]:
    """Yield the keys of the labels that the pods of a job demand of a node."""
    for _, pod in pod_specs(job):
        yield from as_object(pod.get("nodeSelector"))
        for _, term in _terms(pod):
            yield from (str(each.get("key")) for each in _expressions(term))


def selected(pod: JsonObject, snapshot: Snapshot) -> list[NodeGroup]:
    """Return the groups that the node selector of a pod selects."""
    known = {*snapshot.node_labels}
    selector = as_object(pod.get("nodeSelector"))
    wanted = {key: value for key, value in selector.items() if key in known}
    return [each for each in snapshot.nodes or () if wanted.items() <= each.labels.items()]


def matching(pod: JsonObject, snapshot: Snapshot) -> list[NodeGroup]:
    """Return the groups whose labels a pod demands, by its node selector and required affinity."""
    known = frozenset(snapshot.node_labels)
    terms = [term for _, term in _terms(pod)]
    return [
        group
        for group in selected(pod, snapshot)
        if not terms or any(_meets(term, group.labels, known) for term in terms)
    ]


def unmet(pod: JsonObject, snapshot: Snapshot) -> tuple[DocPath, str]:
    """Return the part of a required affinity that no selected node meets, and the label in it."""
    known, groups, terms = {*snapshot.node_labels}, selected(pod, snapshot), [*_terms(pod)]
    for path, term in terms if len(terms) == 1 else ():
        for index, each in parts((*path, "matchExpressions"), term.get("matchExpressions")):
            key = str(each.get("key"))
            if key in known and not any(_holds(each, group.labels) for group in groups):
                return (*index, "key"), key
    return _TERMS, ""


def _terms(pod: JsonObject) -> Iterator[Part]:
    yield from parts(_TERMS, get(pod, *map(str, _TERMS)))


def _expressions(term: JsonObject) -> Iterator[JsonObject]:
    for _, expression in parts((), term.get("matchExpressions")):
        yield expression


def _meets(term: JsonObject, labels: Mapping[str, str], known: frozenset[str]) -> bool:
    return all(_holds(each, labels) for each in _expressions(term) if each.get("key") in known)


def _holds(expression: JsonObject, labels: Mapping[str, str]) -> bool:
    value = labels.get(str(expression.get("key")))
    values = as_list(expression.get("values"))
    match expression.get("operator"):
        case "In":
            return value in values
        case "NotIn":
            return value not in values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case _:  # Gt and Lt, and what the rules on affinity refuse
            return True


def untolerated(group: NodeGroup, tolerations: Iterable[JsonObject]) -> list[Taint]:
    """Return the taints of a group that keep a pod away."""
    borne = [*tolerations]
    return [
        taint
        for taint in group.taints
        if taint.effect in _KEEPS_AWAY and not any(_bears(each, taint) for each in borne)
    ]


def _bears(toleration: JsonObject, taint: Taint) -> bool:
    if toleration.get("effect") not in (None, "", taint.effect):
        return False
    key, operator = toleration.get("key"), toleration.get("operator") or "Equal"
    if operator == "Exists":
        return key in (None, "", taint.key)
    is_equal = (toleration.get("value") or "") == taint.value
    return key == taint.key and (is_equal or operator != "Equal")


def short_of(group: NodeGroup, requests: Mapping[str, Fraction]) -> list[str]:
    """Return the resources of which a node of a group has less than a pod asks for."""
    return [name for name, amount in requests.items() if amount > at_most(group, name)]


def pods_on(groups: Sequence[NodeGroup], requests: Mapping[str, Fraction], *, spread: bool) -> int:
    """Return the most pods of one kind that some nodes hold; with `spread`, one on each."""
    return sum(group.count * (1 if spread else _pods_on(group, requests)) for group in groups)


def _pods_on(group: NodeGroup, requests: Mapping[str, Fraction]) -> int:
    return int(min(at_most(group, name) // amount for name, amount in requests.items()))
