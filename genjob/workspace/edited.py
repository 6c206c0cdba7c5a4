"""A workspace and another text of one experiment → the workspace as it would then be read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genjob.diagnostics import Diagnostic
from genjob.document import read_document
from genjob.workspace.filechecks import experiment_problems, unknown_environments
from genjob.workspace.loading import EXPERIMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.document import Document
    from genjob.workspace.loading import Loaded


def experiment_file(loaded: Loaded, name: str) -> str:
    """Return the path of an experiment's file, POSIX and relative to the workspace."""
    return f"{loaded.settings.paths.experiments}/{name}/{EXPERIMENT_FILE}"


def with_experiment(loaded: Loaded, name: str, text: str) -> Loaded:
    """Return the workspace with another text of an experiment that it has; nothing is written."""
    file = experiment_file(loaded, name)
    document, found = read_document(text.encode(), file)
    others = [each for each in loaded.diagnostics if each.location.file != file]
    problems = [] if document is None else [*_problems(loaded, name, document)]
    read = {} if document is None else {name: document}
    return replace(
        loaded,
        experiments={**loaded.experiments, **read},
        diagnostics=[*others, *found, *problems],
        sources={**loaded.sources, file: text},
        known={other: it for other, it in loaded.known.items() if other != name},
    )


def _problems(loaded: Loaded, name: str, document: Document) -> Iterator[Diagnostic]:
    known = {*loaded.environments, *loaded.broken_environments}
    folder = loaded.settings.paths.environments
    for found in (
        *experiment_problems(document, name),
        *unknown_environments(document, known, folder),
    ):
        place = document.locate(found.path, at_key=found.at_key)
        yield Diagnostic(found.code, found.message, place, found.hint, found.severity)
