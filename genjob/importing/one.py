"""A job that the cluster takes, and the objects around it → its experiment, with the proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Finding, Severity
from genjob.importing.beside import beside
from genjob.importing.figures import leaves_of
from genjob.importing.job import experiment_of
from genjob.importing.proof import prove
from genjob.importing.settled import settled
from genjob.importing.text import experiment_text
from genjob.jsontypes import dotted
from genjob.manifest import identity
from genjob.wording import quoted
from genjob.workspace.loading import EXPERIMENT_FILE
from genjob.yamltext import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from genjob.foreign.reading import Written
    from genjob.importing.beside import Beside
    from genjob.importing.figures import Leaves
    from genjob.jsontypes import JsonObject
    from genjob.kustomize.mismatch import Mismatch


@dataclass(frozen=True, slots=True)
class Destination:
    """The folder of the experiments, as findings name it, and the environments they run in."""

    folder: str
    environments: Sequence[str] = ()


@dataclass(frozen=True)
class Imported:
    """An experiment: the contents of its files by path, what it was made of, and what is unlike.

    `used` are the objects that its job uses, the experiment makes them or not.
    """

    name: str
    written: Written
    files: Mapping[str, str]
    leaves: Leaves
    used: Sequence[JsonObject]
    differences: Sequence[Mismatch]
    diagnostics: Sequence[Diagnostic]

    @property
    def is_equal(self) -> bool:
        """Tell whether the experiment renders to what it was made of."""
        return not any(each.severity is Severity.ERROR for each in self.diagnostics)


def imported(
    body: JsonObject, written: Written, objects: Sequence[Written], destination: Destination
) -> Imported:
    """Return the experiment of a job. `objects` are those that its job may use."""
    job = settled(body)
    others = beside(job, [each.body for each in objects])
    taken = experiment_of(job, others, destination.environments)
    name = identity(job).name
    folder = f"{destination.folder}/{name}"
    file = f"{folder}/{EXPERIMENT_FILE}"
    found: list[Diagnostic] = [written.diagnostic(each) for each in _namespace(job)]
    text, differences = "", []
    try:
        text = experiment_text(taken.fields, path=file, comments=written.document.comments)
    except UnwritableError as error:
        found.append(written.diagnostic(Finding(Code.UNWRITABLE_VALUE, (), error.problem)))
    else:
        proof = prove(text, file, [body, *others.made], others)
        differences = [*proof.differences]
        found += [*proof.diagnostics, *_differing(differences, written, objects)]
    found += _kept(others, objects)
    contents = {f"{folder}/{key}": content.decode() for key, content in others.files.items()}
    used = [*others.made, *(kept.body for kept in others.kept)]
    files = {file: text, **contents}
    return Imported(name, written, files, leaves_of(job, taken), used, differences, found)


def _namespace(job: JsonObject) -> Iterator[Finding]:
    namespace = identity(job).namespace
    if namespace:
        message = f"namespace {quoted(namespace)} is that of an environment, not of an experiment"
        hint = f"write 'namespace: {namespace}' in the file of its environment"
        path = ("metadata", "namespace")
        yield Finding(Code.LEFT_OUT, path, message, hint, Severity.INFO)


def _differing(
    differences: Sequence[Mismatch], written: Written, objects: Sequence[Written]
) -> Iterator[Diagnostic]:
    for each in differences:
        message = f"{dotted(each.path) or each.object}: the experiment renders {each.built}"
        message += f", the manifest has {each.wanted}"
        finding = Finding(Code.DIFFERS, each.path, message, "no field of an experiment holds it")
        yield _written(each, written, objects).diagnostic(finding)


def _written(each: Mismatch, job: Written, objects: Sequence[Written]) -> Written:
    """Return the object that a difference is about."""
    key = (each.object.kind, each.object.name)
    known = {(identity(w.body).kind, identity(w.body).name): w for w in objects}
    return known.get(key, job)


def _kept(others: Beside, objects: Sequence[Written]) -> Iterator[Diagnostic]:
    """Say which objects the experiment uses and does not make, and why."""
    for kept in others.kept:
        own = next(each for each in objects if each.body is kept.body)
        kind, name = identity(kept.body).kind, identity(kept.body).name
        message = f"{kind} {quoted(name)} is not made by the experiment: {kept.reason}"
        hint = "keep it as a manifest of its own"
        yield own.diagnostic(Finding(Code.DIFFERS, ("kind",), message, hint))
