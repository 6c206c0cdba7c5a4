"""A real Git repository in a folder of a test, with one author and nobody's own settings."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ENVIRON = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A Researcher",
    "GIT_AUTHOR_EMAIL": "researcher@example.com",
    "GIT_COMMITTER_NAME": "A Researcher",
    "GIT_COMMITTER_EMAIL": "researcher@example.com",
}


@dataclass(frozen=True)
class Repository:
    """A repository whose main branch is `main`."""

    root: Path
    extra: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path) -> Repository:
        """Make a folder a repository and commit what is in it."""
        root.mkdir(exist_ok=True)
        made = cls(root)
        made.git("init", "--quiet", "--initial-branch=main")
        made.commit("first")
        return made

    def git(self, *words: str) -> str:
        """Run Git and return what it says."""
        ran = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env={**os.environ, **ENVIRON, **self.extra},
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return ran.stdout.strip()

    def commit(self, message: str = "change") -> str:
        """Commit everything and return the name of the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def clone(self, folder: Path, *options: str) -> Repository:
        """Clone the repository as from another machine."""
        self.git("clone", "--quiet", *options, f"file://{self.root}", str(folder))
        return Repository(folder)
