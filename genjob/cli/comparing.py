"""A workspace and what `genjob diff` was asked for → the comparison, and its text."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from genjob.cli import options
from genjob.cli.drawing import drawable
from genjob.diagnostics import Diagnostic
from genjob.difference.as_json import comparison_json
from genjob.difference.as_markdown import markdown
from genjob.difference.as_text import Tone, text_lines
from genjob.difference.commit import Ask
from genjob.difference.reading import Found, compare_with_git
from genjob.git.base import NOT_A_REPOSITORY, base_of

if TYPE_CHECKING:
    from genjob.difference.as_text import Line
    from genjob.difference.comparison import Comparison
    from genjob.git.repository import Repository
    from genjob.memory.memory import Memory
    from genjob.workspace.loading import Loaded

_STYLES: Final[dict[Tone, tuple[str | None, bool]]] = {
    Tone.PLAIN: (None, False),
    Tone.HEADING: (None, True),
    Tone.BAD: ("red", True),
    Tone.STARTS: ("green", True),
    Tone.WAITS: ("yellow", True),
    Tone.ADDED: ("green", False),
    Tone.REMOVED: ("red", False),
    Tone.PLACE: ("cyan", False),
}
"""Tone → its colour, and whether it is bold."""


def compared(
    loaded: Loaded,
    memory: Memory,
    repository: Repository | None,
    environments: tuple[str, ...] | None,
    against: str | None,
) -> Found:
    """Compare a workspace with a revision, or with where its branch left the main one."""
    if repository is None:
        return Found(None, [NOT_A_REPOSITORY])
    base = base_of(repository, against, loaded.settings.repo.revision)
    if isinstance(base, Diagnostic):
        return Found(None, [base])
    with (
        tempfile.TemporaryDirectory(prefix="genjob-diff-") as scratch,
        options.progress(len(loaded.experiments), "comparing") as step,
    ):
        ask = Ask(repository, base, memory, Path(scratch))
        return compare_with_git(loaded, environments, ask, step)


def shown(comparison: Comparison, output_format: str, *, objects: bool, limit: int) -> str:
    """Return a comparison as it is printed."""
    if output_format == "json":
        return json.dumps(comparison_json(comparison), indent=2)
    if output_format == "markdown":
        return drawable(markdown(comparison, limit=limit))
    return "\n".join(_painted(line) for line in text_lines(comparison, objects=objects))


def _painted(line: Line) -> str:
    colour, is_bold = _STYLES[line.tone]
    text = drawable(line.text)
    return text if line.tone is Tone.PLAIN else click.style(text, fg=colour, bold=is_bold)
