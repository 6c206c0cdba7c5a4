"""The folder of the experiments → their documents, each at hand when somebody asks for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from genjob.diagnostics import ToolError
from genjob.document import Document, read_document
from genjob.memory.snapshot import EXPERIMENT_FILE
from genjob.workers import is_shared, made
from genjob.workspace.deferred import Deferred
from genjob.workspace.filechecks import experiment_problems
from genjob.workspace.reader import NOTHING, Reader
from genjob.workspace.reading import reading_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from genjob.memory.memory import Reading
    from genjob.model.workspace import Workspace

_MANY = 64
"""Experiments that are read by several processes: it is faster than their start."""


def read_experiments(reader: Reader, settings: Workspace) -> tuple[Deferred[Document], list[str]]:
    """Return the experiments by name, and the names of those that cannot be used."""
    found, broken = Deferred[Document](), []
    paths = sorted((reader.root / settings.paths.experiments).glob("*/experiment.y*ml"))
    reader.known |= _read_by_many(reader, paths)
    for path in paths:
        name = path.parent.name
        if path.name != EXPERIMENT_FILE:
            reader.refuse_name(path, EXPERIMENT_FILE)
            broken.append(name)
        elif name in reader.known:
            found.defer(name, partial(_again, reader.name_of(path), path))
            reader.sources.defer(reader.name_of(path), partial(_text, path))
        elif not _read_experiment(reader, path, found):
            broken.append(name)
    return found, broken


def _read_by_many(reader: Reader, paths: Sequence[Path]) -> dict[str, Reading]:
    """Read experiments on all cores; return those without findings, none where they are few."""
    files = {path.parent.name: path for path in paths if path.name == EXPERIMENT_FILE}
    names = [name for name in files if name not in reader.known]
    if not is_shared(names, few=_MANY):
        return {}
    read = made(lambda name: _read_briefly(reader.root, files[name]), names)
    return {name: reading for name, reading in read if reading is not None}


def _read_briefly(root: Path, path: Path) -> Reading | None:
    """Return what an experiment says that concerns others, None when something is wrong with it."""
    reader, name = Reader(root, NOTHING), path.parent.name
    document = reader.document(path)
    if document is None or reader.diagnostics or any(experiment_problems(document, name)):
        return None
    return reading_of(name, document)


def _read_experiment(reader: Reader, path: Path, found: Deferred[Document]) -> bool:
    """Read an experiment; one without findings is kept in brief and can be read again."""
    name, before = path.parent.name, len(reader.diagnostics)
    document = reader.document(path)
    if document is None:
        return False
    reader.report(document, experiment_problems(document, name))
    if len(reader.diagnostics) > before:
        found.keep(name, document)
    else:
        reader.known[name] = reading_of(name, document)
        found.defer(name, partial(_parsed, document.file, "\n".join(document.lines)), document)
    return True


def _again(file: str, path: Path) -> Document:
    """Return the document of a file that an earlier run read well."""
    return _parsed(file, _text(path))


def _parsed(file: str, text: str) -> Document:
    document, _ = read_document(text.encode(), file)
    if document is None:
        raise ToolError(f"'{file}' changed while it was read; run this again")
    return document


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
