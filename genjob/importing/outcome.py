"""Manifest files → the experiments that they become, each with its proof, and every finding."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Finding, Location, Severity, has_errors
from genjob.foreign.forms import (
    API_VERSION,
    JOB,
    embedded_finding,
    embedded_jobs,
    embedded_texts,
    is_job,
)
from genjob.foreign.templates import placeholders, template_finding
from genjob.importing.acceptance import warnings
from genjob.importing.beside import CLAIM, CONFIG_MAP
from genjob.importing.mends import mended, mistakes, would_mend
from genjob.importing.one import Imported, imported
from genjob.importing.upgrades import upgraded
from genjob.manifest import identity
from genjob.wording import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.foreign.reading import ManifestFile, Written
    from genjob.importing.one import Destination
    from genjob.jsontypes import JsonObject

COMMAND: Final = "genjob import -"
"""What a template is given to when it is filled in."""


@dataclass
class Outcome:
    """What became of some files; nothing may be written when a finding is an error of theirs."""

    experiments: list[Imported] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def is_refused(self) -> bool:
        """Tell whether a file, or a job in one, could not be imported at all."""
        return has_errors(each for each in self.diagnostics if each.code != Code.DIFFERS)

    @property
    def is_equal(self) -> bool:
        """Tell whether all of it was imported with proof."""
        return not has_errors(self.diagnostics)


@dataclass(frozen=True)
class _Ready:
    """A job as it will be imported, and where it was written."""

    body: JsonObject
    written: Written


def import_files(
    files: Sequence[ManifestFile], destination: Destination, *, fix: bool = False
) -> Outcome:
    """Return the experiments of all jobs in some files, with the claims and ConfigMaps there."""
    outcome = Outcome(diagnostics=[each for file in files for each in file.diagnostics])
    objects = [written for file in files for written in file.objects]
    others = [each for each in objects if not is_job(each.body)]
    jobs = [_ready(each, outcome, fix=fix) for each in objects if is_job(each.body)]
    if not jobs:
        outcome.diagnostics += _no_job(files, others)
    left = [*others]
    for job in jobs:
        if job is not None:
            one = imported(job.body, job.written, left, destination)
            outcome.experiments.append(one)
            outcome.diagnostics += one.diagnostics
            left = [each for each in left if each.body not in one.used]
    known = [body for one in outcome.experiments for body in one.used]
    outcome.diagnostics += _unused(
        [each for each in others if each.body not in known], has_jobs=bool(jobs)
    )
    outcome.diagnostics += _twice(outcome.experiments)
    return outcome


def _ready(written: Written, outcome: Outcome, *, fix: bool) -> _Ready | None:
    """Return a job that can be imported, None when it cannot, and say why not."""
    found = placeholders(written.body)
    if found:
        outcome.diagnostics.append(written.diagnostic(template_finding(found, COMMAND)))
        return None
    body, notes = upgraded(written.body)
    outcome.diagnostics += map(written.diagnostic, notes)
    if body is None:
        return None
    outcome.diagnostics += map(written.diagnostic, warnings(body))
    if fix:
        body, done = mended(body, written)
        outcome.diagnostics += [written.diagnostic(_mended(path, said)) for path, said in done]
    refused = [each for each in mistakes(body) if each.severity is Severity.ERROR]
    outcome.diagnostics += [written.diagnostic(_mendable(each, body, written)) for each in refused]
    return None if refused else _Ready(body, written)


def _mended(path: tuple[str | int, ...], said: str) -> Finding:
    return Finding(Code.MENDED, path, said, severity=Severity.INFO)


def _mendable(finding: Finding, body: JsonObject, written: Written) -> Finding:
    """Return a refusal whose hint says that `--fix` mends it, where it does."""
    said = would_mend(finding, body, written)
    first = finding.hint if finding.hint.endswith("?") or not finding.hint else f"{finding.hint};"
    hint = f"{first} with --fix, {said}".strip()
    return replace(finding, hint=hint) if said else finding


def _no_job(files: Sequence[ManifestFile], others: Sequence[Written]) -> Iterator[Diagnostic]:
    """Say of each file what it holds instead of a job; what holds one inside says so itself."""
    for file in files:
        inside = [each for each in others if each in file.objects]
        if file.diagnostics or any(map(_shells, inside)):
            continue
        kinds = [str(each.body.get("kind")) for each in inside]
        found = listed(dict.fromkeys(kinds)) if kinds else "no object"
        message = f"found {found}; expected a {JOB}"
        hint = f"name a file with a {JOB} of {quoted(API_VERSION)}"
        yield Diagnostic(Code.NO_JOB, message, Location(file.file), hint)


def _shells(written: Written) -> bool:
    return bool(embedded_jobs(written.body) or embedded_texts(written.body))


def _unused(others: Sequence[Written], *, has_jobs: bool) -> Iterator[Diagnostic]:
    """Yield what is said of objects that no job uses: those with a job inside are refused."""
    for written in others:
        jobs = [path for path, _ in embedded_jobs(written.body)]
        inside = [*jobs, *embedded_texts(written.body)]
        for path in inside:
            finding = replace(embedded_finding(written.body, path), severity=Severity.ERROR)
            yield written.diagnostic(finding)
        if not inside and has_jobs:
            yield written.diagnostic(_left_out(written.body))


def _left_out(body: JsonObject) -> Finding:
    kind, name = identity(body).kind, identity(body).name
    why = "no job uses it" if kind in {CLAIM, CONFIG_MAP} else "it belongs to no experiment"
    message = f"{kind} {quoted(name)} stays a manifest of its own: {why}"
    return Finding(Code.LEFT_OUT, ("kind",), message, severity=Severity.WARNING)


def _twice(experiments: Sequence[Imported]) -> Iterator[Diagnostic]:
    seen: dict[str, Imported] = {}
    for one in experiments:
        if seen.setdefault(one.name, one) is not one:
            message = f"a second job is named {quoted(one.name)}; an experiment has one"
            place = one.written.locate(("metadata", "name"))
            hint = "import it by itself, into another folder"
            yield Diagnostic(Code.ALREADY_THERE, message, place, hint)
