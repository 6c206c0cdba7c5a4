"""The labels and annotations of objects, and the names that tie them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifests.trace import Traced, fields

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job

PREFIX = "genjob.dev/"
EXPERIMENT = f"{PREFIX}experiment"
ENVIRONMENT = f"{PREFIX}environment"
RUN = f"{PREFIX}run"

KEPT = {
    "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
    "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
    "kustomize.toolkit.fluxcd.io/prune": "disabled",
}
"""Annotations that keep an object when Git no longer has it, and the sync status of what had it
as it is: data outlives jobs.

Source: Argo CD 3.5 docs/user-guide/{sync-options,compare-options}.md; Flux kustomize-controller
1.9, annotation `prune`.
"""


def metadata(job: Job, name: str, *, source: DocPath = ("name",), keep: bool = False) -> Traced:
    """Return the metadata of an object of this job."""
    annotations = Traced(*((key, text, source) for key, text in KEPT.items())) if keep else None
    return fields(
        ("name", name, source),
        ("namespace", job.environment.namespace if job.environment else None, ()),
        ("labels", object_labels(job), ("labels",)),
        ("annotations", annotations, source),
    )


def object_labels(job: Job) -> Traced:
    """Return the labels of every object: whose it is, and what the experiment adds."""
    name = job.experiment.name
    environment = job.environment
    labels = Traced(
        ("app.kubernetes.io/name", name, ("name",)),
        ("app.kubernetes.io/managed-by", "genjob", ("name",)),
    )
    for key, text in job.experiment.labels.items():
        labels.put(key, text, ("labels", key))
    labels.put(EXPERIMENT, name, ("name",))
    if environment:
        labels.put(ENVIRONMENT, environment.name, ("name",))
    return labels


def run_labels(job: Job) -> Traced:
    """Return the labels of what belongs to one run: the job and its pods, not its claims."""
    labels = object_labels(job)
    if job.run is not None:
        labels.put(RUN, job.run, ("run",))
    return labels


def pod_labels(job: Job, role: Experiment) -> Traced:
    """Return the labels of the pods of a role."""
    labels = run_labels(job)
    for key, text in role.pod_labels.items():
        labels.put(key, text, ("pod_labels", key))
    return labels


def text_map(texts: dict[str, str], source: DocPath) -> Traced:
    """Return a mapping of texts whose keys come from the same keys of a field."""
    return Traced(*((key, text, (*source, key)) for key, text in texts.items()))
