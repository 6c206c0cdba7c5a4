"""The GitHub Action, step by step, as bash runs it on a real repository."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.pipelines.shell import Shell, base_environ, expanded, holds

if TYPE_CHECKING:
    import subprocess

    from tests.pipelines.forge import Forge
    from tests.pipelines.repository import Repository

ACTION = ".github/actions/genjob/action.yml"
MARK = "<!-- genjob diff of ml x -->"
TOKEN = "s3cret"  # noqa: S105 # of no forge
CHECKS = ["Install genjob", "Validate", "Check that what is committed is what would be rendered"]


@dataclass
class Run:
    """A run of the action: what its steps are given, and what they wrote."""

    clone: Repository
    shell: Shell
    context: dict[str, str]
    ended: dict[str, subprocess.CompletedProcess[str]] = field(default_factory=dict)

    @property
    def diff(self) -> Path:
        """The text of the comment."""
        return self.shell.folder.parent / "temp/genjob-diff.md"

    @property
    def summary(self) -> str:
        """What the page of the job shows."""
        return Path(self.shell.environ["GITHUB_STEP_SUMMARY"]).read_text(encoding="utf-8")

    def steps(self) -> list[dict[str, Any]]:
        """Return the steps that this event lets run."""
        text = (self.clone.folder / ACTION).read_text(encoding="utf-8")
        steps = yaml.safe_load(text)["runs"]["steps"]
        return [each for each in steps if "if" not in each or holds(each["if"], self.context)]

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run the step of this name, with the paths that earlier ones added."""
        (step,) = [each for each in self.steps() if each["name"] == name]
        environ = {name: expanded(text, self.context) for name, text in step["env"].items()}
        added = Path(self.shell.environ["GITHUB_PATH"]).read_text(encoding="utf-8").split()
        environ["PATH"] = ":".join([*added, self.shell.environ["PATH"]])
        return self.shell.run(step["run"], environ)


