"""The law of overlays: what is built from a base and its overlay is what was wanted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from genjob.kustomize.engine import build, build_many, find_engine
from genjob.kustomize.mismatch import same_objects
from genjob.kustomize.overlay import Place, base_files, overlay_files
from genjob.kustomize.rebuild import base_objects, expected
from genjob.manifest import Manifest
from tests.strategies import sample, spec_pairs, words

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping
    from pathlib import Path

    from hypothesis.strategies import DrawFn

    from genjob.jsontypes import JsonObject

BATCH = 60
SINGLY = 30

_NAMES = ("data", "a.b", "aXb", "x", "exp-a-config-08")
_SLOTS = {"config": "ConfigMap", "files-code": "ConfigMap", "pvc-data": "PersistentVolumeClaim"}
_EXTRAS = st.dictionaries(st.sampled_from(("no", "app/x", "a.b")), words(), max_size=2)


@st.composite
def renderings(draw: DrawFn) -> tuple[list[Manifest], list[Manifest]]:
    """Return the objects without and with an environment: added, removed, renamed, swapped."""
    specs = draw(spec_pairs())
    sides = []
    for name, spec in zip(("exp-a", draw(st.sampled_from(("exp-a", "b-1")))), specs, strict=True):
        job = Manifest("pytorchjob", _object(draw, "kubeflow.org/v1", "PyTorchJob", name, spec))
        names = draw(st.permutations(_NAMES))
        slots = draw(st.lists(st.sampled_from(sorted(_SLOTS)), unique=True))
        sides.append([job, *(_small(draw, *pair) for pair in zip(slots, names, strict=False))])
    return sides[0], sides[1]


def _small(draw: DrawFn, slot: str, name: str) -> Manifest:
    data = draw(_EXTRAS)
    return Manifest(slot, _object(draw, "v1", _SLOTS[slot], name, {**data}))


def _object(
    draw: DrawFn, api_version: str, kind: str, name: str, content: JsonObject
) -> JsonObject:
    extras: JsonObject = {
        key: {**draw(_EXTRAS)}
        for key in draw(st.lists(st.sampled_from(("labels", "annotations")), unique=True))
    }
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, **extras},
        "spec": content,
    }


def placed(manifest: Manifest, namespace: str) -> Manifest:
    """Return a wanted object in its namespace, as `manifests` makes it."""
    metadata = manifest.body["metadata"]
    assert isinstance(metadata, dict)
    body = {**manifest.body, "metadata": {**metadata, "namespace": namespace}}
    return Manifest(manifest.slot, body)


def rendered(
    base: list[Manifest], wanted: list[Manifest], place: Place
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of the base and of the overlay."""
    header = "Rendered by genjob from here"
    overlay = overlay_files(base, wanted, place=place, header=header)
    return base_files(base, header=header), overlay


@given(renderings())
def test_the_model_builds_what_was_wanted(pair: tuple[list[Manifest], list[Manifest]]) -> None:
    wanted = [placed(manifest, "team-a") for manifest in pair[1]]
    base, overlay = rendered(pair[0], wanted, Place("team-a", "../../../bases/x"))

    assert not same_objects(expected(base, overlay), [m.body for m in wanted])
    assert not same_objects(base_objects(base), [m.body for m in pair[0]])


@given(renderings(), st.randoms(use_true_random=False))
def test_the_order_of_the_objects_never_changes_the_files(
    pair: tuple[list[Manifest], list[Manifest]], chance: random.Random
) -> None:
    wanted = [placed(manifest, "team-a") for manifest in pair[1]]
    shuffled = [chance.sample(side, len(side)) for side in (pair[0], wanted)]
    place = Place("team-a", "../../../bases/x")

    assert rendered(pair[0], wanted, place) == rendered(shuffled[0], shuffled[1], place)


def test_the_real_kustomize_builds_what_was_wanted_of_a_batch(tmp_path: Path) -> None:
    """One aggregate of all overlays; the first of them singly too, which must be no different."""
    engine = find_engine(os.environ)
    overlays, wanted = [], []
    for number, (base, lasting) in enumerate(sample(renderings(), BATCH)):
        namespace = f"n{number}"
        wanted.append([placed(manifest, namespace) for manifest in lasting])
        place = Place(namespace, f"../../../bases/{namespace}")
        files = rendered(base, wanted[-1], place)
        write_all(tmp_path / "bases" / namespace, files[0])
        overlays.append(write_all(tmp_path / "overlays" / "prod" / namespace, files[1]))
    together = build_many(engine, overlays, fallback=tmp_path)
    singly = [body for folder in overlays[:SINGLY] for body in build(engine, folder)]

    assert not same_objects(together, [m.body for objects in wanted for m in objects])
    assert not same_objects(singly, [m.body for objects in wanted[:SINGLY] for m in objects])


def write_all(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files of one base or overlay and return its folder."""
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder
