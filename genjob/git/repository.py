"""A folder of a work tree → what Git knows of it: commits, their common ancestor, their files.

Nothing here changes the repository, its index or the work tree, and nothing reaches a network.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.command import Limits, run
from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
_PLAIN_MODES: Final = ("100644", "100755")
_ATTRIBUTES: Final = ".gitattributes"
_HABITS: Final = ("core.", "filter.", "extensions.")
"""What the settings of Git begin with that say what a file of a work tree is like."""


class Blob(NamedTuple):
    """A file of a commit: the kind of file that it is, and the name that Git has for its content.

    `quoted` is its path from the top of the repository, as Git reads it.
    """

    mode: str
    name: str
    quoted: str

    @classmethod
    def of(cls, entry: str, quoted: str) -> Blob:
        """Return the file of an entry of a tree: mode, type and name."""
        mode, _, name = entry.split()
        return cls(mode, name, quoted)

    @property
    def is_plain(self) -> bool:
        """Whether its path and its content are all that there is to it: it is no link."""
        return self.mode in _PLAIN_MODES


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

    def standing(self, revision: str | None) -> str:
        """Return a digest of all that decides which commit a revision is, or the main branch.

        That is the commit that it is, all branches and tags, and how much was fetched.
        """
        asked = f"{revision or 'HEAD'}^{{commit}}"
        said = [
            self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", asked).stdout,
            self._ask("show-ref", "--head").stdout,
            str(self.is_shallow),
        ]
        return _digest("\0".join(said).encode())

    def habits(self) -> str:
        """Return a digest of what files of a commit become in a work tree: the ends of lines.

        It is all that Git is told of it, but for what `.gitattributes` say below the folder that
        was opened.
        """
        settings = self._ask("config", "--list", "-z").stdout.split("\0")
        words = ("config", "--type=path", "--default", self._usual_attributes)
        named = self._ask(*words, "--get", "core.attributesFile").stdout
        own = self._ask("rev-parse", "--git-path", "info/attributes").stdout
        files = [self.top / name.rstrip("\n") for name in (named, own)]
        files += [self.top / folder / _ATTRIBUTES for folder in _upwards(self.prefix)]
        told = [each.encode() for each in settings if each.startswith(_HABITS)]
        told += [file.read_bytes() if file.is_file() else b"" for file in files]
        return _digest(b"\0".join(told))

    @property
    def _usual_attributes(self) -> str:
        """Return the file of a user's own attributes, where no setting names one."""
        home = self.environ.get("XDG_CONFIG_HOME") or f"{self.environ.get('HOME', '')}/.config"
        return f"{home}/git/attributes"

    def listing(self, commit: str, paths: Sequence[str]) -> dict[str, Blob]:
        """Return the files of a commit, by their paths from the folder that was opened.

        `paths` are files and folders from there; what the commit does not have is left out.

        Raises:
            MissingFilesError: when the clone does not know what is in the folders.
        """
        asked = (f"{self.prefix}{each}" for each in sorted({*paths}))
        answer = self._ask("-c", "core.quotePath=true", "ls-tree", "-r", commit, "--", *asked)
        if answer.returncode != 0:
            raise MissingFilesError(_said(answer))
        lines = (line.split("\t", 1) for line in answer.stdout.splitlines())
        return {
            _unquoted(quoted).removeprefix(self.prefix): Blob.of(entry, quoted)
            for entry, quoted in lines
        }

    def extract(self, blobs: Iterable[Blob], folder: Path) -> Path:
        """Write files of a commit below a folder, as a checkout would have them.

        Returns where the folder that was opened is now. The index that Git needs for it is one of
        its own, beside the files.

        Raises:
            MissingFilesError: when the clone does not have all of them.
        """
        root = folder / "files" / self.prefix
        root.mkdir(parents=True, exist_ok=True)
        environ = {**self.environ, "GIT_INDEX_FILE": str(folder / "index")}
        lines = "".join(f"{each.mode} {each.name}\t{each.quoted}\n" for each in blobs)
        staged = self._ask("update-index", "--index-info", environ=environ, stdin=lines)
        words = ("checkout-index", "--all", "--force", f"--prefix={folder}/files/")
        for answer in (staged, self._ask(*words, environ=environ)):
            if answer.returncode != 0:
                raise MissingFilesError(_said(answer))
        return root

    def _ask(
        self, *words: str, environ: Mapping[str, str] | None = None, stdin: str = ""
    ) -> Completed:
        return ask(self.top, *words, environ=environ or self.environ, stdin=stdin)


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


def ask(folder: Path, *words: str, environ: Mapping[str, str], stdin: str = "") -> Completed:
    """Run a command of Git in a folder; a failure is an answer too."""
    return run(["git", *words], cwd=folder, environ=environ, limits=_ANSWERS, stdin=stdin)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _upwards(prefix: str) -> list[str]:
    """Return the folders from the top of a repository down to one in it."""
    parts = prefix.strip("/").split("/")
    return ["", *("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))]


def _unquoted(path: str) -> str:
    """Return a path that Git has put in quotes, with escapes in the manner of C, as it is.

    Source: https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath
    """
    if not path.startswith('"'):
        return path
    raw = path[1:-1].encode("ascii").decode("unicode_escape").encode("latin-1")
    return raw.decode("utf-8", "surrogateescape")


def _said(answer: Completed) -> str:
    lines = answer.stderr.strip().splitlines()
    return lines[-1].removeprefix("fatal: ") if lines else f"exit code {answer.returncode}"
