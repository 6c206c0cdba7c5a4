"""The files of the pipelines fit what forges read, and `init` makes them where they belong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from genjob import __version__
from genjob.authoring.pipelines import GITOPS, INSTALL, PIPELINES, Place, filled, pipeline_files
from genjob.gitops import source
from genjob.model.workspace import Paths, Repo, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import RunsCommand

ROOT = Path(__file__).parents[2]
ODD = Place('ml "x"/', Workspace(repo=Repo(revision="release/1.x")), "git+https://x/y@v1#egg=z")
SCHEMAS = {
    "workflow.yml": ["--builtin-schema", "vendor.github-workflows"],
    "action.yml": ["--builtin-schema", "vendor.github-actions"],
    "gitlab.yml": ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
    "gitlab-include.yml": ["--builtin-schema", "vendor.gitlab-ci"],
}


def made(place: Place) -> dict[str, str]:
    """Return the text of every file of every pipeline, by the name of the text."""
    names = {path: name for paths in PIPELINES.values() for path, name in paths.items()}
    files = {path: text for kind in PIPELINES for path, text in pipeline_files(kind, place).items()}
    return {names[path]: text for path, text in files.items()}


def python(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the test environment."""
    argv = [sys.executable, "-m", *map(str, words)]
    return subprocess.run(argv, check=False, capture_output=True, encoding="utf-8")


def scripts(node: Any) -> Iterator[str]:  # noqa: ANN401 # the data of a YAML file
    """Yield the shell scripts of a file of GitHub or GitLab."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in {"script", "before_script"}:
                yield "\n".join(value)
            elif key == "run":
                yield value
            else:
                yield from scripts(value)
    elif isinstance(node, list):
        for each in node:
            yield from scripts(each)


@pytest.mark.parametrize("place", [Place(), ODD], ids=["usual", "odd"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_forge_can_read_the_file(name: str, place: Place, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(made(place)[name], encoding="utf-8")
    ran = python("check_jsonschema", *SCHEMAS[name], file)

    assert (0, "ok -- validation done\n") == (ran.returncode, ran.stdout)


def test_pre_commit_can_read_ours(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(made(ODD)["pre-commit.yaml"], encoding="utf-8")
    ran = [
        python("pre_commit", "validate-config", config),
        python("pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"),
    ]

    assert [(0, ""), (0, "")] == [(each.returncode, each.stdout + each.stderr) for each in ran]


@pytest.mark.parametrize("name", ["action.yml", "gitlab.yml"])
def test_shellcheck_finds_nothing_in_the_scripts(name: str, tmp_path: Path) -> None:
    found = [*scripts(yaml.safe_load(made(Place())[name]))]
    files = [tmp_path / f"{number}.sh" for number, _ in enumerate(found)]
    for file, text in zip(files, found, strict=True):
        file.write_text(text, encoding="utf-8")
    shellcheck = Path(sys.executable).with_name("shellcheck")
    ran = subprocess.run(
        [shellcheck, "--shell=bash", *files],
        check=False,
        capture_output=True,
        encoding="utf-8",
    )

    assert (0, "") == (ran.returncode, ran.stdout)
    assert len(files) > 2


@pytest.mark.parametrize("name", ["action.yml", "gitlab.yml"])
def test_no_script_holds_what_a_stranger_can_write(name: str) -> None:
    """`${{ … }}` in a script would run a branch's name as code; variables are only text."""
    assert [] == [text for text in scripts(yaml.safe_load(made(ODD)[name])) if "${{" in text]


def test_the_workflow_may_read_and_comment_and_nothing_else() -> None:
    workflow = yaml.safe_load(made(Place())["workflow.yml"])

    assert {} == workflow["permissions"]
    assert {"contents": "read", "pull-requests": "write"} == workflow["jobs"]["genjob"][
        "permissions"
    ]
    assert {"pull_request", "push"} == {*workflow[True]}  # `on` is a boolean to YAML 1.1


def test_this_version_is_what_pipelines_install() -> None:
    assert f"genjob=={__version__}" == INSTALL
    for name in ("action.yml", "gitlab.yml", "pre-commit.yaml"):
        assert f'"{INSTALL}"' in made(Place())[name]


def test_words_arrive_as_they_are() -> None:
    workflow, gitlab = (yaml.safe_load(made(ODD)[name]) for name in ("workflow.yml", "gitlab.yml"))
    job = workflow["jobs"]["genjob"]

    assert {"directory": 'ml "x"'} == job["steps"][1]["with"]
    assert {"branches": ["release/1.x"]} == workflow[True]["push"]
    assert "git+https://x/y@v1#egg=z" == gitlab[".genjob"]["variables"]["GENJOB_INSTALL"]
    assert [] == [name for name, text in made(ODD).items() if "<<" in text.replace("<<<", "")]


def test_the_folders_of_the_settings_are_watched() -> None:
    settings = Workspace(paths=Paths(experiments="a.b/c"))
    text = pipeline_files("pre-commit", Place("", settings))[".pre-commit-config.yaml"]
    hook = yaml.safe_load(text)["repos"][0]["hooks"][0]

    assert r"^(genjob\.yaml$|a\.b/c/|environments/|bases/|overlays/|gitops/)" == hook["files"]
    assert ["-C", "."] == hook["args"]
    assert GITOPS == source.FOLDER


def test_the_action_of_this_repository_is_the_one_that_init_makes(update_golden: bool) -> None:  # noqa: FBT001 # a fixture
    file, text = ROOT / "action.yml", filled("action.yml", {"install": ""})
    if update_golden:
        file.write_text(text, encoding="utf-8")

    assert file.read_text(encoding="utf-8") == text


def test_init_makes_pipelines_at_the_top_of_the_repository(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    (tmp_path / ".git").mkdir()
    ran = run_cli("init", tmp_path / "ml", "--ci", "github", "--ci", "pre-commit", "--install", "x")
    workflow = (tmp_path / ".github/workflows/genjob.yml").read_text(encoding="utf-8")
    hooks = (tmp_path / ".pre-commit-config.yaml").read_text(encoding="utf-8")

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert "created .github/actions/genjob/action.yml\n" in ran.stdout
    assert 'directory: "ml"' in workflow
    assert 'additional_dependencies: ["x"]' in hooks
    assert not (tmp_path / ".gitlab-ci.yml").exists()


def test_init_never_overwrites_and_says_what_to_add(tmp_path: Path, run_cli: RunsCommand) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text("mine: {}\n", encoding="utf-8")
    ran = run_cli("init", tmp_path, "--ci", "gitlab")
    again = run_cli("init", tmp_path, "--ci", "gitlab", "--install", "x==2")

    assert "mine: {}\n" == (tmp_path / ".gitlab-ci.yml").read_text(encoding="utf-8")
    assert (
        "kept .gitlab-ci.yml: it is there already; "
        "add to it: include: [{local: /.gitlab/genjob.yml}]\n"
    ) in ran.stdout
    assert "created .gitlab/genjob.yml\n" in ran.stdout
    assert "kept .gitlab/genjob.yml: it is there already\n" in again.stdout
    assert "x==2" not in (tmp_path / ".gitlab/genjob.yml").read_text(encoding="utf-8")


def test_init_alone_makes_no_pipeline(tmp_path: Path, run_cli: RunsCommand) -> None:
    run_cli("init", tmp_path)

    assert [] == [
        path for paths in PIPELINES.values() for path in paths if (tmp_path / path).exists()
    ]
