"""`genjob diff`: what a change means to each run, before it is merged."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from genjob.cli import options
from genjob.cli.drawing import drawable
from genjob.difference.as_json import comparison_json
from genjob.difference.as_markdown import GITHUB_LIMIT, markdown
from genjob.difference.as_text import Tone, text_lines
from genjob.difference.reading import Asked, compare_with_git

if TYPE_CHECKING:
    from genjob.difference.as_text import Line
    from genjob.difference.comparison import Comparison
    from genjob.difference.reading import Found
    from genjob.workspace.loading import Loaded

_LEAST_LIMIT: Final = 4000

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


@click.command("diff")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@click.option(
    "--against",
    metavar="REV",
    help="A commit, branch or tag.  [default: the merge base with the main branch]",
)
@click.option("--objects", is_flag=True, help="Show the lines of YAML that differ.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How the comparison is printed; docs/diff.md describes the JSON.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=_LEAST_LIMIT),
    default=GITHUB_LIMIT,
    show_default=True,
    metavar="N",
    help="Most bytes of the Markdown.",
)
@click.option("--exit-code", is_flag=True, help="End with 1 when something changes.")
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    environments: tuple[str, ...],
    against: str | None,
    output_format: str,
    *,
    objects: bool,
    limit: int,
    exit_code: bool,
    directory: Path,
) -> None:
    """Say what a change means: what happens to each run, what it takes, and which fields changed.

    What would be rendered now is compared with a commit of the repository; nothing is checked out,
    written or fetched. Findings go to standard error.

    Example: genjob diff --env prod --against main
    """
    loaded = options.open_workspace(directory)
    found = _compared(loaded, Asked(environments or None, against))
    options.print_findings(loaded, found.diagnostics)
    if found.comparison is not None:
        click.echo(_shown(found.comparison, output_format, objects=objects, limit=limit))
    options.stop_on_errors(found.diagnostics)
    if exit_code and found.comparison is not None and _differs(found.comparison):
        sys.exit(options.EXIT_FINDINGS)


def _differs(comparison: Comparison) -> bool:
    return bool(comparison.changed or comparison.wiring)


def _compared(loaded: Loaded, asked: Asked) -> Found:
    with (
        tempfile.TemporaryDirectory(prefix="genjob-diff-") as scratch,
        options.progress(len(loaded.experiments), "comparing") as step,
    ):
        return compare_with_git(
            loaded, asked, environ=os.environ, scratch=Path(scratch), progress=step
        )


def _shown(comparison: Comparison, output_format: str, *, objects: bool, limit: int) -> str:
    if output_format == "json":
        return json.dumps(comparison_json(comparison), indent=2)
    if output_format == "markdown":
        return drawable(markdown(comparison, limit=limit))
    return "\n".join(_painted(line) for line in text_lines(comparison, objects=objects))


def _painted(line: Line) -> str:
    colour, is_bold = _STYLES[line.tone]
    text = drawable(line.text)
    return text if line.tone is Tone.PLAIN else click.style(text, fg=colour, bold=is_bold)
