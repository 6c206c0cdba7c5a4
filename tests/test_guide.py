"""This repository's own experiments beside the manifests of the guide that they were made from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import has_errors
from tests.guide_facts import GUIDE
from tests.guide_mends import ABSENT, MENDED, of_every_experiment
from tests.rendered_workspace import rendered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.rendering import Rendered

ROOT = Path(__file__).parent.parent

every_experiment = pytest.mark.parametrize("name", GUIDE)


@cache
def own_experiments() -> dict[str, Rendered]:
    """Return the rendered experiments of this repository, by name."""
    rendering, _ = rendered(ROOT)
    assert not has_errors(rendering.diagnostics, strict=True)
    return {one.name: one for one in rendering.experiments}


def reduced(bodies: list[JsonObject]) -> JsonObject:
    """Return the objects of an experiment in the shape of the table: lists of names by name."""
    facts: JsonObject = {}
    for body in bodies:
        kind, metadata = str(body["kind"]), as_object(body["metadata"])
        if kind == "PyTorchJob":
            spec = dict(as_object(body["spec"]))
            roles = as_object(spec.pop("pytorchReplicaSpecs"))
            facts |= {"job": {"metadata": metadata, **spec}}
            facts |= {role: _role(as_object(replicas)) for role, replicas in roles.items()}
        else:
            rest = as_object(body.get("spec", {key: body[key] for key in body if key == "data"}))
            facts[kind] = {**metadata, **rest}
    return facts


def _role(replicas: JsonObject) -> JsonObject:
    template = as_object(replicas["template"])
    pod = {key: _by_name(value) for key, value in as_object(template["spec"]).items()}
    (container,) = as_object(pod.pop("containers")).values()
    return {
        **{key: value for key, value in replicas.items() if key != "template"},
        **{key: value for key, value in template.items() if key != "spec"},
        **pod,
        "pytorch": {key: _by_name(value) for key, value in as_object(container).items()},
    }


def _by_name(value: Json) -> Json:
    if not isinstance(value, list) or not all(isinstance(i, dict) and "name" in i for i in value):
        return value
    items = [as_object(item) for item in value]
    return {
        str(item["name"]): {key: below for key, below in item.items() if key != "name"}
        for item in items
    }


def as_object(value: Json) -> JsonObject:
    """Return a value that is a mapping."""
    assert isinstance(value, dict)
    return value


def leaves(value: Json, path: DocPath = ()) -> Iterator[tuple[str, Json]]:
    """Yield the dotted route and value of everything that is not a mapping."""
    if not isinstance(value, dict):
        yield ".".join(map(str, path)), value
        return
    for key, below in value.items():
        yield from leaves(below, (*path, key))


def objects(name: str, environment: str | None = None) -> JsonObject:
    """Return the objects of one of our experiments, reduced."""
    one = own_experiments()[name]
    manifests = one.base if environment is None else one.overlays[environment]
    return reduced([manifest.body for manifest in manifests])


def differences(name: str) -> dict[str, tuple[Json, Json]]:
    """Return route → (the guide's value, ours) wherever they are not the same."""
    guide, ours = dict(leaves(GUIDE[name])), dict(leaves(objects(name)))
    both = {path: (guide.get(path, ABSENT), ours.get(path, ABSENT)) for path in {**guide, **ours}}
    return {path: values for path, values in both.items() if values[0] != values[1]}


def test_the_experiments_are_those_of_the_guide() -> None:
    assert set(GUIDE) == set(own_experiments())


@every_experiment
def test_an_object_means_what_the_guide_means(name: str) -> None:
    """Every fact of the guide that is not mended holds."""
    ours = dict(leaves(objects(name)))
    kept = {path: value for path, value in leaves(GUIDE[name]) if path not in MENDED[name]}

    assert kept == {path: ours.get(path, ABSENT) for path in kept}


@every_experiment
def test_every_difference_to_the_guide_is_listed(name: str) -> None:
    expected = {**MENDED[name], **of_every_experiment(name, [*objects(name)])}

    assert expected == {path: ours for path, (_, ours) in differences(name).items()}


@every_experiment
def test_workers_are_as_the_master(name: str) -> None:
    """The guide forgets environment, requests and mounts of Workers; no job means that."""
    found = objects(name)
    master = as_object(found["Master"])
    worker = as_object(found.get("Worker", master))

    assert {**master, "replicas": worker["replicas"]} == worker


def test_the_storage_class_of_the_guide_is_that_of_dev() -> None:
    """Only an environment knows it, so the base has none."""
    claim = as_object(objects("shared-storage-pytorchjob", "dev")["PersistentVolumeClaim"])

    assert claim["storageClassName"] == "nfs-storage"
