"""What is compared with, where nobody says it; and what to do where that cannot be known."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from genjob.git.base import Base, base_of
from genjob.git.repository import open_repository
from tests.git_repository import ENVIRON, Repository

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.diagnostics import Diagnostic


def base(root: Path, against: str | None = None, main: str = "main") -> Base | Diagnostic:
    repository = open_repository(root, {**os.environ, **ENVIRON})
    assert repository is not None
    return base_of(repository, against, main)


def said(found: Base | Diagnostic) -> tuple[str, str, str]:
    assert not isinstance(found, Base)
    return found.code, found.message, found.hint


def test_it_is_where_the_branch_left_the_main_branch(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path)
    first = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "--quiet", "-b", "branch")
    repository.commit("on the branch")
    repository.git("checkout", "--quiet", "main")
    repository.commit("on main")
    repository.git("checkout", "--quiet", "branch")

    assert Base(first, "the merge base with main") == base(tmp_path)


def test_the_branch_of_the_remote_comes_before_ones_own(tmp_path: Path) -> None:
    first = Repository.of(tmp_path / "r").git("rev-parse", "HEAD")
    clone = Repository(tmp_path / "r").clone(tmp_path / "c")
    clone.commit("not pushed, on main")

    assert Base(first, "the merge base with origin/main") == base(tmp_path / "c")


def test_the_main_branch_is_that_of_the_settings(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path)
    repository.git("branch", "--move", "trunk")

    found = base(tmp_path, main="trunk")

    assert isinstance(found, Base)
    assert "the merge base with trunk" == found.said


def test_a_revision_that_is_said_is_taken_as_it_is(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path)
    first = repository.git("rev-parse", "HEAD")
    repository.commit()

    assert Base(first, "HEAD~1") == base(tmp_path, "HEAD~1")


def test_a_repository_without_a_commit_says_so(tmp_path: Path) -> None:
    Repository(tmp_path).git("init", "--quiet")

    assert ("GJ821", "there is no commit yet to compare with", "commit first") == said(
        base(tmp_path)
    )


def test_a_revision_that_is_not_there_says_so(tmp_path: Path) -> None:
    Repository.of(tmp_path)

    assert (
        "GJ821",
        "found no commit 'v9' in this clone",
        "write a branch, a tag or a commit that `git log` shows",
    ) == said(base(tmp_path, "v9"))


def test_a_revision_that_a_shallow_clone_does_not_have_can_be_fetched(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path / "r")
    first = repository.git("rev-parse", "HEAD")
    repository.commit()
    repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = repository.clone(tmp_path / "c", "--depth=1")

    code, message, hint = said(base(tmp_path / "c", first))
    clone.git("fetch", "--quiet", "--depth=1", "origin", first)

    assert ("GJ821", f"found no commit '{first}' in this clone, which is shallow") == (
        code,
        message,
    )
    assert hint.startswith(f"fetch it: `git fetch --depth=1 origin {first}`")
    assert Base(first, "FETCH_HEAD") == base(tmp_path / "c", "FETCH_HEAD")


def test_a_main_branch_of_another_name_is_found(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path / "r")
    repository.git("branch", "--move", "trunk")
    repository.clone(tmp_path / "c")
    repository.git("branch", "--move", "master")
    found = [base(tmp_path / name) for name in ("c", "r")]

    assert ["the merge base with origin/HEAD", "the merge base with master"] == [
        each.said for each in found if isinstance(each, Base)
    ]


def test_without_a_main_branch_it_must_be_said(tmp_path: Path) -> None:
    Repository.of(tmp_path).git("branch", "--move", "trunk")

    assert (
        "GJ822",
        "found no branch 'origin/main' or 'main' to compare with",
        "say --against REV, or write the main branch in genjob.yaml: repo: {revision: …}",
    ) == said(base(tmp_path))


def test_in_a_shallow_clone_the_common_commit_is_missing(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path / "r")
    repository.git("checkout", "--quiet", "-b", "branch")
    repository.commit("on the branch")
    repository.git("checkout", "--quiet", "main")
    repository.commit("on main")
    clone = repository.clone(tmp_path / "c", "--depth=1", "--no-single-branch")
    clone.git("checkout", "--quiet", "branch")

    code, message, hint = said(base(tmp_path / "c"))

    assert "GJ822" == code
    assert "found no common commit with 'origin/main'; this clone is shallow" == message
    assert "`git fetch --unshallow`" in hint
    clone.git("fetch", "--quiet", "--unshallow")
    assert isinstance(base(tmp_path / "c"), Base)


def test_unrelated_branches_have_no_common_commit(tmp_path: Path) -> None:
    repository = Repository.of(tmp_path)
    repository.git("checkout", "--quiet", "--orphan", "other")
    repository.commit("unrelated")

    assert ("GJ822", "found no common commit with 'main'", "say --against REV") == said(
        base(tmp_path)
    )
