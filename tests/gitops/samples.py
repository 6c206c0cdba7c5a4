"""Repositories and environments whose rendered files lie beside this, in `expected/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from genjob.gitops.source import Destination, Source
from genjob.gitops.wiring import ENGINES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.jsontypes import DocPath, Json, JsonObject

SAMPLES = {
    "one-cluster": (
        Source(name="experiments", url="https://git.example.com/ml/experiments.git"),
        (
            Destination(environment="dev", namespace="ml-dev", file="environments/dev.yaml"),
            Destination(
                environment="prod",
                namespace="ml-prod",
                file="environments/prod.yaml",
                has_queues=True,
                has_autoscaler=True,
            ),
        ),
    ),
    "workspace-in-a-folder": (
        Source(
            name="platform",
            url="git@git.example.com:ml/platform.git",
            revision="refs/tags/v1.10",
            folder="training/jobs",
            bases="rendered/bases",
            overlays="rendered/overlays",
            secret="git-platform",  # noqa: S106 # the name of a Secret
            namespace="gitops",
        ),
        (
            Destination(
                environment="on",  # a word that YAML 1.1 reads as true
                namespace="team-on",
                file="envs/on.yaml",
                server="https://10.0.0.8:6443",
            ),
        ),
    ),
}
"""The usual case and the one with every setting."""


def rendered(sample: str, engine: str) -> Mapping[str, str]:
    """Return what a sample renders to for an engine: path → text."""
    return ENGINES[engine](*SAMPLES[sample])


def rendered_alone(engine: str, source: Source, environment: str) -> list[JsonObject]:
    """Return the objects of one environment of any repository."""
    destination = Destination(environment=environment, namespace="ml", file="environments/x.yaml")
    return objects(ENGINES[engine](source, [destination]))


def objects(files: Mapping[str, str]) -> list[JsonObject]:
    """Return the objects that are for the cluster among rendered files."""
    bodies = [yaml.safe_load(text) for path, text in files.items() if path.endswith(".yaml")]
    ours = ("argoproj.io/", "kustomize.toolkit.", "source.toolkit.")
    return [body for body in bodies if body["apiVersion"].startswith(ours)]


def object_of(bodies: list[JsonObject], kind: str) -> JsonObject:
    """Return the last object of a kind: that of the last environment."""
    *_, body = (body for body in bodies if body["kind"] == kind)
    return body


def at(value: Json, *path: str | int) -> Json:
    """Return what stands at a path of an object."""
    route: DocPath = path
    for key in route:
        match value, key:
            case dict(), str():
                value = value[key]
            case list(), int():
                value = value[key]
            case _:
                raise KeyError(path)
    return value
