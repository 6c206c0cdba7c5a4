"""`genjob suspend` and `genjob resume` edit Git: one field of one environment, then a render."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rendered_workspace import read_texts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

FILE = "experiments/llama/experiment.yaml"
PATCH = "overlays/prod/llama/patch.yaml"
LOCK = "overlays/prod/llama/run.lock"
HEAD = """\
version: genjob/v1
name: llama   # as its folder
image: train:1.10
script: train.py
"""
STYLES = {
    "prod: {nodes: 2}  # c\n": "prod: {nodes: 2, run_policy: {suspend: true}}  # c\n",
    "prod: {}\n": "prod: {run_policy: {suspend: true}}\n",
    "prod:\n    nodes: 2\n    # c\n": (
        "prod:\n    nodes: 2\n    run_policy:\n      suspend: true\n    # c\n"
    ),
    "prod: {run_policy: {backoff_limit: 3}}\n": (
        "prod: {run_policy: {backoff_limit: 3, suspend: true}}\n"
    ),
    "prod:\n    run_policy:\n      backoff_limit: 3  # c\n": (
        "prod:\n    run_policy:\n      backoff_limit: 3  # c\n      suspend: true\n"
    ),
}


def workspace_of(repo: MakesWorkspace, run_cli: RunsCommand, experiment: str) -> Path:
    """Return a rendered workspace with one experiment, whose first lines are `HEAD`."""
    root = repo(
        {
            FILE: HEAD + experiment,
            "environments/dev.yaml": "version: genjob/v1\nname: dev\nnamespace: ml-dev\n",
            "environments/prod.yaml": "version: genjob/v1\nname: prod\nnamespace: ml-prod\n",
        }
    )
    run_cli("render", "--all", "-C", root)
    return root


def text(root: Path) -> str:
    return (root / FILE).read_text(encoding="utf-8").removeprefix(HEAD)


@pytest.mark.parametrize("style", STYLES)
def test_suspend_sets_one_field_and_resume_takes_it_back(
    repo: MakesWorkspace, run_cli: RunsCommand, style: str
) -> None:
    root = workspace_of(repo, run_cli, f"environments:\n  dev: {{}}\n  {style}")
    before = read_texts(root)
    ran = run_cli("suspend", "llama", "--env", "prod", "-C", root)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert f"environments:\n  dev: {{}}\n  {STYLES[style]}" == text(root)
    changed = {path for path, content in read_texts(root).items() if content != before[path]}
    assert {FILE, PATCH, LOCK} == changed
    assert "suspend" in (root / PATCH).read_text("utf-8")
    assert run_cli("render", "--all", "--check", "-C", root).exit_code == 0
    assert run_cli("resume", "llama", "--env", "prod", "-C", root).exit_code == 0
    assert before == read_texts(root)


def test_both_say_when_it_takes_effect(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    root = workspace_of(repo, run_cli, "environments: {prod: {}}\n")
    suspended = run_cli("suspend", "llama", "--env", "prod", "-C", root)
    resumed = run_cli("resume", "llama", "--env", "prod", "-C", root)
    rewrote = f"rewrote {FILE}\nrewrote {PATCH}\nrewrote {LOCK}\n"

    assert (
        f"{rewrote}experiment 'llama' is suspended in 'prod'\n"
        "it takes effect when this is committed and synced: the operator then deletes the pods and "
        "keeps the job\n"
    ) == suspended.stdout
    assert (
        f"{rewrote}experiment 'llama' is not suspended in 'prod'\n"
        "it takes effect when this is committed and synced: the operator then makes the pods "
        "again\n"
    ) == resumed.stdout


@pytest.mark.parametrize(
    ("verb", "experiment", "said"),
    [
        ("suspend", "environments: {prod: {run_policy: {suspend: true}}}\n", "is suspended"),
        ("resume", "environments: {prod: {run_policy: {backoff_limit: 3}}}\n", "is not suspended"),
    ],
)
def test_what_is_so_already_is_left(
    repo: MakesWorkspace, run_cli: RunsCommand, verb: str, experiment: str, said: str
) -> None:
    root = workspace_of(repo, run_cli, experiment)
    before = read_texts(root)
    ran = run_cli(verb, "llama", "--env", "prod", "-C", root)

    assert (0, f"experiment 'llama' {said} in 'prod'\n", "") == (
        ran.exit_code,
        ran.stdout,
        ran.stderr,
    )
    assert before == read_texts(root)


def test_resume_in_one_environment_of_a_suspended_experiment(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    experiment = "run_policy: {suspend: true}\nenvironments: {dev: {}, prod: {}}\n"
    root = workspace_of(repo, run_cli, experiment)
    ran = run_cli("resume", "llama", "--env", "prod", "-C", root)

    assert 0 == ran.exit_code
    assert experiment.replace("prod: {}", "prod: {run_policy: {suspend: false}}") == text(root)


@pytest.mark.parametrize("verb", ["suspend", "resume"])
def test_a_job_with_a_queue_is_for_kueue_to_suspend(
    repo: MakesWorkspace, run_cli: RunsCommand, verb: str
) -> None:
    root = workspace_of(repo, run_cli, "scheduling: {queue: team-nlp}\nenvironments: {prod: {}}\n")
    before = read_texts(root)
    ran = run_cli(verb, "llama", "--env", "prod", "-C", root)

    assert (1, "") == (ran.exit_code, ran.stdout)
    assert (
        f"{FILE}:5:21: error: the job is in queue 'team-nlp': its 'suspend' belongs to Kueue, not "
        "to Git [GJ606]\n"
        "5 | scheduling: {queue: team-nlp}\n"
        "  |                     ^~~~~~~~\n"
        "  hint: deactivate its Workload instead: `kubectl patch workload NAME --type merge "
        '--patch \'{"spec": {"active": false}}\'`; true lets it wait for its turn again\n'
        "1 error in 1 file\n"
    ) == ran.stderr
    assert before == read_texts(root)


def test_resume_takes_out_a_suspend_that_stands_beside_a_queue(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    experiment = "scheduling: {queue: q}\nenvironments: {prod: {run_policy: {suspend: true}}}\n"
    root = workspace_of(repo, run_cli, experiment)
    ran = run_cli("resume", "llama", "--env", "prod", "-C", root)

    assert 0 == ran.exit_code
    assert experiment.replace("{run_policy: {suspend: true}}", "{}") == text(root)


@pytest.mark.parametrize("verb", ["suspend", "resume"])
def test_a_dry_run_prints_the_diff_and_writes_nothing(
    repo: MakesWorkspace, run_cli: RunsCommand, verb: str
) -> None:
    root = workspace_of(repo, run_cli, "environments: {prod: {run_policy: {suspend: false}}}\n")
    before = read_texts(root)
    ran = run_cli(verb, "llama", "--env", "prod", "--dry-run", "-C", root)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert ran.stdout.startswith(f"--- a/{FILE}\n+++ b/{FILE}\n")
    assert "\n-environments: {prod: {run_policy: {suspend: false}}}\n" in ran.stdout
    assert f"--- a/{PATCH}\n" in ran.stdout
    assert before == read_texts(root)


@pytest.mark.parametrize("verb", ["suspend", "resume"])
def test_unknown_names_are_findings(repo: MakesWorkspace, run_cli: RunsCommand, verb: str) -> None:
    root = workspace_of(repo, run_cli, "environments: {prod: {}}\n")

    assert "[GJ109]" in run_cli(verb, "llma", "--env", "prod", "-C", root).stderr
    assert "[GJ108]" in run_cli(verb, "llama", "--env", "pord", "-C", root).stderr
    assert (
        "Error: experiment 'llama' does not run in 'dev'; it runs in 'prod'\n"
        == run_cli(verb, "llama", "--env", "dev", "-C", root).stderr
    )


def test_other_mistakes_stop_it_before_anything_is_written(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = workspace_of(repo, run_cli, "node: 2\nenvironments: {prod: {}}\n")
    before = read_texts(root)
    ran = run_cli("suspend", "llama", "--env", "prod", "-C", root)

    assert 1 == ran.exit_code
    assert f"{FILE}:5:1: error: unknown key 'node' [GJ101]" in ran.stderr
    assert before == read_texts(root)
