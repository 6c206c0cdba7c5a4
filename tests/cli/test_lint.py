"""`genjob lint` as people call it: files, folders, standard input, versions, an environment."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.linting.test_linting import CONFIG, ENV, JOB

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

WRONG = JOB.replace(ENV, "env: [{name: NCCL_IB_DISABEL, value: a}]")
PROD = """\
version: genjob/v1
name: prod
namespace: ml
target: {training_operator: "1.9", kubernetes: "1.31"}
"""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_sound_manifests_are_counted(tmp_path: Path, run_cli: RunsCommand) -> None:
    write(tmp_path, a=JOB, b=f"{CONFIG}---\napiVersion: v1\nkind: Service\n")
    ran = run_cli("lint", "a.yaml", "b.yaml", "-C", tmp_path)

    shown = "checked 1 PyTorchJob and 1 ConfigMap, 1 other document passed over\n"
    assert (0, shown, "") == (ran.exit_code, ran.stdout, ran.stderr)


def test_an_error_ends_with_exit_code_1_and_its_place(tmp_path: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("lint", "a.yaml", "-C", write(tmp_path, a=WRONG))

    assert 1 == ran.exit_code
    assert ran.stderr.startswith("a.yaml:16:26: error: ")
    assert "did you mean 'NCCL_IB_DISABLE'?" in ran.stderr


def test_machines_get_json_alone(tmp_path: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("lint", "a.yaml", "--format", "json", "-C", write(tmp_path, a=WRONG))

    (only,) = json.loads(ran.stdout)["diagnostics"]
    assert (1, "", "GJ202", 16) == (ran.exit_code, ran.stderr, only["code"], only["line"])


def test_standard_input_is_read(
    tmp_path: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = io.TextIOWrapper(io.BytesIO(WRONG.encode()))
    monkeypatch.setattr(sys, "stdin", given)
    ran = run_cli("lint", "-", "-C", tmp_path)

    assert ran.stderr.startswith("<stdin>:16:26: error: ")


def test_a_folder_is_read_with_all_below_it(tmp_path: Path, run_cli: RunsCommand) -> None:
    (tmp_path / "jobs/deep/.hidden").mkdir(parents=True)
    write(tmp_path / "jobs/deep", a=WRONG)
    write(tmp_path / "jobs/deep/.hidden", b=WRONG)
    (tmp_path / "jobs/c.txt").write_text(WRONG, encoding="utf-8")
    (tmp_path / "jobs/d.json").write_text('{"kind": "ConfigMap', encoding="utf-8")
    (tmp_path / "jobs/values.yaml").write_text("{{ .Values.x }}\n", encoding="utf-8")
    (tmp_path / "jobs/large.json").write_text(" " * 17_000_000, encoding="utf-8")
    ran = run_cli("lint", "jobs/", "-C", tmp_path)

    assert ran.stderr.startswith("jobs/deep/a.yaml:16:26: error: ")
    assert ran.stderr.endswith("\n1 error in 1 file\n")
    assert "checked 1 PyTorchJob, 3 other documents passed over\n" == ran.stdout


def test_broken_yaml_of_a_folder_counts_when_it_names_a_job(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    write(tmp_path, a="kind: PyTorchJob\nspec: [\n", b="kind: ConfigMap\nspec: [\n")
    ran = run_cli("lint", ".", "-C", tmp_path)

    assert (1, True) == (ran.exit_code, ran.stderr.startswith("a.yaml:"))
    assert "b.yaml" not in ran.stderr


def test_a_name_twice_is_read_once(tmp_path: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("lint", "a.yaml", "a.yaml", "-C", write(tmp_path, a=JOB))

    assert "checked 1 PyTorchJob\n" == ran.stdout


def test_nothing_to_check_is_a_warning(tmp_path: Path, run_cli: RunsCommand) -> None:
    write(tmp_path, a="apiVersion: v1\nkind: Service\n")
    ran = run_cli("lint", "a.yaml", "-C", tmp_path)
    strict = run_cli("lint", "a.yaml", "--strict", "-C", tmp_path)

    assert (0, 1) == (ran.exit_code, strict.exit_code)
    assert "a.yaml:1:1: warning: found no 'PyTorchJob', " in ran.stderr


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("lint", "none.yaml", "-C", tmp_path)

    assert (1, True) == (ran.exit_code, "no such file" in ran.stderr)


def test_notes_are_counted_and_shown_on_demand(tmp_path: Path, run_cli: RunsCommand) -> None:
    config = CONFIG.replace("{NCCL_DEBUG: loud}", "{a: 'kind: PyTorchJob'}")
    write(tmp_path, a=f"{WRONG}---\n{config}")
    ran = run_cli("lint", "a.yaml", "-C", tmp_path)
    verbose = run_cli("lint", "a.yaml", "--verbose", "-C", tmp_path)

    assert "1 error, 1 note in 1 file; `genjob lint --verbose` shows the notes\n" in ran.stderr
    assert "GJ804" not in ran.stderr
    assert "GJ804" in verbose.stderr


@pytest.mark.parametrize("option", ["--kubernetes", "--training-operator"])
def test_an_unknown_version_is_wrong_use(tmp_path: Path, run_cli: RunsCommand, option: str) -> None:
    ran = run_cli("lint", "a.yaml", option, "0.1", "-C", write(tmp_path, a=JOB))

    assert (2, True) == (ran.exit_code, "no schemas of '0.1'; known are" in ran.stderr)


def test_the_version_decides_what_a_pod_may_have(tmp_path: Path, run_cli: RunsCommand) -> None:
    pod = "spec:\n          volumes: [{name: m, image: {reference: a}}]\n          containers:"
    write(tmp_path, a=JOB.replace("spec:\n          containers:", pod))
    new = run_cli("lint", "a.yaml", "-C", tmp_path)
    old = run_cli("lint", "a.yaml", "--kubernetes", "1.29", "-C", tmp_path)

    assert "Kubernetes 1.29 does not have it" in old.stderr
    assert "does not have it" not in new.stderr


def test_an_environment_says_versions_and_what_a_ttl_does(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    ttl = JOB.replace("backoffLimit: 3", "backoffLimit: 3, ttlSecondsAfterFinished: 60")
    settings = "version: genjob/v1\ngitops: {engine: argocd}\n"
    root = repo({"environments/prod.yaml": PROD, "a.yaml": ttl, "genjob.yaml": settings})
    alone = run_cli("lint", "a.yaml", "-C", root)
    ran = run_cli("lint", "a.yaml", "--env", "prod", "-C", root)

    assert "a.yaml:5:57: warning: " in alone.stderr
    assert "a.yaml:5:57: error: " in ran.stderr


def test_an_unknown_environment_is_named(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    ran = run_cli("lint", "a.yaml", "--env", "prdo", "-C", repo({"environments/prod.yaml": PROD}))

    assert (1, True) == (ran.exit_code, "there is no environment 'prdo'" in ran.stderr)
    assert "did you mean 'prod'?" in ran.stderr


def test_the_page_shows_what_is_printed(tmp_path: Path, run_cli: RunsCommand) -> None:
    page = (Path(__file__).parent.parent.parent / "docs/lint.md").read_text(encoding="utf-8")
    (manifest,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    ran = run_cli("lint", "job.yaml", "-C", write(tmp_path, job=manifest))

    assert shown == ran.stderr


def test_an_environment_needs_a_workspace(tmp_path: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("lint", "a.yaml", "--env", "prod", "-C", tmp_path)

    assert (2, True) == (ran.exit_code, "is not in a workspace" in ran.stderr)
