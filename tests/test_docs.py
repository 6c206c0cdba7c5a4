"""What the documents show works: commands, files, the mistake, the reference pages, the links."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from genjob.cli.main import COMMANDS
from tests.git_repository import Repository
from tools import make_docs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import MakesWorkspace, RunsCommand

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
IDS = [page.relative_to(ROOT).as_posix() for page in PAGES]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
_TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)


def blocks(page: Path, *languages: str) -> list[str]:
    """Return the fenced blocks of a page in one of these languages."""
    text = page.read_text(encoding="utf-8")
    return [body for language, body in _BLOCK.findall(text) if language in languages]


@dataclass(frozen=True)
class Step:
    """A command of a document, and the lines that it shows below it."""

    words: tuple[str, ...]
    shown: tuple[str, ...]


def steps(page: Path) -> Iterator[Step]:
    """Yield the commands of the `console` and `bash` blocks of a page, in their order."""
    for block in blocks(page, "console"):
        for part in block.removeprefix("$ ").split("\n$ "):
            command, *shown = part.rstrip("\n").split("\n")
            yield Step(tuple(shlex.split(command, comments=True)), tuple(shown))
    for block in blocks(page, "bash"):
        for line in block.splitlines():
            yield Step(tuple(shlex.split(line, comments=True)), ())


def named_files(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the files that a page shows for its commands: blocks whose first line is `# NAME`."""
    for block in blocks(page, "yaml"):
        first, _, text = block.partition("\n")
        if re.fullmatch(r"# [\w-]+\.yaml", first):
            yield first.removeprefix("# "), text


def genjob(words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of genjob in a folder, as a reader would."""
    argv = [sys.executable, "-m", "genjob", *words]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run(
        argv, cwd=folder, env=environ, capture_output=True, check=False, encoding="utf-8"
    )


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_each_command_of_a_page_works_and_prints_what_is_shown(page: Path, tmp_path: Path) -> None:
    folder, wrong = tmp_path, []
    for name, text in named_files(page):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for step in steps(page):
        match step.words:
            case ("cd", where):
                folder /= where
            case ("genjob", *words):
                ran = genjob(tuple(words), folder)
                said = ran.stdout.splitlines()
                missing = [line for line in step.shown if line not in said]
                if ran.returncode or missing:
                    wrong.append((step.words, missing, ran.stderr))
            case ("git", *words):
                Repository(folder).git(*words)
            case _:
                pass  # make and the like: another test sees that the targets exist

    assert [] == wrong


def test_the_experiment_of_the_page_on_import_is_what_is_written(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    page = ROOT / "docs" / "import.md"
    for name, text in named_files(page):
        (tmp_path / name).write_text(text, encoding="utf-8")
    run_cli("import", "job.yaml", "--env", "dev", "-C", tmp_path)
    written = (tmp_path / "experiments/mnist/experiment.yaml").read_text(encoding="utf-8")

    assert written.partition("\n")[2] == blocks(page, "yaml")[1]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_each_make_target_of_a_page_exists(page: Path) -> None:
    targets = _TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    text = page.read_text(encoding="utf-8")
    named = {word for words in re.findall(r"`make ([a-z -]+)`", text) for word in words.split()}
    named |= {step.words[1] for step in steps(page) if step.words[:1] == ("make",)}

    assert set() == named - {*targets}


def test_the_files_of_the_readme_are_a_workspace_without_findings(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    run_cli("init", tmp_path)
    for block in blocks(README, "yaml"):
        name = block.split("\n")[0].removeprefix("# ")
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(block, encoding="utf-8")
    ran = run_cli("validate", "llama-pretrain", "--env", "prod", "--strict", "-C", tmp_path)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert len(blocks(README, "yaml")) == 2


def test_the_mistake_of_the_readme_is_shown_as_the_user_sees_it(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    run_cli("init", tmp_path)
    run_cli("new", "my-train", "--env", "dev", "--nodes", "2", "--gpus", "1", "-C", tmp_path)
    file = tmp_path / "experiments/my-train/experiment.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("\nnodes: 2\n", "\nnode: 2\n"), encoding="utf-8")
    ran = run_cli("validate", "-C", tmp_path)

    assert (1, ran.stderr) == (ran.exit_code, blocks(README, "text")[0])


def test_the_files_of_the_page_on_capacity_are_found_wrong_as_it_shows(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    page = ROOT / "docs/capacity.md"
    names = {block.partition("\n")[0].removeprefix("# "): block for block in blocks(page, "yaml")}
    ran = run_cli("validate", "-C", repo({**names}))

    assert (1, [ran.stderr]) == (ran.exit_code, blocks(page, "text"))


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_each_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = _LINK.findall(page.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]

    assert [] == [link for link in local if not (page.parent / link).exists()]


def test_the_readme_names_every_command() -> None:
    text = README.read_text(encoding="utf-8")

    assert [] == [verb for verb in COMMANDS if f"| `genjob {verb}" not in text]


PAGES_MADE = make_docs.pages()


@pytest.mark.parametrize("name", PAGES_MADE)
def test_a_reference_page_is_the_one_that_is_made(name: str) -> None:
    assert PAGES_MADE[name].encode() == (make_docs.ROOT / name).read_bytes(), "run make docs"


def test_the_help_of_every_command_shows_an_example() -> None:
    helps = {
        name: command.help or ""
        for verb, (module, _) in COMMANDS.items()
        for name, command in below(verb, importlib.import_module(module).command)
    }

    assert [] == [name for name, text in helps.items() if "Example: genjob " not in text]


def below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield a command and those of its group, with their names."""
    yield name, command
    if isinstance(command, click.Group):
        for verb, inner in command.commands.items():
            yield from below(f"{name} {verb}", inner)


def test_the_license_is_the_apache_license() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")

    assert "Apache License" == text.split("\n")[1].strip()
    assert len(text) == 11_358


def test_the_readme_says_in_its_first_lines_what_it_does_for_whom() -> None:
    head = "\n".join(README.read_text(encoding="utf-8").split("\n")[:10])

    assert all(word in head for word in ("for teams that", "PyTorchJob", "Kustomize", "Argo CD"))
