"""A lock that was lost, edited or merged is a finding with a repair; nothing is written before."""

from __future__ import annotations

import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.rendered_workspace import read_texts
from tests.runs.a_workspace import DEV, EXPERIMENT, PROD, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

OVERLAY = "overlays/prod/a"
LOCK = f"{OVERLAY}/run.lock"


@pytest.fixture
def workspace(repo: MakesWorkspace, run_cli: RunsCommand) -> Workspace:
    """Give a workspace that was rendered once."""
    return Workspace.rendered(repo, run_cli)


def rewritten(pattern: str, text: str) -> Callable[[str], str]:
    """Return a change of a lock."""

    def change(lock: str) -> str:
        found = re.sub(pattern, text, lock)
        assert found != lock
        return found

    return change


DAMAGED: dict[str, tuple[str, Callable[[str], str]]] = {
    "of a conflict": ("GJ710", rewritten(r"(own: .*\n)", r"<<<<<<< ours\n\1=======\n>>>>>>> b\n")),
    "cut short": ("GJ710", rewritten(r"own: .*\n", "")),
    "of a newer version": ("GJ710", rewritten("genjob/v1", "genjob/v2")),
    "of another run": ("GJ712", rewritten(r"run: .*", "run: a-0a1b2c3d")),
}
"""A lock → the code of its finding, and what happened to it; no run needs to be held."""


@pytest.mark.parametrize("what", DAMAGED)
def test_a_lock_is_refused_and_repaired_by_what_is_advised(what: str, workspace: Workspace) -> None:
    code, change = DAMAGED[what]
    whole = workspace.text(LOCK)
    (workspace.root / LOCK).write_bytes(change(whole).encode())
    before = read_texts(workspace.root)

    ran = workspace.genjob("render", "--all")

    assert 1 == ran.exit_code
    assert f"[{code}]" in ran.stderr
    assert before == read_texts(workspace.root)
    repaired(workspace, ran.stderr)


def repaired(workspace: Workspace, said: str) -> None:
    """Run the command that a hint advises; what is rendered then holds the laws."""
    advised = re.findall("`genjob (render [^`]*)`", said)
    assert ["render a --env prod --rerun a"] == sorted(set(advised))
    workspace.render(*shlex.split(advised[0])[1:])
    assert workspace.holds_the_laws()


def test_a_lost_lock_is_refused_and_repaired(workspace: Workspace) -> None:
    (workspace.root / LOCK).unlink()
    before = read_texts(workspace.root)

    ran = workspace.genjob("render", "--all")

    assert f"{LOCK}:1:1: error: the lock of the run is missing: '{LOCK}' [GJ711]" in ran.stderr
    assert before == read_texts(workspace.root)
    repaired(workspace, ran.stderr)


@pytest.mark.parametrize("command", ["validate", "verify", "build"])
def test_every_command_reports_a_lock(command: str, workspace: Workspace) -> None:
    (workspace.root / LOCK).unlink()

    ran = workspace.genjob(command, *(("a", "--env", "prod") if command == "build" else ()))

    assert 1 == ran.exit_code
    assert "[GJ711]" in ran.stderr


def edited_base(workspace: Workspace) -> None:
    workspace.edit("bases/a/pytorchjob.yaml", "cleanPodPolicy: Running", "cleanPodPolicy: All")


def edited_overlay(workspace: Workspace) -> None:
    workspace.edit(f"{OVERLAY}/config.patch.yaml", "value: x", "value: z")


def lost_patch(workspace: Workspace) -> None:
    (workspace.root / OVERLAY / "patch.yaml").unlink()


def other_hash(workspace: Workspace) -> None:
    text = re.sub(r'objects: "?[0-9a-f]{64}"?', f"objects: {'a' * 64}", workspace.text(LOCK))
    (workspace.root / LOCK).write_bytes(text.encode())


SPOILERS = (edited_base, edited_overlay, lost_patch, other_hash)


@pytest.mark.parametrize("spoil", SPOILERS)
def test_a_held_run_is_not_taken_from_what_somebody_edited(
    spoil: Callable[[Workspace], None], workspace: Workspace
) -> None:
    spoil(workspace)
    workspace.edit(PROD, "REGION: eu", "REGION: us")
    before = read_texts(workspace.root)

    ran = workspace.genjob("render", "--all")

    assert 1 == ran.exit_code
    assert f"{LOCK}:1:1: error: the lock does not fit to what is committed: " in ran.stderr
    assert before == read_texts(workspace.root)
    repaired(workspace, ran.stderr)


@pytest.mark.parametrize("spoil", SPOILERS)
def test_what_somebody_edited_of_any_other_run_is_rendered_again(
    spoil: Callable[[Workspace], None], workspace: Workspace
) -> None:
    before = read_texts(workspace.root)
    spoil(workspace)

    assert 1 == workspace.genjob("render", "--all", "--check").exit_code
    workspace.render()

    assert before == read_texts(workspace.root)


