"""Texts of files → the disk, all or none, with a line for each: what init, new and schema share."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from genjob.cli.options import EXIT_FINDINGS
from genjob.report import FORMATS, Findings
from genjob.tree.plan import Change
from genjob.tree.writer import write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


def write_files(
    root: Path, files: Mapping[str, str], *, say: Callable[[str], None] = click.echo
) -> None:
    """Write files below a folder and name them; exit code 1 when the disk refuses, nothing written.

    A file that is there is replaced: the caller decides whether it may be.
    """
    changes: list[Change] = []
    for path, text in sorted(files.items()):
        if _is_same(root / path, text):
            say(f"unchanged {path}")
        else:
            changes.append(Change(path, "rewrite" if (root / path).exists() else "create"))
    if failures := write(root, changes, files=files):
        click.echo(FORMATS["text"](Findings(failures)), nl=False, err=True)
        sys.exit(EXIT_FINDINGS)
    for change in changes:
        say(f"{'rewrote' if change.kind == 'rewrite' else 'created'} {change.path}")


def _is_same(path: Path, text: str) -> bool:
    """Return whether a file is there and holds exactly this text."""
    return path.is_file() and path.read_bytes() == text.encode()
