"""A folder of a work tree → what Git knows of it: commits, their common ancestor, their files.

Nothing here changes the repository, its index or the work tree, and nothing reaches a network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.command import Limits, run
from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from genjob.command import Completed

QUIET: Final = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LFS_SKIP_SMUDGE": "1",
}
"""Variables by which Git speaks English, leaves the index alone and fetches nothing.

A partial clone would otherwise fetch the files that it lacks, and Git LFS those that it keeps.
Source: https://git-scm.com/docs/git (2.39), GIT_ALLOW_PROTOCOL; git-lfs-smudge(1).
"""

_FAILED: Final = 128
"""The exit code with which Git says `fatal`."""

_ANSWERS: Final = Limits(allowed=(0, 1, _FAILED))


class _Entry(NamedTuple):
    """A file or a folder of a commit; `name` is that of its object."""

    mode: str
    kind: str
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository that a folder belongs to.

    `top` is its work tree and `prefix` the way from there to the folder: POSIX, with a slash at its
    end, or empty.
    """

    top: Path
    prefix: str
    is_shallow: bool
    environ: Mapping[str, str] = field(repr=False)

    def commit(self, revision: str) -> str | None:
        """Return the name of the commit that a revision is, 40 digits; None when there is none."""
        asked = f"{revision}^{{commit}}"
        answer = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
        return answer.stdout.strip() if answer.returncode == 0 else None

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor of two commits; None when this clone has none."""
        answer = self._ask("merge-base", one, other)
        return answer.stdout.strip() if answer.returncode == 0 else None

    def extract(self, commit: str, paths: Sequence[str], folder: Path) -> Path:
        """Write files of a commit below a folder, as a checkout would have them.

        `paths` are files and folders relative to the folder that was opened; what the commit does
        not have of them is left out. Returns where that folder is now. The index that Git needs for
        it is one of its own, beside the files.

        Raises:
            MissingFilesError: when the clone does not have all of them.
        """
        (folder / "files").mkdir(parents=True, exist_ok=True)
        environ = {**self.environ, "GIT_INDEX_FILE": str(folder / "index")}
        for entry in self._entries(commit, paths):
            self._stage(entry, environ)
        answer = self._ask(
            "checkout-index", "--all", "--force", f"--prefix={folder}/files/", environ=environ
        )
        if answer.returncode != 0:
            raise MissingFilesError(_said(answer))
        return folder / "files" / self.prefix

    def _stage(self, entry: _Entry, environ: Mapping[str, str]) -> None:
        if entry.kind == "tree":
            words = ["read-tree", f"--prefix={entry.path}/", entry.name]
        else:
            cached = f"{entry.mode},{entry.name},{entry.path}"
            words = ["update-index", "--add", "--cacheinfo", cached]
        answer = self._ask(*words, environ=environ)
        if answer.returncode != 0:
            raise MissingFilesError(_said(answer))

    def _entries(self, commit: str, paths: Sequence[str]) -> list[_Entry]:
        """Return which of these paths a commit has; what is below another one comes with it."""
        found: list[_Entry] = []
        for path in sorted(f"{self.prefix}{each}" for each in {*paths}):
            if not any(path.startswith(f"{above.path}/") for above in found):
                found += self._listed(commit, path)
        return found

    def _listed(self, commit: str, path: str) -> list[_Entry]:
        answer = self._ask("ls-tree", commit, "--", path)
        if answer.returncode != 0:
            raise MissingFilesError(_said(answer))
        if not answer.stdout:
            return []
        mode, kind, name = answer.stdout.split("\t")[0].split()
        return [_Entry(mode, kind, name, path)]

    def _ask(self, *words: str, environ: Mapping[str, str] | None = None) -> Completed:
        return ask(self.top, *words, environ=environ or self.environ)


class MissingFilesError(Exception):
    """Files of a commit that this clone does not have, with the words of Git."""


def open_repository(folder: Path, environ: Mapping[str, str]) -> Repository | None:
    """Return the repository whose work tree holds a folder, or None when there is none.

    Raises:
        ToolError: when there is no Git, or it does not want to read the repository.
    """
    environ = {**environ, **QUIET}
    words = ("--show-toplevel", "--is-shallow-repository", "--show-prefix")
    answer = ask(folder, "rev-parse", *words, environ=environ)
    if answer.returncode != 0:
        if "not a git repository" in answer.stderr or "work tree" in answer.stderr:
            return None
        raise ToolError(f"Git cannot read the repository: {_said(answer)}")
    top, is_shallow, prefix = answer.stdout.split("\n")[:3]
    return Repository(Path(top), prefix, is_shallow == "true", environ)


def ask(folder: Path, *words: str, environ: Mapping[str, str]) -> Completed:
    """Run a command of Git in a folder; a failure is an answer too."""
    return run(["git", *words], cwd=folder, environ=environ, limits=_ANSWERS)


def _said(answer: Completed) -> str:
    lines = answer.stderr.strip().splitlines()
    return lines[-1].removeprefix("fatal: ") if lines else f"exit code {answer.returncode}"
