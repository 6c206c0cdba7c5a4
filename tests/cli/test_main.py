"""The command line: exit codes, help with an example, and a start that imports little."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import genjob
from genjob.cli.main import COMMANDS

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

CHECKOUT = Path(__file__).parents[2]
HEAVY = frozenset({"pydantic", "yaml", "jsonschema", "jsonschema_rs"})
EXPERIMENT = "experiments/a/experiment.yaml"
WORKSPACE = {
    EXPERIMENT: "version: genjob/v1\nname: a\nimage: b\nscript: c\nenvironments: {dev: {}}\n",
    "environments/dev.yaml": "version: genjob/v1\nname: dev\nnamespace: ml-dev\n",
}


def test_a_sound_workspace_ends_in_0(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    ran = run_cli("validate", "-C", repo(WORKSPACE))

    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "1 experiment, no findings\n", "")


def test_a_finding_ends_in_1(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    files = WORKSPACE | {EXPERIMENT: WORKSPACE[EXPERIMENT] + "nodes: four\n"}

    ran = run_cli("validate", "-C", repo(files))

    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"{EXPERIMENT}:6:8: error: found 'four'")


def test_a_warning_counts_only_when_it_is_asked_to(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo(WORKSPACE | {EXPERIMENT: WORKSPACE[EXPERIMENT] + 'env: {RANK: "0"}\n'})

    assert (0, 1) == (
        run_cli("validate", "-C", root).exit_code,
        run_cli("validate", "--strict", "-C", root).exit_code,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("zebra",),
        ("validate", "--zebra"),
        ("render",),
        ("render", "--all", "--env", "dev"),
        ("build", "a"),
        ("validate", "-C", "/nowhere"),
    ],
)
def test_a_wrong_use_ends_in_2(run_cli: RunsCommand, words: tuple[str, ...]) -> None:
    ran = run_cli(*words)

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "Error: " in ran.stderr


def test_a_folder_outside_of_any_workspace_is_a_wrong_use(
    run_cli: RunsCommand, tmp_path: Path
) -> None:
    ran = run_cli("validate", "-C", tmp_path)

    assert ran.exit_code == 2
    assert "is not in a workspace" in ran.stderr
    assert "make one with `genjob init`" in ran.stderr


def test_a_selection_is_not_stopped_by_what_is_wrong_elsewhere(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo(
        WORKSPACE
        | {
            "experiments/b/experiment.yaml": "name: [\n",
            "environments/prod.yaml": "name: [\n",
        }
    )

    assert run_cli("render", "a", "--env", "dev", "-C", root).exit_code == 0
    assert run_cli("render", "--all", "-C", root).exit_code == 1


def test_a_missing_name_removes_nothing(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    before = sorted(root.rglob("*"))

    assert run_cli("render", "gone", "../../x", "--all", "-C", root).exit_code == 1
    assert before == sorted(root.rglob("*"))


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_of_each_verb_shows_an_example(run_cli: RunsCommand, verb: str) -> None:
    ran = run_cli(verb, "--help")

    assert ran.exit_code == 0
    assert f"genjob {verb}" in ran.stdout
    assert "Example" in ran.stdout


def test_the_help_lists_every_verb_with_its_line(run_cli: RunsCommand) -> None:
    shown = " ".join(run_cli("--help").stdout.split())

    for verb, (_, line) in COMMANDS.items():
        assert f"{verb} {line}" in shown


def test_the_version_is_that_of_the_package(run_cli: RunsCommand) -> None:
    assert run_cli("--version").stdout == f"genjob {genjob.__version__}\n"


@pytest.mark.parametrize("words", [("--version",), ("--help",)])
def test_a_start_imports_nothing_that_a_verb_needs(words: tuple[str, ...]) -> None:
    argv = [sys.executable, "-X", "importtime", "-m", "genjob", *words]

    ended = subprocess.run(argv, cwd=CHECKOUT, capture_output=True, text=True, check=True)

    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "genjob" in imported
    assert set() == imported & HEAVY


def test_the_version_is_said_without_the_parser_of_command_lines() -> None:
    """Three times a bare start is all that it may take; click alone takes that."""
    argv = [sys.executable, "-X", "importtime", "-m", "genjob", "--version"]

    ended = subprocess.run(argv, cwd=CHECKOUT, capture_output=True, text=True, check=True)

    assert ended.stdout == f"genjob {genjob.__version__}\n"
    assert not re.search(r"\bclick\b", ended.stderr)
