"""What a command line names → the experiments and environments that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from genjob.document import Document
    from genjob.workspace.loading import Loaded


@dataclass(frozen=True, slots=True)
class Selection:
    """Which experiments and environments a command is about; None means all.

    `rerun` names the experiments whose held runs take every change, as new runs.
    """

    names: tuple[str, ...] = ()
    environments: tuple[str, ...] | None = None
    rerun: frozenset[str] = frozenset()


def relevant(loaded: Loaded, selection: Selection) -> list[Diagnostic]:
    """Return what is wrong with the files that a selection is about."""
    paths = loaded.settings.paths
    chosen = {paths.experiments: selection.names, paths.environments: selection.environments}
    return [
        diagnostic
        for diagnostic in loaded.diagnostics
        if not any(
            names and _is_of_another(PurePosixPath(diagnostic.location.file), folder, names)
            for folder, names in chosen.items()
        )
    ]


def _is_of_another(file: PurePosixPath, folder: str, names: Sequence[str]) -> bool:
    if not file.is_relative_to(folder):
        return False
    return file.relative_to(folder).parts[0].partition(".")[0] not in names


def selected(loaded: Loaded, selection: Selection) -> list[str]:
    """Return the experiments that a selection is about: they name one of its environments."""
    names = [name for name in selection.names or loaded.experiments if name in loaded.experiments]
    if selection.environments is None:
        return names
    chosen = {name for name in selection.environments if name in loaded.environments}
    return [name for name in names if not chosen.isdisjoint(loaded.reading(name).environments)]


def unknown_names(loaded: Loaded, selection: Selection) -> Iterable[Diagnostic]:
    """Return a finding for each name of a command line that the workspace does not have."""
    paths = loaded.settings.paths
    known = {*loaded.experiments, *loaded.broken}
    for name in dict.fromkeys((*selection.names, *sorted(selection.rerun))):
        if name not in known:
            place = Location(paths.experiments)
            hint = did_you_mean(name, known) or "make it with `genjob new`"
            message = f"there is no experiment {quoted(name)}"
            yield Diagnostic(Code.UNKNOWN_EXPERIMENT, message, place, hint)
    environments = {*loaded.environments, *loaded.broken_environments}
    for name in selection.environments or ():
        if name not in environments:
            place = Location(paths.environments)
            hint = did_you_mean(name, environments) or f"write {paths.environments}/{name}.yaml"
            message = f"there is no environment {quoted(name)}"
            yield Diagnostic(Code.UNKNOWN_ENVIRONMENT, message, place, hint)


def environments_of(loaded: Loaded, document: Document, selection: Selection) -> list[str]:
    """Return the environments that an experiment names and a selection is about."""
    return [name for name in named(document, selection) if name in loaded.environments]


def without_file(loaded: Loaded, document: Document, selection: Selection) -> list[str]:
    """Return the environments that an experiment names and that no usable file describes."""
    return [name for name in named(document, selection) if name not in loaded.environments]


def named(document: Document, selection: Selection) -> list[str]:
    """Return the environments that an experiment names, with a file or without."""
    inside = document.data.get("environments")
    wanted = selection.environments
    return [
        name
        for name in (sorted(inside) if isinstance(inside, dict) else ())
        if wanted is None or name in wanted
    ]
