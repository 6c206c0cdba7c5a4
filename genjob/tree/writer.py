"""Changes of a tree → files on disk, all of them or none.

New texts are first written beside their targets, under names that nothing else has; then old files
step aside and new ones take their place; only when all stand are the old ones deleted. Whatever
happens before that, an interrupt too, is undone in reverse.
"""

from __future__ import annotations

import secrets
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from genjob.diagnostics import Diagnostic, Location
from genjob.tree.plan import TEMPORARY, UNWRITTEN, Change, accumulated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


class _WriteError(Exception):
    """The operating system refused a step for one path."""

    def __init__(self, path: str, error: OSError) -> None:
        self.path = path
        self.reason = (error.strerror or str(error)).lower()
        super().__init__(path)


def write(root: Path, changes: Sequence[Change], *, files: Mapping[str, str]) -> list[Diagnostic]:
    """Make the disk as planned: `changes` as `compare` found them, the texts from `files`.

    UTF-8, line ends as they are in the texts. Returns one diagnostic with the path and the reason
    when the operating system refuses a step; the tree is then as it was before.
    """
    root = root.resolve()
    try:
        retired = _replace_all(root, changes, files)
    except _WriteError as error:
        message = f"cannot write '{error.path}': {error.reason}"
        hint = "nothing was changed; make room or mend the permissions, then render again"
        return [Diagnostic(UNWRITTEN, message, Location(error.path), hint)]
    _forget(root, retired, changes)
    return []


def _replace_all(root: Path, changes: Sequence[Change], files: Mapping[str, str]) -> list[Path]:
    """Do every step that can fail; return the old files, which stand aside."""
    with ExitStack() as undo:
        staged = _stage(root, changes, files, undo)
        retired = [
            aside
            for change in changes
            if (aside := _swap(root, change, staged.get(change.path), undo)) is not None
        ]
        undo.pop_all()
    return retired


def _stage(
    root: Path, changes: Sequence[Change], files: Mapping[str, str], undo: ExitStack
) -> dict[str, Path]:
    """Write the new texts beside their targets; return path → where its text waits.

    Without fsync: it takes nine tenths of a render's time, a full disk tells at write or close,
    and what a power cut takes can be rendered again.
    """
    staged: dict[str, Path] = {}
    there: set[str] = set()
    for change in changes:
        if change.kind != "remove":
            with _blaming(change.path):
                _make_folders(root, change.path, there, undo)
                staged[change.path] = _beside(root / change.path)
                undo.callback(staged[change.path].unlink, missing_ok=True)
                _create(staged[change.path], files[change.path])
    return staged


def _make_folders(root: Path, path: str, there: set[str], undo: ExitStack) -> None:
    """Make the folders above a path; those in `there` were seen or made before."""
    for folder in accumulated(path.rpartition("/")[0]):
        if folder not in there and not (root / folder).is_dir():
            undo.callback(_remove_if_empty, root / folder)
            (root / folder).mkdir()
        there.add(folder)


def _create(path: Path, text: str) -> None:
    with path.open("xb") as stream:
        stream.write(text.encode())


def _swap(root: Path, change: Change, waiting: Path | None, undo: ExitStack) -> Path | None:
    """Put one file in place; return where the old one stands aside, if there was one.

    Each way back is laid before the step, so that an interrupt finds it.
    """
    target = root / change.path
    aside = None if change.kind == "create" else _beside(target)
    with _blaming(change.path):
        if aside is not None:
            undo.callback(_put_back, aside, target)
            target.replace(aside)
        if waiting is not None:
            if aside is None:
                undo.callback(_take_back, waiting, target)
            waiting.replace(target)
    return aside


def _put_back(aside: Path, target: Path) -> None:
    if aside.exists():
        aside.replace(target)


def _take_back(waiting: Path, target: Path) -> None:
    """Remove a new file; while its text still waits, what is at the target is not ours."""
    if not waiting.exists():
        target.unlink(missing_ok=True)


def _forget(root: Path, retired: Sequence[Path], changes: Sequence[Change]) -> None:
    """Delete the old files, and the folders that they leave empty.

    The new tree stands, so a failure here is no failure: what is left is named so that
    the next render removes it.
    """
    for aside in retired:
        with suppress(OSError):
            aside.unlink()
    for change in changes:
        if change.kind == "remove":
            for folder in reversed(accumulated(change.path)[:-1]):
                _remove_if_empty(root / folder)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}{TEMPORARY}")


@contextmanager
def _blaming(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _WriteError(path, error) from error
