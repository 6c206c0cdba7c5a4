"""The objects of a manifest → those that are checked, in today's form, and what else they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from genjob.foreign.forms import (
    embedded_finding,
    embedded_jobs,
    embedded_texts,
    is_job,
    other_form,
)
from genjob.foreign.live import declared
from genjob.foreign.reading import Written
from genjob.foreign.templates import Placeholder, placeholders, template_finding
from genjob.rules.walk import as_object, get

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.diagnostics import Finding
    from genjob.jsontypes import DocPath, JsonObject

BESIDE_A_JOB: Final = ("PersistentVolumeClaim", "ConfigMap")
"""Kinds of the core API that are checked beside jobs."""

_OF_KATIB: Final = "trialParameters."
"""What the names of Katib's own placeholders begin with; it fills them in for each trial."""


@dataclass(frozen=True, slots=True)
class Subject:
    """An object to check: where it was written, what is checked, and what is said of it anyway.

    `body` is None when nothing more can be said of it. `unknown` are the routes to what waits to be
    filled in: a finding about such a value would be one about the placeholder.
    """

    written: Written
    body: JsonObject | None
    findings: tuple[Finding, ...] = ()
    unknown: tuple[DocPath, ...] = ()

    def is_known(self, path: DocPath) -> bool:
        """Tell whether a route leads to a value that stands there."""
        return not any(path[: len(route)] == route for route in self.unknown)


def subjects_of(written: Written, command: str) -> list[Subject]:
    """Return what is checked of an object: itself, the jobs that it holds, or nothing.

    `command` is what a filled-in template is given to.
    """
    body = written.body
    if is_job(body):
        return [_job(written, command)]
    if body.get("apiVersion") == "v1" and body.get("kind") in BESIDE_A_JOB:
        notes = tuple(embedded_finding(body, path) for path in embedded_texts(body))
        return [_filled_in(Subject(written, declared(body), notes), command)]
    return [*_inside(written, command)]


def _job(written: Written, command: str) -> Subject:
    form = other_form(written.body)
    if form is None:
        return _filled_in(Subject(written, declared(written.body)), command)
    body = None if form.body is None else declared(form.body)
    return _filled_in(Subject(written, body, (form.finding,)), command)


def _filled_in(subject: Subject, command: str) -> Subject:
    """Add what waits to be filled in, but for what Katib fills in itself."""
    found = [] if subject.body is None else placeholders(subject.body)
    unknown = tuple(each.path for each in found)
    asked = [each for each in found if not _is_of_katib(each)]
    more = (template_finding(asked, command),) if asked else ()
    return replace(subject, findings=(*subject.findings, *more), unknown=unknown)


def _is_of_katib(placeholder: Placeholder) -> bool:
    return all(name.startswith(_OF_KATIB) for name in placeholder.names)


def _inside(written: Written, command: str) -> Iterator[Subject]:
    """Yield the jobs that an object of another kind holds; of a job in a text, just the note."""
    shell = written.body
    notes = [embedded_finding(shell, path) for path in embedded_texts(shell)]
    for path, inner in embedded_jobs(shell):
        notes.append(embedded_finding(shell, path))
        metadata = {"name": get(shell, "metadata", "name"), **as_object(inner.get("metadata"))}
        named: JsonObject = {**inner, "metadata": metadata}
        yield _job(Written(written.document, (*written.base, *path), named), command)
    if notes:
        yield Subject(written, None, tuple(notes))
