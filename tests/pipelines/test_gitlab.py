"""The GitLab jobs, as bash runs their scripts on a real repository."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.pipelines.forge import USER
from tests.pipelines.shell import Shell, base_environ

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.pipelines.forge import Forge
    from tests.pipelines.repository import Repository

MARK = "<!-- genjob diff of ml x -->"
TOKEN = "s3cret"  # noqa: S105 # of no forge
NOTES = "/projects/3/merge_requests/12/notes"


@dataclass
class Pipeline:
    """The jobs of the file that `init` made, and what GitLab gives them."""

    clone: Repository
    shell: Shell

    @property
    def jobs(self) -> dict[str, Any]:
        """The jobs, by name."""
        text = (self.clone.folder / ".gitlab/genjob.yml").read_text(encoding="utf-8")
        jobs: dict[str, Any] = yaml.safe_load(text)
        return jobs

    @property
    def diff(self) -> Path:
        """The artifact."""
        return self.clone.folder / "genjob-diff.md"

    def run(self, job: str) -> subprocess.CompletedProcess[str]:
        """Run a whole job: what comes before, then its script, in one shell."""
        base = self.jobs[".genjob"]
        lines = [*base["before_script"], *self.jobs[job]["script"]]
        return self.shell.run("\n".join(lines), base["variables"] | self.shell.environ)

    def note(self) -> subprocess.CompletedProcess[str]:
        """Run the part of the job that notes, with a diff that is made."""
        self.diff.write_text(f'{MARK}\n| a "b" | $x `y` é😀 |\n', encoding="utf-8")
        script = self.jobs["genjob-diff"]["script"][-1]
        return self.shell.run(script, self.jobs[".genjob"]["variables"])


@pytest.fixture
def pipeline(clone: Repository, package: Path, tmp_path: Path, forge: Forge) -> Pipeline:
    """Give the pipeline of a merge request of the branch."""
    environ = {
        **base_environ(tmp_path),
        "GENJOB_INSTALL": str(package),
        "GENJOB_HOME": str(tmp_path),
        "GENJOB_TOKEN": TOKEN,
        "CI_API_V4_URL": forge.url,
        "CI_MERGE_REQUEST_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "12",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": clone.git("rev-parse", "origin/main"),
    }
    return Pipeline(clone, Shell(clone.folder, environ))


def test_the_project_includes_the_jobs(pipeline: Pipeline) -> None:
    text = (pipeline.clone.folder / ".gitlab-ci.yml").read_text(encoding="utf-8")

    assert {"include": [{"local": "/.gitlab/genjob.yml"}]} == yaml.safe_load(text)


def test_a_mistake_fails_the_job_and_is_in_its_report(pipeline: Pipeline) -> None:
    pipeline.clone.replace("nodes: 2", "nodse: 2")
    ended = pipeline.run("genjob-check")
    report = ET.parse(pipeline.clone.folder / "genjob-junit.xml").getroot()  # noqa: S314 # ours

    assert 1 == ended.returncode
    assert "error: unknown key 'nodse' [GJ101]" in ended.stderr
    assert ["ml x/experiments/hello/experiment.yaml"] == [
        test.get("file") for test in report.iter("testcase")
    ]


def test_a_clean_workspace_passes_and_a_stale_overlay_does_not(pipeline: Pipeline) -> None:
    clean = pipeline.run("genjob-check")
    pipeline.clone.replace("nodes: 2", "nodes: 3")

    assert (0, 1) == (clean.returncode, pipeline.run("genjob-check").returncode), clean.stderr
    assert "what is committed is what would be rendered" in clean.stdout


def test_the_note_says_what_changes(pipeline: Pipeline, forge: Forge) -> None:
    pipeline.clone.replace("nodes: 2", "nodes: 3")
    pipeline.clone.render()
    pipeline.clone.commit("three nodes")
    ended = pipeline.run("genjob-diff")

    assert 0 == ended.returncode, ended.stderr
    assert [pipeline.diff.read_text(encoding="utf-8")] == [c["body"] for c in forge.comments]
    assert str(forge.comments[0]["body"]).startswith(f"{MARK}\n")
    assert "hello" in str(forge.comments[0]["body"])


def test_the_first_note_is_made_and_a_later_run_updates_it(
    pipeline: Pipeline, forge: Forge
) -> None:
    for number in range(100):
        forge.add(f"note {number}", author=USER)
    forge.add(f"{MARK}\nmine", author=USER + 1)
    first, second = pipeline.note(), pipeline.note()

    assert (0, 0) == (first.returncode, second.returncode), second.stderr
    assert 102 == len(forge.comments)
    assert f"{MARK}\nmine" == forge.comments[100]["body"]
    assert pipeline.diff.read_text(encoding="utf-8") == forge.comments[101]["body"]
    assert forge.asked == [
        "GET /user",
        f"GET {NOTES}?per_page=100&page=1",
        f"GET {NOTES}?per_page=100&page=2",
        f"POST {NOTES}",
        "GET /user",
        f"GET {NOTES}?per_page=100&page=1",
        f"GET {NOTES}?per_page=100&page=2",
        f"PUT {NOTES}/102",
    ]
    assert {TOKEN} == forge.tokens


def test_without_a_token_the_diff_is_an_artifact(pipeline: Pipeline, forge: Forge) -> None:
    del pipeline.shell.environ["GENJOB_TOKEN"]
    ended = pipeline.note()

    assert (0, []) == (ended.returncode, forge.asked)
    assert "the artifact genjob-diff.md has the diff" in ended.stdout
    assert ["genjob-diff.md"] == pipeline.jobs["genjob-diff"]["artifacts"]["paths"]


def test_a_refused_note_fails_with_the_reason_and_without_the_token(
    pipeline: Pipeline, forge: Forge
) -> None:
    forge.refuses = 403
    ended = pipeline.note()

    assert 0 != ended.returncode
    assert "403" in ended.stderr
    assert TOKEN not in ended.stdout + ended.stderr
