"""What an engine reads: exact texts, good objects, and nothing that could run a job twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from genjob.crd.library import SchemaSet, check_objects, schemas_root
from genjob.gitops.objects import LONGEST_NAME, object_name
from genjob.gitops.source import Destination, Source, source_name
from genjob.gitops.wiring import ENGINES
from genjob.kustomize.engine import build_many, find_engine
from genjob.kustomize.mismatch import same_objects
from genjob.manifests.labels import KEPT
from genjob.tree.plan import HEADER_MARK
from tests.gitops.samples import SAMPLES, objects, rendered
from tests.rendered_workspace import read_texts, write_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parent.parent.parent
EXPECTED = Path(__file__).parent / "expected"

every_file_set = pytest.mark.parametrize(
    ("sample", "engine"), [(sample, engine) for sample in SAMPLES for engine in ENGINES]
)


@every_file_set
def test_the_files_are_exactly_what_is_expected(
    sample: str, engine: str, *, update_golden: bool
) -> None:
    expected = EXPECTED / sample / engine
    if update_golden:
        shutil.rmtree(expected, ignore_errors=True)
        write_texts(expected, rendered(sample, engine))

    assert read_texts(expected) == rendered(sample, engine)


@every_file_set
def test_the_order_of_environments_does_not_matter(sample: str, engine: str) -> None:
    source, destinations = SAMPLES[sample]

    assert rendered(sample, engine) == ENGINES[engine](source, destinations[::-1])


@every_file_set
def test_each_first_line_says_that_the_file_is_rendered(sample: str, engine: str) -> None:
    first_lines = [text.split("\n", 1)[0] for text in rendered(sample, engine).values()]

    assert [] == [line for line in first_lines if HEADER_MARK not in line]


@every_file_set
def test_the_strict_schemas_accept_every_object(sample: str, engine: str) -> None:
    bodies = objects(rendered(sample, engine))
    schemas = SchemaSet((schemas_root(),))

    assert 2 * len(SAMPLES[sample][1]) == len(bodies)
    assert [] == check_objects(bodies, operator="1.9", kubernetes="1.31", schemas=schemas)


def folders_to_apply(root: Path, engine: str, files: Mapping[str, str]) -> list[Path]:
    """Return what the documentation says to apply: all of Argo CD, one by one of Flux."""
    if engine == "argocd":
        return [root / "gitops/argocd"]
    return [(root / path).parent for path in files if path.endswith("/sync.yaml")]


@every_file_set
def test_kustomize_builds_what_is_applied_to_the_objects_in_it(
    sample: str, engine: str, tmp_path: Path
) -> None:
    files = rendered(sample, engine)
    write_texts(tmp_path, files)
    folders = folders_to_apply(tmp_path, engine, files)
    built = build_many(find_engine(os.environ), folders, fallback=tmp_path)

    assert not same_objects(built, objects(files))


def test_yamllint_has_nothing_to_say_about_what_is_rendered() -> None:
    command = [sys.executable, "-m", "yamllint", "--strict", "-c", str(ROOT / ".yamllint.yaml")]
    ran = subprocess.run([*command, str(EXPECTED)], capture_output=True, text=True, check=False)

    assert (0, "") == (ran.returncode, ran.stdout)


@every_file_set
def test_nothing_is_rendered_that_can_run_a_finished_job_again(sample: str, engine: str) -> None:
    text = "\n".join(rendered(sample, engine).values())
    dangerous = ("selfHeal: true", "force: true", "Force=", "Replace=", "sync-wave", "hook:")

    assert [] == [word for word in dangerous if word in text]


def test_a_claim_is_exempt_from_every_way_in_which_an_engine_deletes() -> None:
    """Out of the overlay, with its Application, and by Flux."""
    argo_cd = KEPT["argocd.argoproj.io/sync-options"].split(",")

    assert {"Prune=false", "Delete=false"} == {*argo_cd}
    assert "disabled" == KEPT["kustomize.toolkit.fluxcd.io/prune"]


def test_a_long_name_is_cut_and_stays_different_from_others() -> None:
    """Flux writes the name of its Kustomization into a label."""
    source = Source(name="a" * 40, url="https://git.example.com/a")
    environments = ["e" * 62 + last for last in "xy"]
    names = {
        object_name(source, Destination(environment=each, namespace="n", file=""))
        for each in environments
    }

    assert [LONGEST_NAME] * 2 == [len(name) for name in names]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://git.example.com/ml/experiments.git", "experiments"),
        ("https://git.example.com/ml/experiments/", "experiments"),
        ("git@git.example.com:platform.git", "platform"),
        ("ssh://git@git.example.com:2222/ml/GPU_Jobs.git", "gpu-jobs"),
        ("https://git.example.com/2026", "genjob-2026"),
        ("https://git.example.com/___.git", "genjob"),
        ("https://git.example.com/" + "a" * 39 + "-b", "a" * 39),
    ],
)
def test_objects_are_named_after_the_repository(url: str, name: str) -> None:
    assert name == source_name(url)
