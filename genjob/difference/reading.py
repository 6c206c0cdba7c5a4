"""A workspace in a Git repository and a revision → the comparison of the two, with findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location, Severity, in_order
from genjob.difference.comparison import Comparison, compare_sides
from genjob.difference.side import Side, past, present
from genjob.git.base import NOT_A_REPOSITORY, Base, base_of, missing_files
from genjob.git.repository import MissingFilesError, Repository, open_repository
from genjob.gitops.source import FOLDER
from genjob.wording import quoted
from genjob.workspace.loading import SETTINGS_FILE, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from genjob.workspace.loading import Loaded

SCHEMAS: Final = "schemas"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command line asks for; None are all environments, and the main branch."""

    environments: tuple[str, ...] | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A comparison, None where there is nothing to compare with, and what is wrong."""

    comparison: Comparison | None
    diagnostics: list[Diagnostic]


def compare_with_git(
    loaded: Loaded,
    asked: Asked,
    *,
    environ: Mapping[str, str],
    scratch: Path,
    progress: Callable[[str], None] = lambda _: None,
) -> Found:
    """Compare a workspace with a commit of its repository.

    The files of the commit are put below `scratch`, an empty folder of the caller.

    Raises:
        ToolError: when Git is missing or does not want to read the repository.
    """
    repository = open_repository(loaded.root, environ)
    if repository is None:
        return Found(None, [NOT_A_REPOSITORY])
    base = base_of(repository, asked.against, loaded.settings.repo.revision)
    if isinstance(base, Diagnostic):
        return Found(None, [base])
    try:
        there = load(_extracted(repository, base, scratch))
    except MissingFilesError as error:
        return Found(None, [missing_files(base, str(error))])
    before = past(there, asked.environments)
    after = present(loaded, asked.environments, progress)
    errors = sum(each.severity is Severity.ERROR for each in after.diagnostics)
    comparison = compare_sides(base, before, after, errors=errors)
    return Found(comparison, in_order([*after.diagnostics, *_about(before, base)]))


def _extracted(repository: Repository, base: Base, scratch: Path) -> Path:
    """Return the workspace of a commit; its settings say where the rest of it is."""
    first = repository.extract(base.commit, [SETTINGS_FILE], scratch / "settings")
    first.mkdir(parents=True, exist_ok=True)
    paths = load(first).settings.paths
    folders = [paths.experiments, paths.environments, paths.bases, paths.overlays]
    folders += [FOLDER, SCHEMAS]
    root = repository.extract(base.commit, [SETTINGS_FILE, *folders], scratch / "all")
    root.mkdir(parents=True, exist_ok=True)
    return root


def _about(before: Side, base: Base) -> Iterator[Diagnostic]:
    """Yield a warning for each file that cannot be used as it was."""
    loaded = before.loaded
    if not (before.runs or loaded.experiments or loaded.broken):
        message = f"there is no workspace at {quoted(base.said)}, so everything is new"
        hint = "say --against REV if that is not what you meant"
        yield Diagnostic(Code.NO_WORKSPACE_THERE, message, Location("."), hint, Severity.WARNING)
    unusable = {*_unusable(before)}
    for each in before.diagnostics:
        if each.severity is Severity.ERROR and each.location.file in unusable:
            unusable.remove(each.location.file)
            yield _unreadable(each, base)


def _unusable(before: Side) -> Iterator[str]:
    loaded, paths = before.loaded, before.loaded.settings.paths
    for name in loaded.broken:
        yield f"{paths.experiments}/{name}/experiment.yaml"
    for name in loaded.broken_environments:
        yield f"{paths.environments}/{name}.yaml"
    unresolved = [place for place, run in before.runs.items() if run.resolved is None]
    for place in [*unresolved, *before.unknown]:
        if place.experiment in loaded.experiments:
            yield loaded.experiments[place.experiment].file


def _unreadable(each: Diagnostic, base: Base) -> Diagnostic:
    place = each.location
    at = Location(f"{base.short}:{place.file}", place.line, place.column)
    message = f"the file cannot be used as it was: {each.message}"
    hint = "its runs are compared as they were committed, without their fields"
    return Diagnostic(Code.UNREADABLE_THERE, message, at, hint, Severity.WARNING)
