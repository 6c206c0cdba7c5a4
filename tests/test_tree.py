"""The plan beside the disk: what is missing, other, left over, foreign or in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import Diagnostic, Location
from genjob.tree.plan import Change, Plan, compare, header, is_ours
from tests.tree_on_disk import everything, fill, forbidden, ours

if TYPE_CHECKING:
    from pathlib import Path

PATH = "overlays/prod/x/patch.yaml"
OWNED = ("bases", "overlays")


def test_the_header_names_the_source_and_the_remedy() -> None:
    assert header("experiments/x/experiment.yaml") == (
        "Rendered by genjob from experiments/x/experiment.yaml; "
        "edit that file, then run `genjob render`"
    )


def test_a_missing_file_is_created(tmp_path: Path) -> None:
    assert (Change(PATH, "create"),) == compare(tmp_path, Plan({PATH: ours("a")}, OWNED)).changes


def test_equal_bytes_are_no_change(tmp_path: Path) -> None:
    fill(tmp_path, {PATH: ours("a: é\n")})

    assert compare(tmp_path, Plan({PATH: ours("a: é\n")}, OWNED)).changes == ()


@pytest.mark.parametrize("text", [ours("b\n"), ours("a\n").replace("\n", "\r\n"), ours("a\n\n")])
def test_other_bytes_are_rewritten(tmp_path: Path, text: str) -> None:
    """A hand-edited file, and one that Git checked out with CRLF."""
    fill(tmp_path, {PATH: text})

    assert (Change(PATH, "rewrite"),) == compare(tmp_path, Plan({PATH: ours("a\n")})).changes


def test_a_file_of_ours_that_is_not_planned_is_removed(tmp_path: Path) -> None:
    fill(tmp_path, {PATH: ours("a"), "bases/x/gone.yaml": ours("b")})

    found = compare(tmp_path, Plan({PATH: ours("a")}, OWNED))

    assert (Change("bases/x/gone.yaml", "remove"),) == found.changes


def test_what_a_killed_render_left_behind_is_removed(tmp_path: Path) -> None:
    left = "bases/x/.patch.yaml.0a1b2c3d.genjob-tmp"
    fill(tmp_path, {left: ""})

    assert (Change(left, "remove"),) == compare(tmp_path, Plan({}, OWNED)).changes


def test_files_of_ours_outside_the_owned_folders_stay(tmp_path: Path) -> None:
    fill(tmp_path, {"bases/x/a.yaml": ours("a"), "bases/y/a.yaml": ours("a")})

    found = compare(tmp_path, Plan({}, ("bases/y", "overlays/prod/y")))

    assert (Change("bases/y/a.yaml", "remove"),) == found.changes


def test_a_foreign_file_elsewhere_is_passed_over(tmp_path: Path) -> None:
    fill(tmp_path, {"bases/x/notes.md": "# mine\nRendered by genjob\n", "bases/.gitkeep": ""})
    (tmp_path / "bases/x/binary").write_bytes(b"\xff" * 5000)

    found = compare(tmp_path, Plan({}, OWNED))

    assert (found.changes, found.problems) == ((), ())


def test_a_foreign_file_in_the_way_is_a_problem(tmp_path: Path) -> None:
    fill(tmp_path, {PATH: "mine\n"})

    assert problem(tmp_path, {PATH: ours("a")}) == Diagnostic(
        "GJ701",
        f"'{PATH}' is in the way: genjob did not write it",
        Location(PATH),
        "move it away or delete it, then render again",
    )


def test_a_symbolic_link_in_the_way_is_a_problem(tmp_path: Path) -> None:
    """Also one to a file of ours, and also one that stays in the workspace."""
    fill(tmp_path, {"elsewhere.yaml": ours("a"), "overlays/prod/x/notes.md": ""})
    (tmp_path / PATH).symlink_to(tmp_path / "elsewhere.yaml")

    found = problem(tmp_path, {PATH: ours("b")})

    assert ("GJ702", f"'{PATH}' is a symbolic link where a file is needed") == (
        found.code,
        found.message,
    )


def test_a_symbolic_link_to_a_folder_is_neither_followed_nor_emptied(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    fill(tmp_path, {"outside/prod/x/patch.yaml": ours("a"), "workspace/genjob.yaml": ""})
    (root / "overlays").symlink_to(tmp_path / "outside")
    plan = Plan({"overlays/dev/x/patch.yaml": ours("a")}, ("overlays/prod", "overlays"))

    found = compare(root, plan)

    assert found.changes == ()
    assert [(problem.code, problem.message) for problem in found.problems] == [
        ("GJ702", "'overlays' is a symbolic link where a folder is needed")
    ]


def test_a_dangling_link_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "nowhere")

    assert problem(tmp_path, {"a.yaml": ours("a")}).code == "GJ702"


def test_a_workspace_may_itself_be_behind_a_link(tmp_path: Path) -> None:
    fill(tmp_path, {f"real/{PATH}": ours("a")})
    (tmp_path / "link").symlink_to(tmp_path / "real")

    found = compare(tmp_path / "link", Plan({PATH: ours("a")}, OWNED))

    assert (found.changes, found.problems) == ((), ())


def test_a_file_where_a_folder_is_needed_is_a_problem(tmp_path: Path) -> None:
    fill(tmp_path, {"overlays": "mine"})

    found = problem(tmp_path, {PATH: ours("a")})

    assert (
        found.code,
        found.message,
    ) == ("GJ704", "'overlays' is a file where a folder is needed")


def test_a_folder_where_a_file_is_needed_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / PATH).mkdir(parents=True)

    found = problem(tmp_path, {PATH: ours("a")})

    assert ("GJ704", f"'{PATH}' is not a file, but a file is needed there") == (
        found.code,
        found.message,
    )


@pytest.mark.parametrize("other", ["overlays/prod/x/Patch.yaml", "overlays/Prod/x/other.yaml"])
def test_two_paths_that_differ_by_case_alone_are_a_problem(tmp_path: Path, other: str) -> None:
    found = compare(tmp_path, Plan({PATH: ours("a"), other: ours("b")})).problems

    assert [problem.code for problem in found] == ["GJ703"]
    assert "differ by case alone" in found[0].message


def test_an_old_file_that_differs_by_case_alone_is_removed(tmp_path: Path) -> None:
    """Where the file system tells them apart; where not, they are one file, which stays."""
    fill(tmp_path, {PATH: ours("a"), "overlays/prod/x/PATCH.yaml": ours("a")})
    files = len(list((tmp_path / "overlays/prod/x").iterdir()))

    assert files - 1 == len(compare(tmp_path, Plan({PATH: ours("a")}, OWNED)).changes)


@pytest.mark.parametrize("path", ["../x.yaml", "bases/../../x.yaml", "/etc/x.yaml"])
def test_a_path_outside_the_workspace_is_our_own_fault(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="is not a path inside the workspace"):
        compare(tmp_path, Plan({path: ours("a")}))


def test_changes_and_problems_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    fill(tmp_path, {"c": "mine", "b": ours("old"), "a": "mine", "bases/z": ours("")})

    found = compare(tmp_path, Plan(dict.fromkeys("dcba", ours("a")), ("bases",)))

    assert [(change.path, change.kind) for change in found.changes] == [
        ("b", "rewrite"),
        ("bases/z", "remove"),
        ("d", "create"),
    ]
    assert [problem.location.file for problem in found.problems] == ["a", "c"]


def test_comparing_writes_nothing(tmp_path: Path) -> None:
    fill(tmp_path, {PATH: ours("old"), "bases/gone": ours("")})
    before = everything(tmp_path)

    compare(tmp_path, Plan({PATH: ours("new"), "bases/new": ours("")}, OWNED))

    assert before == everything(tmp_path)


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    fill(tmp_path, {"bases/x/a.yaml": ours("a")})

    with forbidden(tmp_path / "bases"), pytest.raises(PermissionError):
        compare(tmp_path, Plan({}, OWNED))


def test_only_the_first_line_makes_a_file_ours(tmp_path: Path) -> None:
    fill(tmp_path, {"a": ours(""), "b": "\n" + ours(""), "c": "\ufeff" + ours(""), "d": ""})

    assert [is_ours(tmp_path / name) for name in "abcd"] == [True, False, True, False]


def problem(root: Path, files: dict[str, str]) -> Diagnostic:
    """Return the one problem of a plan that changes nothing."""
    found = compare(root, Plan(files, OWNED))
    assert found.changes == ()
    (only,) = found.problems
    return only
