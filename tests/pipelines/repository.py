"""A real Git repository with a workspace in it, a main branch and a branch to be merged."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from click.testing import CliRunner

from genjob.cli.main import genjob

if TYPE_CHECKING:
    from pathlib import Path

PERSON = ("-c", "user.name=A Person", "-c", "user.email=person@example.com")


@dataclass(frozen=True)
class Repository:
    """A clone, as a forge hands it to a job; `workspace` is a folder in it."""

    folder: Path
    workspace: str

    @property
    def experiment(self) -> Path:
        """The file that a researcher edits."""
        return self.folder / self.workspace / "experiments/hello/experiment.yaml"

    def git(self, *words: str) -> str:
        """Run git and return what it says."""
        ran = subprocess.run(
            ["git", *PERSON, *words],
            cwd=self.folder,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return ran.stdout.strip()

    def commit(self, message: str) -> None:
        """Commit everything."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def replace(self, old: str, new: str) -> None:
        """Edit the experiment."""
        text = self.experiment.read_text(encoding="utf-8")

        assert old in text
        self.experiment.write_text(text.replace(old, new), encoding="utf-8")

    def render(self) -> None:
        """Render everything."""
        run_genjob("render", "--all", "-C", str(self.folder / self.workspace))


def run_genjob(*words: str) -> None:
    """Run genjob in this process; it must end well."""
    ran = CliRunner().invoke(genjob, list(words))

    assert 0 == ran.exit_code, ran.output


def cloned(folder: Path, workspace: str = "ml x") -> Repository:
    """Return a clone of a repository whose `main` is rendered, on a branch `change` of its own."""
    origin = Repository(folder / "origin", workspace)
    origin.folder.mkdir()
    origin.git("init", "--quiet", "--initial-branch", "main")
    run_genjob("init", str(origin.folder / workspace), "--ci", "github", "--ci", "gitlab")
    origin.render()
    origin.commit("a workspace")
    clone = Repository(folder / "clone", workspace)
    origin.git("clone", "--quiet", str(origin.folder), str(clone.folder))
    clone.git("switch", "--quiet", "--create", "change")
    return clone
