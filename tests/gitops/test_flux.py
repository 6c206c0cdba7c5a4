"""Flux applies the overlays of an environment together, and finds what it needs in its folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from genjob.gitops.source import Source
from genjob.kustomize.engine import build, build_many, find_engine
from genjob.kustomize.mismatch import same_objects
from tests.gitops.samples import (
    SAMPLES,
    at,
    object_of,
    objects,
    rendered,
    rendered_alone,
)

if TYPE_CHECKING:
    from genjob.jsontypes import Json

ROOT = Path(__file__).parent.parent.parent
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))

every_sample = pytest.mark.parametrize("sample", SAMPLES)


def spec_of(sample: str) -> Json:
    """Return the spec of the Flux Kustomization of a sample's last environment."""
    return at(object_of(objects(rendered(sample, "flux")), "Kustomization"), "spec")


@every_sample
def test_runs_are_pruned_and_waited_for_and_never_forced(sample: str) -> None:
    found = [at(spec_of(sample), key) for key in ("prune", "wait", "force")]

    assert [True, True, False] == found


@every_sample
def test_nothing_is_substituted_by_what_we_render(sample: str) -> None:
    spec = spec_of(sample)

    assert isinstance(spec, dict)
    assert "postBuild" not in spec


@every_sample
def test_the_folder_that_is_read_outlives_its_last_overlay(sample: str) -> None:
    source, _ = SAMPLES[sample]
    path = str(at(spec_of(sample), "path")).removeprefix("./")
    inside = path.removeprefix(f"{source.folder}/" if source.folder else "")

    assert f"{inside}/README.md" in rendered(sample, "flux")


def test_what_kueue_and_the_autoscaler_write_is_ignored() -> None:
    rules = at(spec_of("one-cluster"), "ignore")
    assert isinstance(rules, list)

    assert [at(rule, "target", "labelSelector") for rule in rules] == [
        "kueue.x-k8s.io/queue-name",
        "genjob.dev/autoscaled",
    ]


def test_without_queues_and_autoscaler_no_field_of_a_newer_flux_is_used() -> None:
    spec = spec_of("workspace-in-a-folder")

    assert isinstance(spec, dict)
    assert "ignore" not in spec


def test_a_private_repository_is_read_with_its_secret() -> None:
    repositories = [
        at(object_of(objects(rendered(sample, "flux")), "GitRepository"), "spec")
        for sample in SAMPLES
    ]

    assert [None, {"name": "git-platform"}] == [
        spec.get("secretRef") for spec in repositories if isinstance(spec, dict)
    ]


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        ("git@git.example.com:ml/x.git", "ssh://git@git.example.com/ml/x.git"),
        ("git@git.example.com:/ml/x.git", "ssh://git@git.example.com/ml/x.git"),
        ("git.example.com:x", "ssh://git.example.com/x"),
        ("https://git.example.com:8443/x.git", "https://git.example.com:8443/x.git"),
        ("ssh://git@git.example.com:2222/x.git", "ssh://git@git.example.com:2222/x.git"),
    ],
)
def test_a_url_has_the_form_that_flux_takes(url: str, taken: str) -> None:
    bodies = rendered_alone("flux", Source(name="x", url=url), "prod")

    assert taken == at(object_of(bodies, "GitRepository"), "spec", "url")


@pytest.mark.parametrize(
    ("revision", "reference"),
    [
        ("main", {"branch": "main"}),
        ("v1.10", {"branch": "v1.10"}),
        ("refs/tags/v1.10", {"name": "refs/tags/v1.10"}),
        ("0" * 40, {"commit": "0" * 40}),
        ("0" * 39, {"branch": "0" * 39}),
    ],
)
def test_a_revision_is_named_by_its_kind(revision: str, reference: Json) -> None:
    source = Source(name="x", url="https://git.example.com/x", revision=revision)
    bodies = rendered_alone("flux", source, "prod")

    assert reference == at(object_of(bodies, "GitRepository"), "spec", "ref")


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_overlays_are_built_together_as_they_are_alone(environment: str, tmp_path: Path) -> None:
    """Flux lists each folder that has a kustomization, and sets the namespace of them all."""
    for folder in ("bases", "overlays"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    inside = tmp_path / "overlays" / environment
    overlays = sorted(path.parent for path in inside.glob("*/kustomization.yaml"))
    alone = build_many(find_engine(os.environ), overlays, fallback=tmp_path)
    text = (ROOT / "environments" / f"{environment}.yaml").read_text("utf-8")
    made = {
        "namespace": yaml.safe_load(text)["namespace"],
        "resources": [path.name for path in overlays],
    }
    (inside / "kustomization.yaml").write_text(yaml.safe_dump(made))

    assert not same_objects(build(find_engine(os.environ), inside), alone)


def test_an_environment_without_overlays_is_built_to_nothing(tmp_path: Path) -> None:
    """Flux then writes a namespace alone, so that Kustomize does not refuse an empty file.

    Source: fluxcd/pkg kustomize/kustomize_generator.go, findOrGenerateKustomization.
    """
    (tmp_path / "kustomization.yaml").write_text("namespace: _placeholder\n")

    assert [] == build(find_engine(os.environ), tmp_path)
