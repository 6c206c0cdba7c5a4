"""Objects → what the cluster refuses of them, and what we refuse; nothing is stored.

The job is applied, which asks the schema, the operator's webhook and the API server's own checks;
its pods and Services are then created as the operator would, from our prediction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.crd.library import check_objects as check_schemas
from genjob.diagnostics import Severity
from genjob.prediction import predicted_pods, predicted_services
from genjob.rules import check_objects as check_rules
from genjob.rules import object_table as table
from tests.cluster.overlays import JOB, placed, provide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.diagnostics import Finding
    from genjob.jsontypes import Json, JsonObject
    from genjob.prediction import PredictedPod, PredictedService
    from tests.cluster.api import Answer, Cluster

NAMESPACE = "verdicts"

SEEN_ELSEWHERE = {
    "GJ457": "the kubelet cannot mount it",
    "GJ693": "the kubelet does not start it",
}
"""Rules on pods whose error comes after the API server, and where."""

PARTLY = {
    "GJ614": "the webhook refuses replica specs that are missing, not empty ones",
    "GJ662": "the API server refuses white space at the ends of an image, not within it",
}
"""Rules of which the cluster refuses a part."""

STRICTER_HERE = {
    "GJ602": "a key without a value: client-side apply takes it; an error under a GitOps engine",
    "GJ671": "a warning, because Kubernetes 1.32 takes such names; here is 1.31",
    "GJ672": "a warning, because client-side apply takes it; an error under a GitOps engine",
    "GJ679": "a warning, because client-side apply takes it; an error under a GitOps engine",
    "GJ684": "a warning, because client-side apply takes it; an error under a GitOps engine",
}
"""Rules that warn and at which this cluster refuses an object, and why we do not always."""

OF_PODS = {
    "GJ630": "the API server refuses the name of a Service",
    "GJ637": "the API server does not know the restart policy of the pods",
}
"""Rules on what the operator does whose error is that its pods or Services are refused."""

_SCHEMA = (
    Code.UNKNOWN_FIELD,
    Code.WRONG_FIELD_TYPE,
    Code.MISSING_FIELD,
    Code.WRONG_FIELD_VALUE,
)
_TABLES = (
    table.METADATA_RULES,
    table.WEBHOOK_RULES,
    table.SERVICE_RULES,
    table.POD_RULES,
    table.RESOURCE_RULES,
    table.VOLUME_RULES,
    table.PLACEMENT_RULES,
    (table.OBJECT_NAME,),
    table.CLAIM_RULES,
    table.CONFIG_MAP_RULES,
)
PROMISED = (
    {rule.code for rules in _TABLES for rule in rules if rule.severity is Severity.ERROR}
    | OF_PODS.keys()
) - SEEN_ELSEWHERE.keys()
"""Codes of rules that say: the webhook or the API server refuses this."""


def refusals(cluster: Cluster, objects: Sequence[JsonObject]) -> list[str]:
    """Return why the cluster refuses objects, or the pods of those that it accepts."""
    found = [answer.message for answer in _answers(cluster, objects) if not answer.is_accepted]
    jobs = [] if found else [body for body in objects if body["kind"] == JOB]
    return [*found, *(why for job in jobs for why in _refused_pods(cluster, job))]


def warnings_of(cluster: Cluster, objects: Sequence[JsonObject]) -> list[str]:
    """Return what the webhook and the API server warn of."""
    return [text for answer in _answers(cluster, objects) for text in answer.warnings]


def _answers(cluster: Cluster, objects: Sequence[JsonObject]) -> list[Answer]:
    cluster.new_namespace(NAMESPACE)
    return [cluster.apply(body, dry_run=True) for body in placed(objects, NAMESPACE).objects]


def _refused_pods(cluster: Cluster, job: JsonObject) -> list[str]:
    """Return why the API server refuses the first pod of each role, or its Service."""
    overlay = placed([job], NAMESPACE)
    provide(cluster, overlay)
    pods = [pod for pod in predicted_pods(overlay.job) if pod.index == 0]
    names = {pod.name for pod in pods}
    services = [each for each in predicted_services(overlay.job) if each.name in names]
    bodies = [*map(_pod, pods), *map(_service, services)]
    answers = [cluster.create(body, dry_run=True) for body in bodies]
    return [answer.message for answer in answers if not answer.is_accepted]


def _pod(pod: PredictedPod) -> JsonObject:
    more: JsonObject = {"labels": {**pod.labels}, "annotations": {**pod.annotations}}
    return _object("Pod", pod.name, more, pod.spec)


def _service(service: PredictedService) -> JsonObject:
    ports: list[Json] = [{"name": name, "port": port} for name, port in service.ports.items()]
    spec: JsonObject = {"clusterIP": "None", "selector": {**service.selector}, "ports": ports}
    return _object("Service", service.name, {}, spec)


def _object(kind: str, name: str, more: JsonObject, spec: JsonObject) -> JsonObject:
    metadata: JsonObject = {"name": name, "namespace": NAMESPACE, **more}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": spec}


def errors(objects: Sequence[JsonObject]) -> list[Finding]:
    """Return what we refuse of objects, by the schemas and the rules."""
    by_schema = check_schemas(objects, operator="1.9", kubernetes="1.31")
    found = [finding for _, finding in [*by_schema, *check_rules(objects)]]
    return [f for f in found if f.severity is Severity.ERROR or _is_stricter_here(f)]


def _is_stricter_here(finding: Finding) -> bool:
    return finding.severity is Severity.WARNING and finding.code in STRICTER_HERE


def disagreement(cluster: Cluster, objects: Sequence[JsonObject]) -> str:
    """Return how the cluster and we judge objects differently; an empty text when we agree."""
    reasons, ours = refusals(cluster, objects), errors(objects)
    promised = [each for each in ours if each.code in {*PROMISED, *_SCHEMA} - PARTLY.keys()]
    if reasons and not ours:
        return f"only the cluster refuses it: {reasons[0]}"
    if promised and not reasons:
        return f"only we refuse it: {promised[0].message} [{promised[0].code}]"
    return ""
