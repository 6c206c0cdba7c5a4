"""Texts of the files that people write → what the stages make of them, for tests of one stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.document import read_document
from genjob.model.environment import Environment
from genjob.resolve.job import Job, resolve
from genjob.resolve.precedence import EnvironmentFile

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from genjob.document import Document, Raw
    from genjob.jsontypes import DocPath

EXPERIMENT_FILE = "experiments/a/experiment.yaml"
ENVIRONMENT_FILE = "environments/prod.yaml"

HEAD = "version: genjob/v1\nname: a\nimage: train:1.0\nscript: train.py\n"
PROD = "version: genjob/v1\nname: prod\nnamespace: ml-prod\n"


def document(text: str, file: str = EXPERIMENT_FILE) -> Document:
    """Return the document of a text that reads without a finding."""
    reading = read_document(text.encode(), file)
    assert reading.document is not None, reading.diagnostics
    return reading.document


def raw(text: str) -> dict[str, Raw]:
    """Return the raw tree of a YAML text."""
    return document(text).data


def environment(text: str = "") -> EnvironmentFile:
    """Return the environment `prod` with these lines behind its first three."""
    read = document(PROD + text, ENVIRONMENT_FILE)
    return EnvironmentFile(Environment.model_validate(read.data), read)


def resolved(text: str, prod: str | None = None) -> tuple[Job | None, list[Diagnostic]]:
    """Resolve an experiment, in `prod` when its lines are given."""
    file = None if prod is None else environment(prod)
    return resolve(document(HEAD + text), file, override=None if prod is None else "prod")


def job(text: str, prod: str | None = None) -> Job:
    """Return the resolved job of an experiment that resolves without a finding."""
    found, diagnostics = resolved(text, prod)
    assert found is not None, diagnostics
    return found


def winner(found: Job, path: DocPath) -> str:
    """Return the layer that set a value, and the file, line and column where it stands."""
    origin = found.origins(path)[0]
    if origin.document is None:
        return origin.layer
    place = origin.document.locate(origin.path)
    return f"{origin.layer} {place.file}:{place.line}:{place.column}"
