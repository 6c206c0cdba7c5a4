"""What a snapshot adds to the checks, and that it never changes what is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.rendering import Selection, plan, render
from genjob.workspace.loading import load

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

ENVIRONMENT = """\
version: genjob/v1
name: prod
namespace: ml-prod
node_pools:
  - {name: v100, accelerator: v100, gpus_per_node: 4, node_selector: {pool: v100}}
queues: {nlp: {local_queue: nlp}}
"""
EXPERIMENT = """\
version: genjob/v1
name: NAME
image: registry.example.com/train:1.0
script: train.py
nodes: 2
resources: {accelerator: v100, gpus_per_node: 4, shm_size: 8Gi}
run_policy: {backoff_limit: 3}
environments: {prod: {MORE}}
"""
HEAD = "version: genjob/v1\nname: prod\n"
QUEUES = """\
local_queues: [{namespace: ml-prod, name: nlp, cluster_queue: train}]
cluster_queues: {train: {COHORTquotas: [{resource: nvidia.com/gpu, flavor: v100, nominal: 12}]}}
"""
NODES = """\
node_labels: [pool]
nodes:
  - count: 3
    labels: {pool: v100}
    taints: [TAINT]
    allocatable: {cpu: 64, memory: 200Gi, nvidia.com/gpu: 4}
"""


def workspace(repo: MakesWorkspace, snapshot: str | None, more: str = "", runs: int = 2) -> Path:
    """Return a workspace with some runs, and a snapshot unless there is none."""
    files: dict[str, str | bytes] = {
        f"experiments/run-{index}/experiment.yaml": EXPERIMENT.replace(
            "NAME", f"run-{index}"
        ).replace("MORE", more)
        for index in range(runs)
    }
    if snapshot is not None:
        files["environments/prod.snapshot.yaml"] = HEAD + snapshot
    return repo(files | {"environments/prod.yaml": ENVIRONMENT})


def codes(root: Path) -> list[str]:
    """Return the codes of the warnings that a workspace has, each once."""
    found = render(load(root), Selection()).diagnostics
    return sorted({each.code for each in found if each.code >= "GJ840"})


@pytest.mark.parametrize("snapshot", ["", "nodes: []\nnode_labels: [pool]\n", NODES, QUEUES])
def test_a_snapshot_never_changes_what_is_rendered(repo: MakesWorkspace, snapshot: str) -> None:
    snapshot = snapshot.replace("TAINT", "").replace("COHORT", "")
    root = workspace(repo, snapshot)
    having = load(root)
    with_it = plan(having, render(having, Selection()), Selection())
    (root / "environments/prod.snapshot.yaml").unlink()
    lacking = load(root)

    assert plan(lacking, render(lacking, Selection()), Selection()) == with_it


@pytest.mark.parametrize(
    ("cohort", "expected"), [("", ["GJ845"]), ("cohort: all, ", [])], ids=["alone", "in a cohort"]
)
def test_the_quota_of_the_snapshot_counts_where_the_environment_says_none(
    repo: MakesWorkspace, cohort: str, expected: list[str]
) -> None:
    root = workspace(repo, QUEUES.replace("COHORT", cohort), "scheduling: {queue: nlp}")

    assert expected == [code for code in codes(root) if code != "GJ853"]


def test_the_nodes_of_the_snapshot_count_where_the_environment_says_none(
    repo: MakesWorkspace,
) -> None:
    nodes = NODES.replace("TAINT", "")

    assert [] == codes(workspace(repo, None))
    assert ["GJ846"] == codes(workspace(repo, nodes))
    assert [] == codes(workspace(repo, nodes, "nodes: 1"))


@pytest.mark.parametrize(
    ("version", "key", "expected"),
    [
        ("v1.31.4-gke.1204000", "nvidia.com/gpu", []),
        ("v1.31.4-gke.1204000", "team", ["GJ848"]),
        ("v1.31.4", "nvidia.com/gpu", ["GJ848"]),
    ],
)
def test_gke_tolerates_the_taint_of_a_device_by_itself(
    repo: MakesWorkspace, version: str, key: str, expected: list[str]
) -> None:
    nodes = NODES.replace("TAINT", f"{{key: {key}, effect: NoSchedule}}")

    assert expected == codes(workspace(repo, f"kubernetes: {version}\n{nodes}", runs=1))


def test_of_a_queue_whose_flavors_are_not_known_no_taint_is_reported(
    repo: MakesWorkspace,
) -> None:
    nodes = NODES.replace("TAINT", "{key: team, effect: NoSchedule}")

    assert [] == codes(workspace(repo, nodes, "scheduling: {queue: nlp}", runs=1))


def test_a_snapshot_that_is_wrong_leaves_the_rest_checked(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = workspace(repo, "nodes: [{count: none}]\n", "nodes: 0")
    ran = run_cli("validate", "--env", "prod", "-C", root)

    assert "environments/prod.snapshot.yaml:3:17: error: " in ran.stderr
    assert "experiments/run-0/experiment.yaml:8:" in ran.stderr


def test_another_environment_alone_says_nothing_of_this_snapshot(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = workspace(repo, "nodes: [{count: none}]\n")
    dev = ENVIRONMENT.replace("prod", "dev")
    (root / "environments/dev.yaml").write_text(dev, encoding="utf-8")
    ran = run_cli("validate", "--env", "dev", "-C", root)

    assert (0, "") == (ran.exit_code, ran.stderr)
