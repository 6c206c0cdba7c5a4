"""Every command with a `--format` of findings prints them to standard output, alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from genjob.report import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

COMMANDS = (("validate",), ("render", "--all"), ("render", "--all", "--check"), ("verify",))
READERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "sarif": json.loads,
    "junit": ET.fromstring,
}


@pytest.fixture
def rendered(tmp_path: Path, run_cli: RunsCommand) -> Path:
    """Give a workspace whose files are rendered."""
    run_cli("init", tmp_path)
    run_cli("render", "--all", "-C", tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", READERS)
def test_standard_output_is_the_report_and_nothing_else(
    name: str, words: tuple[str, ...], rendered: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli(*words, "--format", name, "-C", rendered)

    assert 0 == ran.exit_code, ran.stderr
    assert READERS[name](ran.stdout) is not None


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", FORMATS)
def test_the_exit_code_is_that_of_the_findings(
    name: str, words: tuple[str, ...], repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo({"experiments/x/experiment.yaml": "version: genjob/v1\nname: x\nnodse: 1\n"})
    ran = run_cli(*words, "--format", name, "-C", root)

    assert 1 == ran.exit_code
    assert "nodse" in (ran.stderr if name == "text" else ran.stdout)


def test_what_does_not_build_is_told_beside_the_report(
    rendered: Path, run_cli: RunsCommand
) -> None:
    file = rendered / "overlays/dev/hello/kustomization.yaml"
    file.write_text(file.read_text("utf-8").replace("ml-dev", "ml-x"), "utf-8")
    ran = run_cli("verify", "--format", "json", "-C", rendered)

    assert (1, []) == (ran.exit_code, json.loads(ran.stdout)["diagnostics"])
    assert "what is committed builds to something else" in ran.stderr


@pytest.mark.parametrize(
    ("folder", "name", "shown"),
    [
        ("ml", "job.yaml", "ml/job.yaml"),
        ("ml", "../job.yaml", "job.yaml"),
        ("", "ml/job.yaml", "ml/job.yaml"),
    ],
)
def test_lint_names_files_from_the_top_of_the_repository(
    folder: str, name: str, shown: str, tmp_path: Path, run_cli: RunsCommand
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "ml").mkdir()
    (tmp_path / shown).write_text("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n", "utf-8")
    ran = run_cli("lint", name, "--format", "github", "-C", tmp_path / folder)

    assert f"::error file={shown},line=1" in ran.stdout
