"""`genjob init` makes a workspace that works at once, and overwrites nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.authoring.scaffold import workspace_files

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.conftest import RunsCommand

NEXT = """\
next:
  cd {folder}
  genjob validate                report every mistake, write nothing
  genjob render --all            write bases/ and overlays/
  git add . && git commit        an overlay in Git is a job on a cluster
  genjob new NAME --env dev      an experiment of your own
"""


def files_below(root: Path) -> set[str]:
    """Return the files of a folder, as POSIX paths from it."""
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_it_names_what_it_made_and_what_comes_next(tmp_path: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("init", tmp_path / "ml/train")
    made = "".join(f"created {path}\n" for path in sorted(workspace_files()))

    assert (0, "", made + NEXT.format(folder=tmp_path / "ml/train")) == (
        ran.exit_code,
        ran.stderr,
        ran.stdout,
    )


def test_the_new_workspace_has_no_findings(tmp_path: Path, run_cli: RunsCommand) -> None:
    run_cli("init", tmp_path)
    ran = run_cli("validate", "--strict", "-C", tmp_path)

    assert (0, "") == (ran.exit_code, ran.stderr)


def test_the_new_workspace_renders_at_once_and_builds_to_what_is_meant(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    run_cli("init", tmp_path)
    rendered = run_cli("render", "--all", "-C", tmp_path)
    verified = run_cli("verify", "-C", tmp_path)

    assert (0, 0) == (rendered.exit_code, verified.exit_code)
    assert "2 overlays build to what is meant" in verified.stdout


def test_a_file_that_is_there_is_left_and_named(tmp_path: Path, run_cli: RunsCommand) -> None:
    (tmp_path / "genjob.yaml").write_text("# mine\nversion: genjob/v1\n", encoding="utf-8")
    ran = run_cli("init", tmp_path)

    assert ran.stdout.startswith("kept genjob.yaml: it is there already\ncreated .gitattributes\n")
    assert (tmp_path / "genjob.yaml").read_text(encoding="utf-8") == "# mine\nversion: genjob/v1\n"


def test_a_second_init_changes_nothing(tmp_path: Path, run_cli: RunsCommand) -> None:
    run_cli("init", tmp_path)
    before = {path: (tmp_path / path).stat().st_mtime_ns for path in files_below(tmp_path)}
    ran = run_cli("init", tmp_path)

    assert ran.exit_code == 0
    assert "created" not in ran.stdout
    assert before == {path: (tmp_path / path).stat().st_mtime_ns for path in files_below(tmp_path)}


def test_the_folders_of_existing_settings_are_taken(tmp_path: Path, run_cli: RunsCommand) -> None:
    settings = "paths: {experiments: ml/experiments, environments: clusters}\n"
    (tmp_path / "genjob.yaml").write_text(settings, encoding="utf-8")
    run_cli("init", tmp_path)

    assert (tmp_path / "ml/experiments/hello/experiment.yaml").is_file()
    assert run_cli("validate", "--strict", "-C", tmp_path).exit_code == 0


def test_a_file_is_no_folder_for_a_workspace(tmp_path: Path, run_cli: RunsCommand) -> None:
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    ran = run_cli("init", tmp_path / "notes.txt")

    assert ran.exit_code == 2
    assert "is a file" in ran.stderr


def test_a_folder_below_a_file_is_refused(tmp_path: Path, run_cli: RunsCommand) -> None:
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    ran = run_cli("init", tmp_path / "notes.txt/ml")

    assert (1, f"Error: cannot make '{tmp_path / 'notes.txt/ml'}': not a directory\n") == (
        ran.exit_code,
        ran.stderr,
    )


def test_a_file_in_the_way_of_a_folder_leaves_nothing_half_made(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    (tmp_path / "schemas").write_text("mine", encoding="utf-8")
    ran = run_cli("init", tmp_path)

    assert ran.exit_code == 1
    assert "cannot write 'schemas/environment.schema.json'" in ran.stderr
    assert {"schemas"} == files_below(tmp_path)


def test_inside_the_folder_there_is_no_need_to_enter_it(
    tmp_path: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_cli("init")

    assert ran.exit_code == 0
    assert "cd " not in ran.stdout
