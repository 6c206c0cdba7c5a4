"""A workspace in a Git repository and a commit of it → the comparison of the two, with findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location, Severity, in_order
from genjob.difference.commit import Ask, workspace_at
from genjob.difference.comparison import Comparison, compared, settled
from genjob.difference.judging import Judge, Judged
from genjob.difference.renames import renamed
from genjob.git.base import missing_files
from genjob.git.repository import MissingFilesError
from genjob.memory.memory import Asked
from genjob.selection import Selection, relevant, selected
from genjob.survey import findings_of, found_in
from genjob.wording import quoted
from genjob.workers import made
from genjob.workspace.loading import EXPERIMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from genjob.git.base import Base
    from genjob.manifest import Identity
    from genjob.memory.memory import Found as Memorable
    from genjob.memory.memory import Memory
    from genjob.survey import Outcome
    from genjob.workspace.loading import Loaded

_KIND = "diff"


@dataclass(frozen=True, slots=True)
class Found:
    """A comparison, None where there is nothing to compare with, and what is wrong.

    `news` may be remembered.
    """

    comparison: Comparison | None
    diagnostics: list[Diagnostic]
    news: Memorable | None = None


def compare_with_git(
    loaded: Loaded,
    environments: tuple[str, ...] | None,
    ask: Ask,
    progress: Callable[[str], None] = lambda _: None,
) -> Found:
    """Compare a workspace with a commit of its repository.

    Raises:
        ToolError: when Git is missing or does not want to read the repository.
    """
    try:
        there = workspace_at(ask, loaded)
    except MissingFilesError as error:
        return Found(None, [missing_files(ask.base, str(error))])
    selection = Selection(environments=environments)
    judge = Judge(there, loaded, selection, _renames(there.loaded, loaded))
    asked = Asked(environments, loaded.claims, _KIND)
    known = _remembered(judge, ask.memory, asked)
    fresh = {}
    for name, each in made(judge, [name for name in judge.units if name not in known]):
        progress(name)
        fresh[name] = each
    found = _found(judge, ask.base, {**known, **fresh})
    return replace(found, news=found_in(loaded, asked, fresh))


def _remembered(judge: Judge, memory: Memory, asked: Asked) -> dict[str, Judged]:
    """Return what is known to become of experiments that are as they were, on both sides."""
    return {
        name: each
        for name, each in memory.outcomes(asked).items()
        if isinstance(each, Judged) and name in judge.units and each.against == judge.against(name)
    }


def _found(judge: Judge, base: Base, judged: Mapping[str, Judged]) -> Found:
    """Put together what becomes of each experiment."""
    selection, now = judge.selection, judge.now
    outcomes = {name: each.outcome for name, each in judged.items() if each.outcome is not None}
    findings = findings_of(now, selection, [outcomes[name] for name in selected(now, selection)])
    declared = {*_declared(outcomes.values(), selection)}
    changes = [settled(change, declared) for each in judged.values() for change in each.changes]
    comparison = compared(base, judge.there.loaded, now, changes)
    errors = sum(each.severity is Severity.ERROR for each in findings)
    about = _about(judge, comparison, judged.values())
    return Found(replace(comparison, errors=errors), in_order([*findings, *about]))


def _declared(outcomes: Iterable[Outcome], selection: Selection) -> Iterator[Identity]:
    """Yield all objects that Git will have of a selection."""
    for outcome in outcomes:
        for environment, footprint in outcome.made.items():
            if selection.environments is None or environment in selection.environments:
                yield from footprint.made


def _renames(before: Loaded, after: Loaded) -> dict[str, str]:
    old, new = before.experiments, after.experiments
    gone = {name: old[name] for name in old if name not in new and name not in after.broken}
    added = {name: new[name] for name in new if name not in old and name not in before.broken}
    return renamed(gone, added)


def _about(judge: Judge, comparison: Comparison, judged: Iterable[Judged]) -> Iterator[Diagnostic]:
    """Yield a warning for each file that cannot be used as it was."""
    base, loaded = comparison.base, judge.there.loaded
    has_runs = any(change.before for change in comparison.runs)
    if not (has_runs or loaded.experiments or loaded.broken):
        message = f"there is no workspace at {quoted(base.said)}, so everything is new"
        hint = "say --against REV if that is not what you meant"
        yield Diagnostic(Code.NO_WORKSPACE_THERE, message, Location("."), hint, Severity.WARNING)
    first: dict[str, Diagnostic] = {}
    unusable = (each.unusable for each in judged if each.unusable is not None)
    for each in [*_broken(loaded, judge.selection), *unusable]:
        first.setdefault(each.location.file, each)
    yield from (_unreadable(each, base) for each in first.values())


def _broken(loaded: Loaded, selection: Selection) -> Iterator[Diagnostic]:
    """Yield the errors of the files that cannot be used at all."""
    paths = loaded.settings.paths
    files = {f"{paths.experiments}/{name}/{EXPERIMENT_FILE}" for name in loaded.broken}
    files |= {f"{paths.environments}/{name}.yaml" for name in loaded.broken_environments}
    for each in in_order(relevant(loaded, selection)):
        if each.severity is Severity.ERROR and each.location.file in files:
            yield each


def _unreadable(each: Diagnostic, base: Base) -> Diagnostic:
    place = each.location
    at = Location(f"{base.short}:{place.file}", place.line, place.column)
    message = f"the file cannot be used as it was: {each.message}"
    hint = "its runs are compared as they were committed, without their fields"
    return Diagnostic(Code.UNREADABLE_THERE, message, at, hint, Severity.WARNING)
