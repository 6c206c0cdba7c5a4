"""What Git knows of a folder is read without a change to the repository, and without a network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import ToolError
from genjob.git.repository import MissingFilesError, Repository, open_repository
from tests.git_repository import ENVIRON
from tests.git_repository import Repository as Made

if TYPE_CHECKING:
    from pathlib import Path

FILES: dict[str, bytes] = {
    "genjob.yaml": b"version: genjob/v1\n",
    "experiments/a/experiment.yaml": "name: \N{LATIN SMALL LETTER U WITH DIAERESIS}\n".encode(),
    "experiments/a/weights.bin": bytes(range(256)),
    "notes/x.txt": b"not of the workspace\n",
}


def made(root: Path, prefix: str = "") -> Made:
    for path, content in FILES.items():
        file = root / prefix / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return Made.of(root)


def opened(folder: Path) -> Repository:
    found = open_repository(folder, {**os.environ, **ENVIRON})
    assert found is not None
    return found


def extracted(found: Repository, commit: str, paths: list[str], folder: Path) -> Path:
    return found.extract(found.listing(commit, paths).values(), folder)


def below(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


@pytest.mark.parametrize("prefix", ["", "ml/work space/"])
def test_files_of_a_commit_are_those_that_were_committed(prefix: str, tmp_path: Path) -> None:
    repository = made(tmp_path / "r", prefix)
    (tmp_path / "r" / prefix / "genjob.yaml").write_text("edited: true\n")
    found = opened(tmp_path / "r" / prefix)

    folder = extracted(found, repository.git("rev-parse", "HEAD"), [*FILES][:2], tmp_path / "s")

    assert below(folder) == {name: FILES[name] for name in [*FILES][:2]}


def test_a_folder_comes_with_all_that_is_in_it_and_what_is_not_there_is_left_out(
    tmp_path: Path,
) -> None:
    repository = made(tmp_path / "r")
    wanted = ["experiments", "experiments/a", "overlays", "genjob.yaml"]

    folder = extracted(
        opened(tmp_path / "r"), repository.git("rev-parse", "HEAD"), wanted, tmp_path / "s"
    )

    assert below(folder) == {name: FILES[name] for name in [*FILES][:3]}


@pytest.mark.parametrize("setting", ["true", "false"])
def test_a_file_of_any_name_is_found_whatever_git_quotes_for_people(
    setting: str, tmp_path: Path
) -> None:
    names = [f"experiments/a/{name}" for name in ("é", 'é"x', "a\u2028b", "a\x85b", "a\tb", "a\\b")]
    for name in names:
        file = tmp_path / "r" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    repository = Made.of(tmp_path / "r")
    repository.git("config", "core.quotePath", setting)

    found, commit = opened(tmp_path / "r"), repository.git("rev-parse", "HEAD")
    folder = extracted(found, commit, ["experiments"], tmp_path / "s")

    assert below(folder) == {name: name.encode() for name in names}
    assert {*names} == found.listing(commit, ["experiments"]).keys()


def test_index_and_work_tree_stay_as_they_are(tmp_path: Path) -> None:
    repository = made(tmp_path / "r")
    (tmp_path / "r/staged.txt").write_text("staged")
    repository.git("add", "staged.txt")
    (tmp_path / "r/genjob.yaml").write_text("edited: true\n")
    before = repository.git("status", "--porcelain")

    extracted(opened(tmp_path / "r"), "HEAD", ["experiments", "genjob.yaml"], tmp_path / "s")

    assert before == repository.git("status", "--porcelain")
    assert "A  staged.txt" in before


def test_line_ends_are_those_of_the_work_tree(tmp_path: Path) -> None:
    repository = made(tmp_path / "r")
    (tmp_path / "r/.gitattributes").write_text("*.yaml eol=crlf\n")
    repository.commit()

    folder = extracted(opened(tmp_path / "r"), "HEAD", ["genjob.yaml"], tmp_path / "s")

    assert {"genjob.yaml": b"version: genjob/v1\r\n"} == below(folder)


def test_what_an_archive_would_leave_out_is_there(tmp_path: Path) -> None:
    repository = made(tmp_path / "r")
    (tmp_path / "r/.gitattributes").write_text("experiments export-ignore\n")
    repository.commit()

    folder = extracted(opened(tmp_path / "r"), "HEAD", ["experiments"], tmp_path / "s")

    assert 2 == len(below(folder))


@pytest.mark.parametrize("word", ["main", "HEAD", "v1", "HEAD~0"])
def test_a_revision_is_what_git_says(word: str, tmp_path: Path) -> None:
    repository = made(tmp_path)
    repository.git("tag", "v1")

    assert repository.git("rev-parse", "HEAD") == opened(tmp_path).commit(word)


@pytest.mark.parametrize("word", ["nowhere", "", "--all", "main:genjob.yaml", "a b"])
def test_what_is_no_commit_is_none(word: str, tmp_path: Path) -> None:
    made(tmp_path)

    assert opened(tmp_path).commit(word) is None


def test_the_common_ancestor_is_found_and_unrelated_commits_have_none(tmp_path: Path) -> None:
    repository = made(tmp_path)
    first = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "--quiet", "-b", "branch")
    branch = repository.commit("on the branch")
    repository.git("checkout", "--quiet", "main")
    main = repository.commit("on main")
    repository.git("checkout", "--quiet", "--orphan", "other")
    other = repository.commit("unrelated")
    found = opened(tmp_path)

    assert first == found.merge_base(branch, main)
    assert found.merge_base(other, main) is None


def test_a_folder_outside_of_a_repository_has_none(tmp_path: Path) -> None:
    environ = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}

    assert open_repository(tmp_path, environ) is None


def test_a_missing_git_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"'git rev-parse .* cannot be started"):
        open_repository(tmp_path, {"PATH": str(tmp_path)})


def test_a_shallow_clone_says_so(tmp_path: Path) -> None:
    repository = made(tmp_path / "r")
    repository.commit()
    repository.clone(tmp_path / "c", "--depth=1")

    assert [False, True] == [opened(tmp_path / name).is_shallow for name in ("r", "c")]


def test_a_submodule_is_left_out(tmp_path: Path) -> None:
    made(tmp_path / "other")
    repository = made(tmp_path / "r")
    words = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")
    repository.git(*words, f"file://{tmp_path}/other", "experiments/other")
    repository.commit()

    folder = extracted(opened(tmp_path / "r"), "HEAD", ["experiments"], tmp_path / "s")

    assert 2 == len(below(folder))


def test_files_that_a_partial_clone_lacks_are_not_fetched(tmp_path: Path) -> None:
    repository = made(tmp_path / "r")
    first = repository.git("rev-parse", "HEAD")
    repository.git("config", "uploadpack.allowFilter", "true")
    (tmp_path / "r/genjob.yaml").write_text("version: genjob/v1\nrepo: {}\n")
    repository.commit()
    repository.clone(tmp_path / "c", "--filter=blob:none")

    with pytest.raises(MissingFilesError, match="could not fetch"):
        extracted(opened(tmp_path / "c"), first, ["genjob.yaml"], tmp_path / "s")


def test_a_revision_stands_until_a_commit_or_a_branch_is_made(tmp_path: Path) -> None:
    repository = made(tmp_path)
    found = opened(tmp_path)
    stands = [found.standing(None), found.standing("HEAD"), found.standing("nowhere")]

    assert stands[0] == stands[1] != stands[2]
    assert stands == [found.standing(each) for each in (None, "HEAD", "nowhere")]
    repository.git("branch", "other")
    branched = found.standing("HEAD")
    repository.commit()
    assert 3 == len({stands[0], branched, found.standing("HEAD")})


def test_habits_are_all_that_decides_on_the_ends_of_lines(tmp_path: Path) -> None:
    repository = made(tmp_path / "r", "ml/")
    (tmp_path / "home").mkdir()
    environ = {**os.environ, **ENVIRON, "XDG_CONFIG_HOME": str(tmp_path / "home")}
    found = open_repository(tmp_path / "r/ml", environ)
    assert found is not None
    seen = [found.habits()]
    files = (
        ".gitattributes",
        "ml/.gitattributes",
        ".git/info/attributes",
        "../home/git/attributes",
    )
    for file in files:
        (tmp_path / "r" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "r" / file).write_text("* eol=crlf\n")
        seen.append(found.habits())
    repository.git("config", "core.autocrlf", "true")
    seen.append(found.habits())
    repository.git("config", "core.attributesFile", str(tmp_path / "r" / files[0]))
    repository.git("config", "user.name", "somebody")

    assert 6 == len({*seen})
    assert seen[-1] != found.habits()


def test_a_repository_that_git_does_not_trust_is_a_matter_of_git(tmp_path: Path) -> None:
    made(tmp_path)
    environ = {**os.environ, **ENVIRON, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}

    with pytest.raises(ToolError, match="Git cannot read the repository: "):
        open_repository(tmp_path, environ)
