"""`genjob snapshot` keeps what a cluster has, through the real kubectl, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from genjob.authoring import editor
from genjob.document import read_document, value_of
from genjob.model.snapshot import Snapshot
from genjob.model.validation import validated
from tests.a_cluster import KUEUE, SECRET, cluster
from tests.api_server import serving
from tests.conftest import Ran
from tests.model_fields import every_field, written_fields

if TYPE_CHECKING:
    from tests.api_server import FakeCluster
    from tests.conftest import MakesWorkspace, RunsCommand

FILE = "environments/prod.snapshot.yaml"
ENVIRONMENT = """\
version: genjob/v1
name: prod
namespace: ml-prod
node_pools: [{name: h100, accelerator: h100, gpus_per_node: 8, node_selector: {pool: h100}}]
"""
EXPERIMENT = """\
version: genjob/v1
name: a
image: registry.example.com/train:1.0
script: train.py
resources: {accelerator: h100}
scheduling: {node_labels: {zone: [a, b]}, priority_class: high}
environments: {prod: {}}
"""
GOLDEN = Path(__file__).parent.parent / "data/snapshot.yaml"


@pytest.fixture
def workspace(repo: MakesWorkspace) -> Path:
    """Give a workspace with one environment and one experiment in it."""
    return repo(
        {"environments/prod.yaml": ENVIRONMENT, "experiments/a/experiment.yaml": EXPERIMENT}
    )


def taken(
    there: FakeCluster, root: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> Ran:
    """Take a snapshot of a cluster."""
    with serving(there, root.parent / "home") as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return run_cli("snapshot", "--env", "prod", "-C", root)


def test_the_file_says_what_the_cluster_has(
    workspace: Path,
    run_cli: RunsCommand,
    monkeypatch: pytest.MonkeyPatch,
    *,
    update_golden: bool,
) -> None:
    ran = taken(cluster(), workspace, run_cli, monkeypatch)
    text = (workspace / FILE).read_text(encoding="utf-8")
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8", newline="\n")

    assert Ran(0, f"created {FILE}\n", "") == ran
    assert GOLDEN.read_text(encoding="utf-8") == text


def test_the_file_has_nothing_that_is_secret_or_changes_by_itself() -> None:
    text = GOLDEN.read_text(encoding="utf-8")

    assert [] == [
        word
        for word in (SECRET, "gpu-1", "hostname", "unschedulable", "uid", "2026-", "http:")
        if word in text
    ]


def test_the_file_is_what_its_schema_and_its_model_say() -> None:
    document = read_document(GOLDEN.read_bytes(), FILE).document
    assert document is not None
    made, found = validated(Snapshot, document.data)
    errors = [*Draft202012Validator(editor.schema("snapshot")).iter_errors(value_of(document.data))]

    assert ([], []) == (found, errors)
    assert made is not None
    assert every_field(Snapshot) - {("Quota", "borrowing_limit")} == written_fields(
        Snapshot, document.data
    )


def test_the_order_in_which_a_cluster_lists_its_objects_does_not_count(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cluster()
    for kind in there.kinds:
        kind.items.reverse()
    taken(there, workspace, run_cli, monkeypatch)

    assert GOLDEN.read_bytes() == (workspace / FILE).read_bytes()


def test_a_second_snapshot_of_the_same_cluster_changes_nothing(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / FILE).write_bytes(GOLDEN.read_bytes())

    assert f"unchanged {FILE}\n" == taken(cluster(), workspace, run_cli, monkeypatch).stdout


def test_what_may_not_be_read_is_left_out_and_named(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cluster(forbidden=("nodes", "localqueues"))
    ran = taken(there, workspace, run_cli, monkeypatch)
    document = read_document((workspace / FILE).read_bytes(), FILE).document
    assert document is not None

    assert (0, "nodes left out: Error from server (Forbidden): nodes is forbidden\n") == (
        ran.exit_code,
        ran.stderr,
    )
    assert "nodes" not in document.data
    assert [{"namespace": "ml-prod", "name": "nlp-prod", "cluster_queue": "train"}] == (
        document.data["local_queues"]
    )


def test_of_queues_that_may_not_even_be_read_in_the_namespace_nothing_is_kept(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = f"/apis/{KUEUE}/namespaces/ml-prod/localqueues"
    ran = taken(cluster(forbidden=("localqueues", here)), workspace, run_cli, monkeypatch)

    assert (0, True) == (ran.exit_code, ran.stderr.startswith("local_queues left out: Error"))
    assert "local_queues" not in (workspace / FILE).read_text(encoding="utf-8")


def test_a_cluster_without_kueue_is_known_to_have_no_queues(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cluster()
    there.kinds[:] = [kind for kind in there.kinds if "kueue" not in kind.version]
    ran = taken(there, workspace, run_cli, monkeypatch)
    document = read_document((workspace / FILE).read_bytes(), FILE).document
    assert document is not None

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert ([], {}, {}) == tuple(
        document.data[section] for section in ("local_queues", "cluster_queues", "flavors")
    )


def test_without_a_cluster_nothing_is_written(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(workspace / "none"))
    ran = run_cli("snapshot", "--env", "prod", "-C", workspace)

    assert (3, "") == (ran.exit_code, ran.stdout)
    assert ran.stderr.startswith("genjob: kubectl cannot reach the cluster: ")
    assert not (workspace / FILE).exists()


def test_an_environment_that_does_not_exist_has_no_snapshot(
    workspace: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli("snapshot", "--env", "prdo", "-C", workspace)

    assert 1 == ran.exit_code
    assert "there is no environment 'prdo'" in ran.stderr


def test_an_environment_that_cannot_be_read_has_no_snapshot(
    workspace: Path, run_cli: RunsCommand
) -> None:
    (workspace / "environments/prod.yaml").write_text("name: prod\n", encoding="utf-8")
    ran = run_cli("snapshot", "--env", "prod", "-C", workspace)

    assert 1 == ran.exit_code
    assert "[GJ102]" in ran.stderr


def test_the_checks_use_the_snapshot_that_was_taken(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = EXPERIMENT.replace("node_labels: {zone: [a, b]}, ", "")
    (workspace / "experiments/a/experiment.yaml").write_text(text, encoding="utf-8")
    taken(cluster(), workspace, run_cli, monkeypatch)
    ran = run_cli("validate", "-C", workspace)

    assert "'nvidia.com/gpu=present:NoSchedule' is not tolerated [GJ848]" in ran.stderr
