"""One experiment and one environment, as data or text → the objects and files they render to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genjob.document import Document, read_document
from genjob.kustomize.overlay import Place, base_files, overlay_files
from genjob.manifests import manifests
from genjob.model.environment import Environment
from genjob.resolve.job import resolve
from genjob.resolve.precedence import EnvironmentFile
from genjob.yamltext import to_yaml
from tests.experiments_strategy import FILES

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.manifest import Manifest
    from genjob.resolve.job import Job

HEADER = "Rendered by genjob from here"
NAMESPACE = "team-a"
PLACE = Place(NAMESPACE, "../../../bases/train")


def document(text: str, file: str) -> Document:
    """Return what people write as the document that the program reads."""
    reading = read_document(text.encode(), file)
    assert reading.document is not None, reading.diagnostics
    return reading.document


def resolved(experiment: str, environment: str | None) -> Job:
    """Return the job of an experiment in the environment `dev`, or in none."""
    file = None
    if environment is not None:
        written = document(environment, "environments/dev.yaml")
        file = EnvironmentFile(Environment.model_validate(written.data), written)
    source = document(experiment, "experiments/train/experiment.yaml")
    job, problems = resolve(source, file, override="dev" if file else None)
    assert job is not None, problems
    return replace(job, files=FILES)


def objects(experiment: str, environment: str | None) -> list[Manifest]:
    """Return the objects of an experiment in the environment `dev`, or of its base."""
    return manifests(resolved(experiment, environment))


def files(experiment: str, environment: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of the base and of the overlay, as name → text."""
    base, wanted = objects(experiment, None), objects(experiment, environment)
    overlay = overlay_files(base, wanted, place=PLACE, header=HEADER)
    return base_files(base, header=HEADER), overlay


def rendered(
    experiment: JsonObject, environment: JsonObject
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of what is given as data."""
    return files(to_yaml(experiment), to_yaml(environment))
