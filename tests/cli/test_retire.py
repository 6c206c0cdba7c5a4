"""`genjob retire` takes a run out of Git, with what was rendered for it, and says what stays."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.rendered_workspace import read_texts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

FILE = "experiments/llama/experiment.yaml"
EXPERIMENT = """\
version: genjob/v1
name: llama   # as its folder
image: train:1.10
script: train.py
args: [--lr=1e-4]
storage:
  - {name: checkpoints, mount_path: /out, pvc: {size: 10Gi}}
  - {name: data, mount_path: /data, pvc: {claim: training-data}}

environments:  # where it runs
  # to try it
  dev: {nodes: 1}  # one machine

  # the real one
  prod:
    nodes: 2
    # nodes: 4
"""
WORKSPACE = {
    FILE: EXPERIMENT,
    **{
        f"environments/{name}.yaml": f"version: genjob/v1\nname: {name}\nnamespace: ml-{name}\n"
        "provides: {pvcs: [training-data]}\n"
        for name in ("dev", "prod")
    },
}
DEV = "  # to try it\n  dev: {nodes: 1}  # one machine\n"
PROD = "  # the real one\n  prod:\n    nodes: 2\n    # nodes: 4\n"


@pytest.fixture
def workspace(repo: MakesWorkspace, run_cli: RunsCommand) -> Path:
    """Give a rendered workspace whose experiment runs in two environments."""
    root = repo(WORKSPACE)
    assert run_cli("render", "--all", "-C", root).exit_code == 0
    return root


def text(workspace: Path) -> str:
    return (workspace / FILE).read_text(encoding="utf-8")


def test_one_environment_goes_with_its_overlay_and_its_comments(
    workspace: Path, run_cli: RunsCommand
) -> None:
    before = read_texts(workspace)
    ran = run_cli("retire", "llama", "--env", "dev", "-C", workspace)
    after = read_texts(workspace)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert EXPERIMENT.replace(DEV, "") == after.pop(FILE)
    assert after == {
        path: content
        for path, content in before.items()
        if path != FILE and not path.startswith("overlays/dev/")
    }
    assert run_cli("render", "--all", "--check", "-C", workspace).exit_code == 0


def test_it_says_what_went_and_what_stays(workspace: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("retire", "llama", "--env", "dev", "-C", workspace)
    first, *_, retired, kept, advice = ran.stdout.splitlines()

    assert f"rewrote {FILE}" == first
    assert "removed overlays/dev/llama/patch.yaml" in ran.stdout
    assert "experiment 'llama' is retired in 'dev'" == retired
    assert (
        "PersistentVolumeClaim 'ml-dev/llama-checkpoints' stays in 'dev' with its data; when "
        "nothing needs it any more, `kubectl delete pvc llama-checkpoints --namespace ml-dev` "
        "deletes it for good"
    ) == kept
    assert "commit this; when it is synced, the run ends and its pods are deleted" == advice
    assert "training-data" not in ran.stdout


def test_the_last_environment_takes_the_base_with_it(workspace: Path, run_cli: RunsCommand) -> None:
    run_cli("retire", "llama", "--env", "dev", "-C", workspace)
    run_cli("retire", "llama", "--env", "prod", "-C", workspace)

    assert EXPERIMENT.replace(DEV, "").replace(PROD, "").replace(
        "environments:", "environments: {}"
    ) == text(workspace)
    assert not (workspace / "bases").exists()
    assert not (workspace / "overlays").exists()


def test_without_an_environment_it_is_retired_everywhere(
    workspace: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli("retire", "llama", "-C", workspace)

    assert "experiment 'llama' is retired in 'dev' and 'prod'\n" in ran.stdout
    assert "PersistentVolumeClaim 'ml-prod/llama-checkpoints' stays in 'prod'" in ran.stdout
    assert "environments: {}  # where it runs\n" in text(workspace)
    assert not (workspace / "bases").exists()


def test_what_runs_nowhere_is_retired_already(workspace: Path, run_cli: RunsCommand) -> None:
    run_cli("retire", "llama", "-C", workspace)
    before = read_texts(workspace)
    ran = run_cli("retire", "llama", "-C", workspace)

    assert "experiment 'llama' runs nowhere: there is nothing to retire\n" == ran.stdout
    assert before == read_texts(workspace)


def test_a_dry_run_prints_the_diff_that_git_would_apply(
    workspace: Path, run_cli: RunsCommand, tmp_path: Path
) -> None:
    before = read_texts(workspace)
    patch = tmp_path / "retire.patch"
    patch.write_bytes(run_cli("retire", "llama", "--dry-run", "-C", workspace).stdout.encode())

    assert before == read_texts(workspace)
    run_cli("retire", "llama", "-C", workspace)
    wanted = read_texts(workspace)
    for path, content in before.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_bytes(content.encode())
    subprocess.run(["git", "apply", str(patch)], cwd=workspace, check=True)
    assert wanted == read_texts(workspace)


def test_an_environment_whose_file_is_gone_can_be_left(
    workspace: Path, run_cli: RunsCommand
) -> None:
    (workspace / "environments/dev.yaml").unlink()
    ran = run_cli("retire", "llama", "--env", "dev", "-C", workspace)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert not (workspace / "overlays/dev").exists()
    assert "`kubectl delete pvc llama-checkpoints` deletes it" in ran.stdout


def test_an_unknown_experiment_is_a_finding(workspace: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("retire", "llma", "-C", workspace)

    assert 1 == ran.exit_code
    assert "there is no experiment 'llma' [GJ109]\n  hint: did you mean 'llama'?" in ran.stderr


def test_an_unknown_environment_is_a_finding(workspace: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("retire", "llama", "--env", "pord", "-C", workspace)

    assert 1 == ran.exit_code
    assert "there is no environment 'pord' [GJ108]\n  hint: did you mean 'prod'?" in ran.stderr
    assert EXPERIMENT == text(workspace)


def test_an_environment_where_it_does_not_run_is_refused(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo({**WORKSPACE, FILE: EXPERIMENT.replace(DEV, "")})
    ran = run_cli("retire", "llama", "--env", "dev", "-C", root)

    assert 1 == ran.exit_code
    assert "Error: experiment 'llama' does not run in 'dev'; it runs in 'prod'\n" == ran.stderr


@pytest.mark.parametrize(
    ("broken", "code"), [("name: [\n", "GJ001"), ("version: &a genjob/v1\n", "GJ014")]
)
def test_a_file_that_cannot_be_read_is_a_finding(
    workspace: Path, run_cli: RunsCommand, broken: str, code: str
) -> None:
    (workspace / FILE).write_text(broken, encoding="utf-8")
    before = read_texts(workspace)
    ran = run_cli("retire", "llama", "-C", workspace)

    assert 1 == ran.exit_code
    assert f"[{code}]" in ran.stderr
    assert before == read_texts(workspace)


def test_a_mistake_in_what_is_left_stops_it_before_anything_is_written(
    workspace: Path, run_cli: RunsCommand
) -> None:
    (workspace / FILE).write_text(EXPERIMENT.replace("nodes: 2", "node: 2"), encoding="utf-8")
    before = read_texts(workspace)
    ran = run_cli("retire", "llama", "--env", "dev", "-C", workspace)

    assert 1 == ran.exit_code
    assert f"{FILE}:14:5: error: unknown key 'node' [GJ101]\n14 |     node: 2\n" in ran.stderr
    assert before == read_texts(workspace)


def test_another_environment_without_a_file_stops_it(workspace: Path, run_cli: RunsCommand) -> None:
    (workspace / "environments/prod.yaml").unlink()
    ran = run_cli("retire", "llama", "--env", "dev", "-C", workspace)

    assert 1 == ran.exit_code
    assert f"{FILE}:13:3: error: there is no environment 'prod' [GJ108]\n" in ran.stderr
    assert EXPERIMENT == text(workspace)


def test_an_edit_that_cannot_be_made_changes_nothing(workspace: Path, run_cli: RunsCommand) -> None:
    twice = EXPERIMENT.replace(DEV, f"{DEV}  dev: {{}}\n")
    (workspace / FILE).write_text(twice, encoding="utf-8")
    ran = run_cli("retire", "llama", "--env", "dev", "-C", workspace)

    assert 1 == ran.exit_code
    assert (
        f"Error: cannot edit 'environments.dev' of {FILE}: it cannot be done without touching what "
        "is around it\n"
    ) == ran.stderr
    assert twice == text(workspace)
