"""Planned files beside the files on disk → what changes; the writing is `writer`'s.

A file is ours when its first line says so. Ours may be rewritten and removed; a foreign file is
never touched, and where it stands in the way it is reported.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location
from genjob.folders import entries_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HEADER_MARK = "Rendered by genjob"
"""What the first line of every file that we write contains."""

FOREIGN, LINK, TWIN = Code.FOREIGN_FILE, Code.LINK_IN_THE_WAY, Code.PATHS_DIFFER_BY_CASE
BLOCKED, UNWRITTEN = Code.BLOCKED_PATH, Code.WRITE_REFUSED
"""A foreign file in the way · a symbolic link in the way · two paths that differ by case alone ·
a folder where a file belongs, or the reverse · the operating system refused a write."""

Kind: TypeAlias = Literal["create", "rewrite", "remove"]

TEMPORARY = ".genjob-tmp"
"""How the names of files end that only a render which was killed leaves behind."""

_FIRST_LINE_BYTES = 400


@dataclass(frozen=True, slots=True)
class Plan:
    """The files that shall be there, and the folders that hold nothing else of ours.

    All paths are POSIX and relative to the workspace. Files of ours in the owned folders that are
    not planned are removed. `in_place` are planned files that were found on the disk as planned.
    """

    files: Mapping[str, str]
    owned: tuple[str, ...] = ()
    in_place: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """One file that is not as planned; the path is POSIX and relative to the workspace."""

    path: str
    kind: Kind


class Comparison(NamedTuple):
    """What a write would do, and what forbids it; both in the order of the paths."""

    changes: tuple[Change, ...]
    problems: tuple[Diagnostic, ...]


def header(source: str) -> str:
    """Return the header, without comment signs, of a file rendered from `source`."""
    return f"{HEADER_MARK} from {source}; edit that file, then run `genjob render`"


def compare(root: Path, plan: Plan) -> Comparison:
    """Compare a plan with the disk, byte by byte; nothing is written.

    Raises OSError where the disk cannot be read, ValueError for a path outside the workspace.
    """
    _refuse_outside([*plan.files, *plan.owned])
    root = root.resolve()
    sound: set[str] = set()
    problems = [*_case_twins([*plan.files, *plan.in_place])]
    changes = [Change(path, "remove") for path in _orphans(root, plan)]
    for path, text in plan.files.items():
        found = _obstacle(root, path, sound) or _change(f"{root}/{path}", path, text)
        if isinstance(found, Diagnostic):
            problems.append(found)
        elif found is not None:
            changes.append(found)
    ordered = sorted(problems, key=lambda problem: problem.location)
    return Comparison(tuple(sorted(changes)), tuple(ordered))


def is_ours(path: Path) -> bool:
    """Return whether the first line of a file, or the end of its name, says that we wrote it."""
    if path.name.endswith(TEMPORARY):
        return True
    with path.open("rb") as stream:
        return HEADER_MARK.encode() in stream.readline(_FIRST_LINE_BYTES)


def _change(target: str, path: str, text: str) -> Change | Diagnostic | None:
    try:
        with open(target, "rb") as stream:  # noqa: PTH123 # a Path takes longer to make than to open
            content = stream.read()
    except FileNotFoundError:
        return Change(path, "create")
    if HEADER_MARK.encode() not in content[:_FIRST_LINE_BYTES].partition(b"\n")[0]:
        hint = "move it away or delete it, then render again"
        return _problem(FOREIGN, path, f"'{path}' is in the way: genjob did not write it", hint)
    return None if content == text.encode() else Change(path, "rewrite")


def _obstacle(root: Path, path: str, sound: set[str]) -> Diagnostic | None:
    """Return what keeps a regular file from being at `path`, from the top of the tree down.

    `sound` are the folders above that were found to be none, of earlier paths too.
    """
    for folder in accumulated(path.rpartition("/")[0]):
        if folder in sound:
            continue
        step = root / folder
        if step.is_symlink():
            message = f"'{folder}' is a symbolic link where a folder is needed"
            return _problem(LINK, folder, message, "delete the link, then render again")
        if step.exists() and not step.is_dir():
            message = f"'{folder}' is a file where a folder is needed"
            return _problem(BLOCKED, folder, message, "move it away, then render again")
        sound.add(folder)
    return _obstacle_itself(f"{root}/{path}", path)


def _obstacle_itself(target: str, path: str) -> Diagnostic | None:
    try:
        mode = os.lstat(target).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        hint = "delete the link, then render again"
        return _problem(LINK, path, f"'{path}' is a symbolic link where a file is needed", hint)
    if not stat.S_ISREG(mode):
        hint = "move it away, then render again"
        return _problem(BLOCKED, path, f"'{path}' is not a file, but a file is needed there", hint)
    return None


@lru_cache(maxsize=1024)  # the files of a folder share what is above
def accumulated(path: str) -> tuple[str, ...]:
    """Return the folders above a path, from the top down, and the path itself at the end."""
    pure = PurePosixPath(path)
    return tuple(str(parent) for parent in (*reversed(pure.parents), pure))[1:]


def _refuse_outside(paths: Iterable[str]) -> None:
    for path in paths:
        if path.startswith("/") or ".." in path.split("/"):
            raise ValueError(f"'{path}' is not a path inside the workspace")


def _case_twins(paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield the planned paths that macOS and Windows could not tell from an earlier one."""
    seen: dict[str, str] = {}
    for path in sorted(paths):
        for part in (*accumulated(path.rpartition("/")[0]), path):
            first = seen.setdefault(part.casefold(), part)
            if first != part:
                message = f"'{part}' and '{first}' differ by case alone"
                hint = "rename one of them: macOS and Windows cannot hold both"
                yield _problem(TWIN, path, message, hint)
                break


def _orphans(root: Path, plan: Plan) -> Iterator[str]:
    planned = {path.casefold(): path for path in (*plan.files, *plan.in_place)}
    for path in sorted({path for folder in plan.owned for path in _files_below(root, folder)}):
        twin = planned.get(path.casefold())
        if twin is not None and (twin == path or _same_file(root / twin, root / path)):
            continue
        if is_ours(root / path):
            yield path


def _same_file(left: Path, right: Path) -> bool:
    """Return whether two paths are one file, as on a file system that ignores case."""
    return left.exists() and left.samefile(right)


def _files_below(root: Path, folder: str) -> Iterator[str]:
    """Yield the regular files below a folder; neither links nor what they lead to."""
    if any((root / part).is_symlink() for part in accumulated(folder)):
        return
    for path, entry in entries_below(f"{root}/{folder}", folder):
        if entry.is_file(follow_symlinks=False):
            yield path


def _problem(code: str, path: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, message, Location(path), hint)
