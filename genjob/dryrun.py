"""A rendering and a cluster → what the cluster says of it, at the place where a person wrote it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from genjob.checks import in_experiment
from genjob.cluster import ACCEPTED
from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.manifest import identity
from genjob.manifests.trace import value_in
from genjob.rendering import job_of
from genjob.rules.walk import as_list, as_object
from genjob.yamltext import to_yaml_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from genjob.cluster import Ask, Verdict
    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import DocPath, Json, Key
    from genjob.manifest import Manifest
    from genjob.rendering import Rendered
    from genjob.resolve.job import Job
    from genjob.workspace.loading import Loaded

_PATH: Final = re.compile(r"\b(?:spec|metadata|data)(?:\.[A-Za-z0-9_-]+|\[[^\]]*\])*(?=[:\"])")
"""How the API server and webhooks name a field: `spec.a[Master].b[0].c`, `.spec.b[name="x"].c`."""

_STEP: Final = re.compile(r"\.?([A-Za-z0-9_-]+)|\[([^\]]*)\]")
_MEMBER: Final = re.compile(r'(\w+)="([^"]*)"')
_NO_NAMESPACE: Final = re.compile(r'^namespaces "[^"]*" not found')
_NO_KIND: Final = re.compile(r"no matches for kind ")


def check_in_cluster(loaded: Loaded, experiments: Iterable[Rendered], ask: Ask) -> list[Diagnostic]:
    """Return what a cluster says of the objects of experiments in their environments.

    `ask` lets it take objects, given as YAML text, without storing them.

    Raises:
        ToolError: the cluster cannot be asked.
    """
    found: list[Diagnostic] = []
    for one in experiments:
        for environment, manifests in one.overlays.items():
            job, _ = job_of(loaded, one.name, environment)
            if job is not None:
                found += _of_overlay(job, manifests, ask)
    return found


def _of_overlay(job: Job, manifests: Sequence[Manifest], ask: Ask) -> Iterator[Diagnostic]:
    """Ask for all objects at once, and one by one only where the cluster has something to say."""
    if ask(to_yaml_documents(manifest.body for manifest in manifests)) == ACCEPTED:
        return
    for manifest in manifests:
        verdict = ask(to_yaml_documents([manifest.body]))
        if _NO_NAMESPACE.match(verdict.refusal):
            yield _without_namespace(job, verdict)
            return
        for finding in _findings(manifest, verdict):
            yield job.diagnostic(in_experiment(job, manifest.body, finding))


def _without_namespace(job: Job, verdict: Verdict) -> Diagnostic:
    """Return the finding that the cluster lacks the environment's namespace."""
    finding = Finding(Code.CLUSTER_REFUSES, (), f"the cluster refuses it: {verdict.refusal}")
    found = job.diagnostic(finding)
    environment = job.inputs.environment
    if environment is None:
        return found
    hint = "make the namespace, or ask the cluster of this environment, with --context"
    return replace(found, location=environment.document.locate(("namespace",)), hint=hint)


def _findings(manifest: Manifest, verdict: Verdict) -> Iterator[Finding]:
    which = identity(manifest.body)
    if verdict.refusal:
        message = f"the cluster refuses {which}: {verdict.refusal}"
        hint = "install what defines this kind" if _NO_KIND.search(verdict.refusal) else ""
        yield Finding(Code.CLUSTER_REFUSES, _field(manifest, verdict.refusal), message, hint)
    for warning in verdict.warnings:
        message = f"the cluster warns of {which}: {warning}"
        path = _field(manifest, warning)
        yield Finding(Code.CLUSTER_WARNS, path, message, severity=Severity.WARNING)


def _field(manifest: Manifest, said: str) -> DocPath:
    """Return the route to the first field that a message names, as far as the object has it.

    A message that names none is about the object as a whole, as its name is.
    """
    named = _PATH.search(said)
    path: list[Key] = []
    node: Json = manifest.body
    for name, key in _STEP.findall(named[0]) if named else ():
        step = _step(node, name or key)
        if step is None:
            break
        path.append(step)
        node = value_in(node, (step,))
    return tuple(path) or ("metadata", "name")


def _step(node: Json, word: str) -> Key | None:
    """Return the key or the index that a step of a message means, None where there is none."""
    if isinstance(node, dict):
        return word if word in node else None
    items = as_list(node)
    if member := _MEMBER.fullmatch(word):
        matches = [i for i, each in enumerate(items) if as_object(each).get(member[1]) == member[2]]
        return matches[0] if matches else None
    return int(word) if word.isdecimal() and int(word) < len(items) else None
