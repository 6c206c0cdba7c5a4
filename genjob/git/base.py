"""What a command line says of a revision → the commit that the work tree is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location
from genjob.wording import one_of, quoted

if TYPE_CHECKING:
    from genjob.git.repository import Repository

_SHORT: Final = 9
"""Digits by which people are shown a commit."""

HEAD: Final = "HEAD"

NOT_A_REPOSITORY: Final = Diagnostic(
    Code.NOT_A_REPOSITORY,
    "this workspace is in no Git repository, so there is nothing to compare with",
    Location("."),
    "run `git init` and commit, or run this in a clone",
)


@dataclass(frozen=True, slots=True)
class Base:
    """A commit to compare with: its name, and what it is to the person who asked."""

    commit: str
    said: str

    @property
    def short(self) -> str:
        """The first digits of the commit."""
        return self.commit[:_SHORT]


def base_of(repository: Repository, against: str | None, main: str) -> Base | Diagnostic:
    """Return the commit that `against` names, or else the merge base with the branch `main`.

    The branch of the remote `origin` is taken before one of this clone, which may be behind. Where
    there is no branch of this name, it is the one that `origin` has as its own, or `master`.
    """
    if against is not None:
        commit = repository.commit(against)
        return _unknown(repository, against) if commit is None else Base(commit, against)
    head = repository.commit(HEAD)
    if head is None:
        message, hint = "there is no commit yet to compare with", "commit first"
        return Diagnostic(Code.UNKNOWN_REVISION, message, Location("."), hint)
    names = [f"origin/{main}", main, "origin/HEAD", "master"]
    known = {name: commit for name in names if (commit := repository.commit(name)) is not None}
    for name, commit in known.items():
        base = repository.merge_base(head, commit)
        if base is not None:
            return Base(base, f"the merge base with {name}")
    return _no_base(repository, [*known][:1], names[:2])


def missing_files(base: Base, reason: str) -> Diagnostic:
    """Return the finding that a clone does not have all files of a commit."""
    message = f"this clone does not have all files of {quoted(base.said)}: {reason}"
    hint = f"fetch them: `git fetch --refetch --no-filter origin {base.commit}`"
    return Diagnostic(Code.UNKNOWN_REVISION, message, Location("."), hint)


def _unknown(repository: Repository, against: str) -> Diagnostic:
    message = f"found no commit {quoted(against)} in this clone"
    hint = "write a branch, a tag or a commit that `git log` shows"
    if repository.is_shallow:
        message += ", which is shallow"
        hint = f"fetch it: `git fetch --depth=1 origin {against}`, then say --against FETCH_HEAD"
    return Diagnostic(Code.UNKNOWN_REVISION, message, Location("."), hint)


def _no_base(repository: Repository, known: list[str], names: list[str]) -> Diagnostic:
    if not known:
        message = f"found no branch {one_of(names)} to compare with"
        hint = "say --against REV, or write the main branch in genjob.yaml: repo: {revision: …}"
    else:
        message = f"found no common commit with {one_of(known)}"
        hint = "say --against REV"
    if repository.is_shallow:
        message += "; this clone is shallow"
        hint = (
            "run `git fetch --unshallow`, let the pipeline clone everything (`fetch-depth: 0`, "
            "`GIT_DEPTH: 0`), or say --against REV"
        )
    return Diagnostic(Code.NO_MERGE_BASE, message, Location("."), hint)
