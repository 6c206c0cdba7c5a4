"""All changes or none: after every failure the tree is as it was, to the last hidden file.

The failures are real. A full disk is a limit on the size of a file, which the kernel enforces in
the middle of a write; a read-only folder binds root too, once it puts down the capability that
exempts it; an interrupt is a timer's signal at many moments of a render.
"""

from __future__ import annotations

import os
import resource
import signal
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import Diagnostic, Location
from genjob.tree.plan import Change, Plan, compare
from genjob.tree.writer import write
from tests.tree_on_disk import everything, fill, ours, read_only

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

OLD = {
    "bases/x/gone.yaml": ours("old"),
    "bases/x/pytorchjob.yaml": ours("old"),
    "overlays/prod/x/patch.yaml": ours("old"),
    "overlays/prod/notes.md": "mine",
    "overlays/dev/x/patch.yaml": ours("old"),
}
NEW = {
    "bases/x/config.yaml": ours("new"),
    "bases/x/pytorchjob.yaml": ours("new"),
    "overlays/prod/x/patch.yaml": ours("é\n"),
    "overlays/prod/y/deep/patch.yaml": ours("new"),
}
OWNED = ("bases", "overlays")
HINT = "nothing was changed; make room or mend the permissions, then render again"


def render(root: Path, files: Mapping[str, str]) -> list[Diagnostic]:
    """Compare and write."""
    found = compare(root, Plan(files, OWNED))
    assert found.problems == ()
    return write(root, found.changes, files=files)


def files_of(root: Path) -> dict[str, str]:
    """Return what is on disk but for the folders."""
    return {path: text for path, text in everything(root).items() if not path.endswith("/")}


def test_the_disk_becomes_the_plan(tmp_path: Path) -> None:
    """Folders that end up empty go; foreign files stay, and their folders with them."""
    fill(tmp_path, OLD)

    assert render(tmp_path, NEW) == []

    assert files_of(tmp_path) == {**NEW, "overlays/prod/notes.md": "mine"}
    assert not (tmp_path / "overlays/dev").exists()
    assert compare(tmp_path, Plan(NEW, OWNED)).changes == ()


def test_the_bytes_are_utf_8_with_line_feeds(tmp_path: Path) -> None:
    render(tmp_path, {"bases/a": ours("é\n")})

    assert ours("é\n").encode() == (tmp_path / "bases/a").read_bytes()


def test_new_files_have_the_permissions_that_the_user_gives_to_files(tmp_path: Path) -> None:
    render(tmp_path, {"bases/a": ours("")})
    (tmp_path / "other").touch()

    assert mode(tmp_path / "other") == mode(tmp_path / "bases/a")


def mode(path: Path) -> str:
    """Return permission bits as `ls` shows them."""
    return stat.filemode(path.stat().st_mode)


def test_no_changes_write_nothing(tmp_path: Path) -> None:
    assert write(tmp_path, [], files={}) == []
    assert everything(tmp_path) == {}


