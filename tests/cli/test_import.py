"""`genjob import`: what is written of a manifest, what is said of it, and when it ends how."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

CASES = Path(__file__).parent.parent / "import"
NAMES = sorted(path.name for path in CASES.iterdir())
"""Each case has a manifest, a command, what it prints, and the files that it writes."""

JOB = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec: {containers: [{name: pytorch, image: "train:1"}]}
"""


def written(root: Path) -> dict[str, str]:
    """Return the files below `experiments`, by their path from there."""
    folder = root / "experiments"
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def golden(case: str) -> dict[str, str]:
    folder = CASES / case / "expected"
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def update(case: str, said: str, files: dict[str, str]) -> None:
    folder = CASES / case
    (folder / "expected.out").write_text(said, "utf-8", newline="\n")
    for path, text in files.items():
        (folder / "expected" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "expected" / path).write_text(text, "utf-8", newline="\n")


@pytest.mark.parametrize("case", NAMES)
def test_a_manifest_becomes_these_files(
    case: str, repo: MakesWorkspace, run_cli: RunsCommand, *, update_golden: bool
) -> None:
    root = repo({"job.yaml": (CASES / case / "job.yaml").read_bytes()})
    words = shlex.split((CASES / case / "command").read_text("utf-8"))

    ran = run_cli(*words, "-C", root)
    said = f"{ran.stdout}{ran.stderr}[exit {ran.exit_code}]\n"
    if update_golden:
        update(case, said, written(root))

    assert (CASES / case / "expected.out").read_text("utf-8") == said
    assert golden(case) == written(root)


@pytest.mark.parametrize("case", [name for name in NAMES if golden(name)])
def test_what_was_imported_is_an_experiment_without_mistakes_of_its_own(
    case: str, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    """Findings of rules may be there: they were mistakes of the manifest, and still are."""
    root = repo({f"experiments/{path}": text for path, text in golden(case).items()})
    ran = run_cli("validate", "--format", "json", "-C", root)
    codes = {each["code"] for each in json.loads(ran.stdout)["diagnostics"]}

    assert set() == codes & {"GJ101", "GJ102", "GJ103", "GJ104", "GJ105", "GJ110", "GJ601"}


def test_standard_input_is_read_where_a_file_is_a_dash(
    repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo({})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(JOB.encode())))

    assert 0 == run_cli("import", "-", "-C", root).exit_code
    assert ["train/experiment.yaml"] == [*written(root)]


def test_an_experiment_that_is_there_is_never_written_over(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    mine = {"job.yaml": JOB, "experiments/train/experiment.yaml": "mine\n"}
    root = repo(mine)
    ran = run_cli("import", "job.yaml", "-C", root)

    assert (1, "nothing was written\n") == (ran.exit_code, ran.stdout)
    assert "experiments/train/experiment.yaml:1:1: error: there is a file already" in ran.stderr
    assert {"train/experiment.yaml": "mine\n"} == written(root)


def test_out_names_another_folder_and_no_workspace_is_needed(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    (tmp_path / "job.yaml").write_text(JOB, "utf-8")
    ran = run_cli("import", "job.yaml", "--out", "new/", "-C", tmp_path)

    assert 0 == ran.exit_code
    assert "created new/train/experiment.yaml" in ran.stdout
    assert (tmp_path / "new/train/experiment.yaml").is_file()


def test_an_environment_that_is_not_there_is_an_error(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    dev = "version: genjob/v1\nname: dev\nnamespace: ml\n"
    root = repo({"job.yaml": JOB, "environments/dev.yaml": dev})
    ran = run_cli("import", "job.yaml", "--env", "dve", "-C", root)

    assert 1 == ran.exit_code
    assert "there is no environment 'dve' [GJ108]" in ran.stderr
    assert "did you mean 'dev'?" in ran.stderr
    assert {} == written(root)


def test_one_refused_job_keeps_all_from_being_written(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    other = JOB.replace("train", "other").replace("name: pytorch", "name: main")
    root = repo({"job.yaml": JOB, "other.yaml": other})
    ran = run_cli("import", "job.yaml", "other.yaml", "-C", root)

    assert 1 == ran.exit_code
    assert {} == written(root)


def test_two_jobs_of_one_name_are_refused(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    root = repo({"jobs.yaml": f"{JOB}---\n{JOB}"})
    ran = run_cli("import", "jobs.yaml", "-C", root)

    assert "jobs.yaml:13:18: error: a second job is named 'train'" in ran.stderr
    assert {} == written(root)


def test_a_claim_that_two_jobs_use_is_made_by_the_first(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    beside = (CASES / "beside" / "job.yaml").read_text("utf-8")
    *_, job = beside.split("---\n")
    root = repo({"jobs.yaml": f"{beside}---\n{job.replace('name: train', 'name: second')}"})
    ran = run_cli("import", "jobs.yaml", "-C", root)

    assert 0 == ran.exit_code
    assert "size: 1Ti" in written(root)["train/experiment.yaml"].replace('"', "")
    assert "claim: corpus" in written(root)["second/experiment.yaml"]


def test_the_report_is_one_json_object(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    root = repo({"job.yaml": (CASES / "differs" / "job.yaml").read_bytes()})
    ran = run_cli("import", "job.yaml", "--report", "json", "-C", root)
    report = json.loads(ran.stdout)
    (one,) = report["experiments"]

    assert (1, "") == (ran.exit_code, ran.stderr)
    assert (True, "train", False) == (report["written"], one["name"], one["equal"])
    assert {
        "object": "PyTorchJob 'default/train'",
        "path": "metadata.finalizers",
        "rendered": "nothing",
        "original": '["example.com/wait"]',
    } == one["differences"][0]
    assert ["GJ809", "GJ809"] == [each["code"] for each in report["diagnostics"]]
