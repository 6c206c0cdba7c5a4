"""A resolved job and its objects → every finding, at the place where a person wrote it.

The order is that of the cluster: what the experiment says, the schema of the kind, the rules of the
operator's webhook and of pods. `check_bodies` is all of it that needs no experiment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.crd.library import SchemaSet
from genjob.crd.library import check_objects as check_schemas
from genjob.diagnostics import Finding
from genjob.kustomize.refusal import refused_annotations
from genjob.manifests.trace import source_of, value_in
from genjob.model.environment import Target
from genjob.model.nccl import SECTION
from genjob.resolve.merge import value_at
from genjob.rules import check_objects as check_rules
from genjob.rules.advice import ADVICE
from genjob.rules.resolved import check_resolved
from genjob.rules.snapshot import check_snapshot
from genjob.variables.problem import CODES
from genjob.wording import quoted
from genjob.yamltext import UnwritableError, refuse_unwritable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import DocPath, JsonObject
    from genjob.manifest import Manifest
    from genjob.resolve.job import Job
    from genjob.rules.advice import Advice

_NOWHERE = -1
"""The index of no object."""

_RUN_LABEL: DocPath = ("run",)
"""The source of the label that repeats the name of the run."""

_ROLE_DEPTH = 2
"""Where the role stands in the path of a PyTorchJob: spec, pytorchReplicaSpecs, role."""


def check(job: Job, manifests: Sequence[Manifest], schemas: SchemaSet) -> list[Diagnostic]:
    """Return every finding about a job in its environment, each mistake once."""
    bodies = [manifest.body for manifest in manifests]
    resolved = check_resolved(job)
    found = [job.diagnostic(finding) for finding in resolved]
    target = job.environment.target if job.environment else Target()
    fabric = None if job.fabric is None else job.fabric.name
    backend = job.experiment.network.backend
    # what is to be removed needs no other advice
    refused: dict[DocPath, int] = dict.fromkeys((f.path for f in resolved if f.at_key), _NOWHERE)
    by_objects = check_bodies(bodies, target, schemas, fabric=fabric, backend=backend)
    for index, finding in [*by_objects, *check_snapshot(job, bodies)]:
        if source_of(bodies[index], finding.path) == _RUN_LABEL:
            continue  # the rules on names speak of the name itself
        written = in_experiment(job, bodies[index], finding)
        if _was_said(written):
            continue
        if refused.setdefault(written.path, index) == index:  # not again for another object
            found.append(job.diagnostic(written))
    return each_once(found)


def _was_said(finding: Finding) -> bool:
    """Tell whether a finding repeats what the fields of `nccl` were checked for, as written."""
    return finding.code in CODES and finding.path[:1] == (SECTION,)


def check_bodies(
    bodies: Sequence[JsonObject],
    target: Target,
    schemas: SchemaSet,
    *,
    fabric: str | None = None,
    backend: str | None = None,
) -> list[tuple[int, Finding]]:
    """Return what is wrong with objects that are applied together, by index of the object.

    `fabric` is the profile of their machines and `backend` that of torch.distributed, where known.
    """
    by_schema = check_schemas(
        bodies,
        operator=target.training_operator,
        kubernetes=target.kubernetes,
        schemas=schemas,
    )
    refused = {(index, finding.path) for index, finding in by_schema}
    later = [*check_rules(bodies, fabric=fabric, backend=backend), *_unwritable(bodies)]
    return by_schema + [hit for hit in later if (hit[0], hit[1].path) not in refused]


def _unwritable(bodies: Sequence[JsonObject]) -> Iterator[tuple[int, Finding]]:
    """Find what Kustomize would not hand on as it is."""
    for index, body in enumerate(bodies):
        try:
            refuse_unwritable(body)
        except UnwritableError as error:
            yield index, Finding(Code.UNWRITABLE_VALUE, error.path, error.problem)
        for key in refused_annotations(body):
            message = f"{quoted(key)} is read as another type than text, and Kustomize stops"
            hint = "write a word, such as 'example.com/" + key + "'"
            path = ("metadata", "annotations", key)
            yield index, Finding(Code.UNWRITABLE_VALUE, path, message, hint, at_key=True)


def in_experiment(job: Job, body: JsonObject, finding: Finding) -> Finding:
    """Return a finding about an object as one about the field that it was made from."""
    advice = ADVICE.get(finding.code)
    source = _written(job, source_of(body, finding.path), advice)
    # such as the name of a variable, which is a value in the object and a key in the experiment
    is_key = len(source) > 1 and source[-1] == value_in(body, finding.path)
    if finding.path[_ROLE_DEPTH : _ROLE_DEPTH + 1] == ("Master",):
        source = job.from_master(source)
    hint = advice.hint if advice else finding.hint
    return replace(finding, path=source, hint=hint, at_key=finding.at_key or is_key)


def _written(job: Job, source: DocPath | None, advice: Advice | None) -> DocPath:
    """Return the field to point at: the source of a finding, or what its advice says of none."""
    if (
        advice is not None
        and advice.path
        and (not source or value_at(job.worker_tree, source) is None)
    ):
        return advice.path
    return source or ("name",)


def each_once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Drop what is said of Workers after it was said of the Master: it was written once."""
    seen: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in diagnostics:
        words = diagnostic.message.replace("Master", "Worker")
        seen.setdefault((diagnostic.code, diagnostic.location, words), diagnostic)
    return list(seen.values())