@contextmanager
def disk_with_room_for(size_bytes: int) -> Iterator[None]:
    """Let no file grow beyond a size: writes then fail in their middle, as on a full disk.

    Python ignores the signal SIGXFSZ, so that write(2) fails with EFBIG.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_old_output_whole(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    before = everything(tmp_path)
    large = {**NEW, "overlays/prod/y/deep/patch.yaml": ours("x" * 100_000)}

    with disk_with_room_for(5_000):
        found = render(tmp_path, large)

    path = "overlays/prod/y/deep/patch.yaml"
    message = f"cannot write '{path}': file too large"
    assert [Diagnostic("GJ705", message, Location(path), HINT)] == found
    assert before == everything(tmp_path)


@pytest.mark.parametrize("folder", ["bases/x", "overlays/prod", "overlays/prod/x"])
def test_a_read_only_folder_leaves_the_old_output_whole(tmp_path: Path, folder: str) -> None:
    fill(tmp_path, OLD)
    before = everything(tmp_path)

    with read_only(tmp_path / folder):
        found = render(tmp_path, NEW)

    assert [diagnostic.code for diagnostic in found] == ["GJ705"]
    assert found[0].message.startswith(f"cannot write '{folder}")
    assert found[0].message.endswith(": permission denied")
    assert before == everything(tmp_path)


def test_a_read_only_folder_that_only_loses_a_file_leaves_the_old_output_whole(
    tmp_path: Path,
) -> None:
    """Here the new texts are all written, and the failure comes between the replacements."""
    fill(tmp_path, {**OLD, "overlays/dev/y/patch.yaml": ours("old")})
    before = everything(tmp_path)

    with read_only(tmp_path / "overlays/dev/y"):
        found = render(tmp_path, NEW)

    assert [diagnostic.message for diagnostic in found] == [
        "cannot write 'overlays/dev/y/patch.yaml': permission denied"
    ]
    assert before == everything(tmp_path)


def test_a_folder_that_appears_in_the_way_leaves_the_old_output_whole(tmp_path: Path) -> None:
    """Between comparing and writing, and met when other files are in place already."""
    fill(tmp_path, OLD)
    changes = compare(tmp_path, Plan(NEW, OWNED)).changes
    fill(tmp_path, {"overlays/prod/y/deep/patch.yaml/mine": "mine"})
    before = everything(tmp_path)

    found = write(tmp_path, changes, files=NEW)

    assert [diagnostic.message for diagnostic in found] == [
        "cannot write 'overlays/prod/y/deep/patch.yaml': is a directory"
    ]
    assert before == everything(tmp_path)


def test_a_file_that_vanishes_meanwhile_leaves_the_rest_whole(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    changes = compare(tmp_path, Plan(NEW, OWNED)).changes
    (tmp_path / "overlays/prod/x/patch.yaml").unlink()
    before = everything(tmp_path)

    found = write(tmp_path, changes, files=NEW)

    assert [diagnostic.message for diagnostic in found] == [
        "cannot write 'overlays/prod/x/patch.yaml': no such file or directory"
    ]
    assert before == everything(tmp_path)


def test_a_file_where_a_folder_is_needed_leaves_the_old_output_whole(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    changes = compare(tmp_path, Plan(NEW, OWNED)).changes
    fill(tmp_path, {"overlays/prod/y": "mine"})
    before = everything(tmp_path)

    found = write(tmp_path, changes, files=NEW)

    assert [diagnostic.message for diagnostic in found] == [
        "cannot write 'overlays/prod/y/deep/patch.yaml': file exists"
    ]
    assert before == everything(tmp_path)


class Interrupted(Exception):  # noqa: N818 - it stands for KeyboardInterrupt, not for an error
    """What the timer's signal raises, as Ctrl-C raises KeyboardInterrupt."""


@contextmanager
def interrupt_after(delay_s: float) -> Iterator[None]:
    """Raise Interrupted in the middle of whatever runs after a while."""

    def raise_it(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, raise_it)
    signal.setitimer(signal.ITIMER_REAL, delay_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Between open() and `with`, an interrupt leaves a file that only the collector closes.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_moment_leaves_the_old_or_the_new_output_whole(
    tmp_path: Path,
) -> None:
    """Whatever the old one leaves beside itself, the next render removes."""
    old = {f"bases/{n}/{name}": ours("old") for n in range(8) for name in ("a", "gone")}
    new = {f"bases/{n}/{name}": ours("new") for n in range(8) for name in ("a", "b")}
    interrupted = 0
    for step in range(60):
        root = tmp_path / str(step)
        fill(root, old)
        changes = compare(root, Plan(new, OWNED)).changes
        try:
            with interrupt_after(0.0002 * (step + 1)):
                write(root, changes, files=new)
        except Interrupted:
            interrupted += 1
        found = files_of(root)
        assert found == old or new.items() <= found.items()
        assert render(root, new) == []
        assert new == files_of(root)
    assert interrupted


def test_an_interrupt_before_anything_is_in_place_leaves_nothing_behind(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    before = everything(tmp_path)
    changes = compare(tmp_path, Plan(NEW, OWNED)).changes

    with ctrl_c_interrupts(), pytest.raises(KeyboardInterrupt):
        write(tmp_path, changes, files=InterruptingTexts(NEW))

    assert before == everything(tmp_path)


@contextmanager
def ctrl_c_interrupts() -> Iterator[None]:
    """Let SIGINT raise, also where a shell without job control ignores it in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class InterruptingTexts(dict[str, str]):
    """Texts of which the last is never handed out: Ctrl-C comes first."""

    def __getitem__(self, path: str) -> str:
        """Return a text, or be interrupted."""
        if path == max(self):
            os.kill(os.getpid(), signal.SIGINT)
        return super().__getitem__(path)


def test_what_a_killed_render_left_is_gone_after_the_next(tmp_path: Path) -> None:
    fill(tmp_path, {**OLD, "bases/x/.pytorchjob.yaml.0a1b2c3d.genjob-tmp": "# Rend"})

    render(tmp_path, NEW)

    assert files_of(tmp_path) == {**NEW, "overlays/prod/notes.md": "mine"}


def test_only_the_given_changes_are_made(tmp_path: Path) -> None:
    fill(tmp_path, OLD)

    write(tmp_path, [Change("bases/x/pytorchjob.yaml", "rewrite")], files=NEW)

    assert {**OLD, "bases/x/pytorchjob.yaml": ours("new")} == files_of(tmp_path)
