"""Edits of an experiment, rendered and applied: which of them start a run, and which do not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from genjob.rules.walk import get
from tests.cluster.api import PYTORCHJOBS, eventually
from tests.cluster.overlays import built, provide
from tests.cluster.running_jobs import pods_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import Json, JsonObject
    from tests.cluster.api import Cluster
    from tests.conftest import MakesWorkspace, RunsCommand

EXPERIMENT = "experiments/train/experiment.yaml"
ENVIRONMENT = "environments/dev.yaml"
FILES = {
    EXPERIMENT: """\
version: genjob/v1
name: train
image: train:1.0
script: train.py
args: [--lr=1e-4]
nodes: 2
labels: {team: nlp}
environments: {dev: {}}
""",
    ENVIRONMENT: """\
version: genjob/v1
name: dev
namespace: NAMESPACE
defaults: {env: {SITE: north}}
""",
}


@pytest.fixture
def engine(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand, request: pytest.FixtureRequest
) -> Callable[..., JsonObject]:
    """Give a function that edits a file, renders, and applies as a GitOps engine without prune."""
    namespace = re.sub(r"[^a-z0-9]+", "-", request.node.name)[:60].strip("-")
    root = repo({path: text.replace("NAMESPACE", namespace) for path, text in FILES.items()})

    def applied(path: str = EXPERIMENT, old: str = "", new: str = "") -> JsonObject:
        file = root / path
        file.write_text(file.read_text("utf-8").replace(old, new), encoding="utf-8")
        assert run_cli("render", "--all", "-C", root).exit_code == 0
        overlay = built(root / "overlays/dev/train")
        provide(cluster, overlay)
        assert all(cluster.apply(body).is_accepted for body in overlay.objects)
        return overlay.job

    return applied


def uids(cluster: Cluster, job: JsonObject) -> set[Json]:
    """Wait for the two pods of a job; return what tells them from others of their names."""
    pods = eventually(lambda: pods_of(cluster, job), lambda found: len(found) == 2)
    return {get(pod, "metadata", "uid") for pod in pods.values()}


def test_an_edit_of_what_runs_is_a_new_run_beside_the_old_one(
    cluster: Cluster, engine: Callable[..., JsonObject]
) -> None:
    first = engine()
    old = uids(cluster, first)
    second = engine(EXPERIMENT, "1e-4", "3e-4")
    new = uids(cluster, second)
    namespace = str(get(first, "metadata", "namespace"))

    assert len(old) == len(new) == 2
    assert not old & new
    assert [get(first, "metadata", "name"), get(second, "metadata", "name")] in (
        names := [get(each, "metadata", "name") for each in cluster.items(PYTORCHJOBS, namespace)],
        names[::-1],
    )
    assert old == uids(cluster, first)  # pruning it is the engine's part


def test_an_edit_of_labels_starts_nothing(
    cluster: Cluster, engine: Callable[..., JsonObject]
) -> None:
    first = engine()
    before = uids(cluster, first)
    second = engine(EXPERIMENT, "team: nlp", "team: vision")

    assert get(first, "metadata", "name") == get(second, "metadata", "name")
    assert "vision" == get(cluster.get(second), "metadata", "labels", "team")
    assert before == uids(cluster, second)


def test_an_edit_of_the_environment_is_held_back_from_a_run(
    cluster: Cluster, engine: Callable[..., JsonObject]
) -> None:
    first = engine()
    before = uids(cluster, first)
    stored = cluster.get(first)
    second = engine(ENVIRONMENT, "SITE: north", "SITE: south")

    assert first == second
    assert get(stored, "metadata", "generation") == get(
        cluster.get(second), "metadata", "generation"
    )
    assert before == uids(cluster, second)