def test_a_policy_that_somebody_wrote_into_an_overlay_does_not_stay(workspace: Workspace) -> None:
    """Though the policy of a run that goes on stays as it was committed."""
    text = "- op: add\n  path: /spec/runPolicy/suspend\n  value: true\n- op: "
    patch = workspace.text(f"{OVERLAY}/patch.yaml").replace("- op: ", text, 1)
    (workspace.root / OVERLAY / "patch.yaml").write_bytes(patch.encode())
    workspace.edit(PROD, "defaults: {", "defaults: {run_policy: {backoff_limit: 7}, ")

    workspace.render()

    assert "suspend" not in workspace.job()["spec"]["runPolicy"]


GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")


def git(root: Path, *words: str) -> str:
    """Run git; return what it prints, a failure of a merge too."""
    done = subprocess.run([*GIT, *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout


def test_two_branches_that_start_runs_conflict_in_the_lock(workspace: Workspace) -> None:
    root = workspace.root
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=first")
    for branch, old, new in (
        ("one", "train:1.0", "train:1.1"),
        ("two", "LR: 1e-4", "LR: 2e-4"),
    ):
        git(root, "checkout", "--quiet", "-b", branch, "main")
        workspace.edit(EXPERIMENT, old, new)
        workspace.render()
        git(root, "commit", "--quiet", "--all", f"--message={branch}")

    merge = git(root, "merge", "one")

    assert f"CONFLICT (content): Merge conflict in {LOCK}" in merge
    ran = workspace.genjob("render", "--all")
    assert "found a Git conflict marker" in ran.stderr
    git(root, "checkout", "main", "--", "overlays", "bases")
    workspace.render()
    container = workspace.job()["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]
    assert "train:1.1" == container["containers"][0]["image"]
    assert "2e-4" in str(container)
    assert workspace.holds_the_laws()


def test_an_edit_of_one_environment_merges_with_that_of_another(workspace: Workspace) -> None:
    root = workspace.root
    workspace.edit(EXPERIMENT, "{dev: {nodes: 1}, prod: {}}", "\n  dev: {nodes: 1}\n\n\n  prod: {}")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=first")
    for branch, old, new in (
        ("one", "prod: {}", "prod: {args: [-v]}"),
        ("two", "nodes: 1}", "nodes: 3}"),
    ):
        git(root, "checkout", "--quiet", "-b", branch, "main")
        workspace.edit(EXPERIMENT, old, new)
        workspace.render()
        git(root, "commit", "--quiet", "--all", f"--message={branch}")

    git(root, "merge", "--quiet", "one")

    assert "is what would be rendered" in workspace.render("--all", "--check")


def test_an_overlay_of_another_environment_stays_with_its_base(workspace: Workspace) -> None:
    """`--env prod` changes the base; the held run of dev is written again, as it was."""
    before = workspace.reaches_pods("dev"), workspace.run("dev")
    workspace.edit(DEV, "ml-dev\n", "ml-dev\ndefaults: {env: {REGION: us}}\n")
    workspace.edit(EXPERIMENT, "nodes: 2", "nodes: 2\nlabels: {team: nlp}")

    said = workspace.render("--env", "prod")

    assert "1 run held: dev changed REGION (a)\n" in said
    assert before == (workspace.reaches_pods("dev"), workspace.run("dev"))
    assert "is what would be rendered" in workspace.render("--all", "--check")


def test_a_base_does_not_change_below_an_overlay_that_cannot_be_rendered(
    workspace: Workspace,
) -> None:
    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")
    workspace.edit(DEV, "namespace", "name_space")
    before = read_texts(workspace.root)

    ran = workspace.genjob("render", "--env", "prod")

    assert 1 == ran.exit_code
    said = "error: the base changes, and 'overlays/dev/a' cannot be rendered with it [GJ715]"
    assert said in ran.stderr
    assert before == read_texts(workspace.root)


def test_a_base_that_stays_does_not_need_the_other_environments(workspace: Workspace) -> None:
    workspace.edit(EXPERIMENT, "prod: {}", "prod: {args: [-v]}")
    workspace.edit(DEV, "namespace", "name_space")

    workspace.render("--env", "prod")


def test_an_overlay_that_the_experiment_left_goes_with_a_changed_base(workspace: Workspace) -> None:
    workspace.edit(EXPERIMENT, "dev: {nodes: 1}, ", "")
    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")

    said = workspace.render("--env", "prod")

    assert "removed overlays/dev/a/run.lock\n" in said
    assert [] == sorted((workspace.root / "overlays/dev").rglob("*.yaml"))
    assert "is what would be rendered" in workspace.render("--all", "--check")