@pytest.fixture(scope="session")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that the step `Install genjob` filled."""
    folder = tmp_path_factory.mktemp("runner")
    text = (Path(__file__).parents[2] / "action.yml").read_text(encoding="utf-8")
    step = yaml.safe_load(text)["runs"]["steps"][0]
    environ = {
        "RUNNER_TEMP": str(folder),
        "GITHUB_PATH": str(folder / "path"),
        "GITHUB_ACTION_PATH": str(package),
        "INSTALL": "",
    }
    ended = Shell(folder, base_environ(folder)).run(step["run"], environ)

    assert (0, "Install genjob") == (ended.returncode, step["name"]), ended.stderr
    return folder


@pytest.fixture
def run(clone: Repository, installed: Path, tmp_path: Path, forge: Forge) -> Run:
    """Give a run of the action for a pull request of the branch."""
    (tmp_path / "temp").mkdir()
    environ = {
        **base_environ(tmp_path),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_PATH": str(installed / "path"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "temp/summary.md"),
        "GITHUB_REPOSITORY": "team/train",
        "GITHUB_BASE_REF": "main",
    }
    context = {
        "inputs.directory": clone.workspace,
        "inputs.strict": "false",
        "inputs.comment": "true",
        "inputs.against": "",
        "inputs.token": TOKEN,
        "github.event_name": "pull_request",
        "github.api_url": forge.url,
        "github.event.pull_request.number": "12",
        "github.event.pull_request.head.repo.full_name": "team/train",
    }
    return Run(clone, Shell(clone.folder, environ), context)


def test_a_push_is_checked_and_a_pull_request_is_told_too(run: Run) -> None:
    told = [step["name"] for step in run.steps()]
    run.context["github.event_name"] = "push"
    checked = [step["name"] for step in run.steps()]

    assert CHECKS == checked
    assert ["Say what the pull request changes", "Comment on the pull request"] == told[2:4]
    assert CHECKS == [name for name in told if name in CHECKS]


def test_a_clean_workspace_passes_with_the_installed_program(run: Run) -> None:
    validated, checked = run.run(CHECKS[1]), run.run(CHECKS[2])

    assert (0, 0) == (validated.returncode, checked.returncode), validated.stderr
    assert "1 experiment, no findings\n" == validated.stdout
    assert "what is committed is what would be rendered\n" == checked.stdout


def test_the_installed_program_has_the_texts_of_the_pipelines(run: Run, tmp_path: Path) -> None:
    added = Path(run.shell.environ["GITHUB_PATH"]).read_text(encoding="utf-8").strip()
    path = {"PATH": f"{added}:{run.shell.environ['PATH']}"}
    ended = run.shell.run("genjob init '../new' --ci github --ci gitlab --ci pre-commit", path)
    made = tmp_path / "new/.github/actions/genjob/action.yml"

    assert 0 == ended.returncode, ended.stderr
    assert (run.clone.folder / ACTION).read_bytes() == made.read_bytes()


def test_a_mistake_is_in_the_log_and_an_annotation_at_its_line_in_the_repository(run: Run) -> None:
    run.clone.replace("nodes: 2", "nodse: 2")
    ended = run.run(CHECKS[1])

    assert 1 == ended.returncode
    assert "error: unknown key 'nodse' [GJ101]" in ended.stderr
    assert "::error file=ml x/experiments/hello/experiment.yaml,line=" in ended.stdout


def test_warnings_are_annotated_and_stop_a_strict_run(run: Run) -> None:
    run.clone.replace("nodes: 2", "nodes: 2\nallow: {GJ265: we know}")
    loose = run.run(CHECKS[1])
    run.context["inputs.strict"] = "true"

    assert (0, 1) == (loose.returncode, run.run(CHECKS[1]).returncode)
    assert "::warning file=ml x/" in loose.stdout


def test_a_stale_overlay_fails(run: Run) -> None:
    run.clone.replace("nodes: 2", "nodes: 3")
    ended = run.run(CHECKS[2])

    assert 1 == ended.returncode
    assert "run `genjob render` and commit" in ended.stderr


def test_the_summary_and_the_comment_say_what_changes(run: Run, forge: Forge) -> None:
    run.clone.replace("nodes: 2", "nodes: 3")
    run.clone.render()
    run.clone.commit("three nodes")
    said = run.run("Say what the pull request changes")
    commented = run.run("Comment on the pull request")

    assert (0, 0) == (said.returncode, commented.returncode), said.stderr + commented.stderr
    assert run.summary == run.diff.read_text(encoding="utf-8")
    assert [run.summary] == [comment["body"] for comment in forge.comments]
    assert run.summary.startswith(f"{MARK}\n")
    assert "hello" in run.summary


def test_a_shallow_clone_is_told_what_to_do(run: Run) -> None:
    run.clone.git("update-ref", "-d", "refs/remotes/origin/main")
    ended = run.run("Say what the pull request changes")

    assert 1 == ended.returncode
    assert "give actions/checkout fetch-depth: 0" in ended.stdout


@pytest.fixture
def commenting(run: Run) -> Run:
    """Give a run whose diff is made."""
    run.diff.write_text(f'{MARK}\n| a "b" | $x `y` é😀 |\n', encoding="utf-8")
    return run


def test_the_first_comment_is_made(commenting: Run, forge: Forge) -> None:
    ended = commenting.run("Comment on the pull request")

    assert 0 == ended.returncode, ended.stderr
    assert [commenting.diff.read_text(encoding="utf-8")] == [c["body"] for c in forge.comments]
    assert forge.asked == [
        "GET /repos/team/train/issues/12/comments?per_page=100&page=1",
        "POST /repos/team/train/issues/12/comments",
    ]
    assert {f"Bearer {TOKEN}"} == forge.tokens


def test_a_later_run_updates_its_comment_however_many_there_are(
    commenting: Run, forge: Forge
) -> None:
    for number in range(150):
        forge.add(f"comment {number}", "User")
    forge.add(f"{MARK}\nold")
    ended = commenting.run("Comment on the pull request")

    assert 0 == ended.returncode, ended.stderr
    assert 151 == len(forge.comments)
    assert commenting.diff.read_text(encoding="utf-8") == forge.comments[150]["body"]
    assert "PATCH /repos/team/train/issues/comments/151" == forge.asked[-1]


def test_what_people_wrote_is_not_overwritten(commenting: Run, forge: Forge) -> None:
    """Nobody can lend their name to the diff by writing its first line."""
    forge.add(f"{MARK}\nmine", "User")
    forge.add("<!-- genjob diff of other -->\n")
    commenting.run("Comment on the pull request")

    assert [f"{MARK}\nmine", "<!-- genjob diff of other -->\n"] == [
        comment["body"] for comment in forge.comments[:2]
    ]
    assert 3 == len(forge.comments)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("inputs.token", ""),
        ("github.event.pull_request.head.repo.full_name", "stranger/train"),
    ],
)
def test_a_fork_or_no_token_asks_nothing_and_passes(
    name: str, value: str, commenting: Run, forge: Forge
) -> None:
    commenting.context[name] = value
    ended = commenting.run("Comment on the pull request")

    assert (0, []) == (ended.returncode, forge.asked)
    assert "the summary of this job has the diff" in ended.stdout


def test_a_token_without_the_right_fails_the_step_alone(commenting: Run, forge: Forge) -> None:
    forge.refuses = 403
    ended = commenting.run("Comment on the pull request")
    (step,) = [s for s in commenting.steps() if s["name"] == "Comment on the pull request"]

    assert 0 != ended.returncode
    assert "403" in ended.stderr
    assert TOKEN not in ended.stdout + ended.stderr
    assert step["continue-on-error"]
