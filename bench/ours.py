"""A workspace → how long each command of genjob takes on it: cold, again, and after an edit."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import Sample, medians, run
from genjob.cli.main import COMMANDS
from genjob.memory.folder import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COLD, AGAIN, EDITED = "cold", "nothing changed", "one changed"
_MOST_VERIFIED = 1000
"""Experiments up to which all overlays are built with Kustomize; beyond, it takes minutes."""


def program() -> list[str]:
    """Return how genjob is called: the script that pip installed, else the module."""
    script = Path(sys.executable).with_name("genjob")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "genjob"]


class Workspace:
    """A workspace on the disk, with a memory of its own."""

    def __init__(self, root: Path, experiments: int, runs: int) -> None:
        self.root = root
        self.experiments = experiments
        self._memory = root.parent / "memory"
        self._runs = runs
        self._edits = 0

    def __call__(self, *words: str) -> Sample:
        """Run a command on it."""
        argv = [*program(), *words, "-C", str(self.root)]
        return run(argv, {VARIABLE: str(self._memory)}, most=1)  # 1: there are differences

    def forget(self) -> None:
        """Make the next run a cold one."""
        shutil.rmtree(self._memory, ignore_errors=True)

    def edit(self) -> None:
        """Change one experiment, so that its run is a new one."""
        self._edits += 1
        file = sorted(self.root.glob("experiments/*/experiment.yaml"))[self.experiments // 2]
        text = file.read_text(encoding="utf-8")
        file.write_text(
            re.sub(r"--seed=\d+", f"--seed={90_000 + self._edits}", text), encoding="utf-8"
        )

    def repeated(self, before: Callable[[], object], *words: str) -> Sample:
        """Return the medians of a command; `before` prepares each run."""
        samples = []
        for _ in range(self._runs):
            before()
            samples.append(self(*words))
        return medians(samples)

    def rows(self) -> Iterator[tuple[str, str, Sample]]:
        """Yield command, state and what it took."""
        yield "render --all", "nothing rendered", self._first_render()
        for words in self._commands():
            name = " ".join(words)
            yield name, COLD, self.repeated(self.forget, *words)
            self("render", "--all")
            self(*words)
            yield name, AGAIN, self.repeated(lambda: None, *words)
            yield name, EDITED, self.repeated(partial(self._edited, *words), *words)
            self("render", "--all")

    def _edited(self, *words: str) -> None:
        """Change one experiment; before it can be verified, it must be rendered."""
        self("render", "--all")
        self.edit()
        if words[0] == "verify":
            self("render", "--all")

    def _first_render(self) -> Sample:
        def nothing() -> None:
            self.forget()
            for folder in ("bases", "overlays"):
                shutil.rmtree(self.root / folder, ignore_errors=True)

        return self.repeated(nothing, "render", "--all")

    def _commands(self) -> Iterator[tuple[str, ...]]:
        yield ("validate",)
        yield ("render", "--all")
        yield ("render", "--all", "--check")
        if "diff" in COMMANDS:
            self._commit()
            yield ("diff", "--env", "prod")
        if self.experiments <= _MOST_VERIFIED:
            yield ("verify",)

    def _commit(self) -> None:
        """Commit all, for what compares with a commit."""
        who = ("-c", "user.name=bench", "-c", "user.email=bench@example.com")
        for words in (("init", "--quiet"), ("add", "."), (*who, "commit", "-qm", "all")):
            subprocess.run(["git", "-C", str(self.root), *words], check=True)
