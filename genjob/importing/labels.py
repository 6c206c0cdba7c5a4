"""The labels of a job and of its pods → `labels`, `job_labels` and `pod_labels`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.importing.canonical import is_ours
from genjob.manifest import identity
from genjob.manifests.pytorchjob import QUEUE_LABEL
from genjob.rules.walk import as_object, get, templates

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject


def shared_labels(job: JsonObject) -> JsonObject:
    """Return the labels that a job has in common with all of its pods, but for ours."""
    pods = [as_object(get(template, "metadata", "labels")) for _, template in templates(job)]
    own = without(as_object(get(job, "metadata", "labels")), {QUEUE_LABEL: ""}, identity(job).name)
    return {key: text for key, text in own.items() if all(pod.get(key) == text for pod in pods)}


def without(labels: JsonObject, others: JsonObject, experiment: str) -> JsonObject:
    """Return the labels that are not among the others, and not those that all experiments have."""
    return {
        key: text
        for key, text in labels.items()
        if key not in others and not is_ours(key, text, experiment)
    }
