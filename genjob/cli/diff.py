"""`genjob diff`: what a change means to each run, before it is merged."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from genjob.cli import options
from genjob.diagnostics import has_errors
from genjob.difference.limits import GITHUB_LIMIT
from genjob.git.repository import open_repository
from genjob.memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

_LEAST_LIMIT: Final = 4000
_MOST_KEPT: Final = 1 << 17
"""Characters of a text that is remembered; a longer one is put together from what is."""


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
    root = options.workspace_root(directory)
    memory, repository = Memory.of(root, os.environ), open_repository(root, os.environ)
    standing = repository.standing(against) if repository is not None else None
    form = (output_format, objects, limit, sys.stdout.encoding)
    words = ("diff", environments, against, standing, exit_code, *form)
    said = memory.said(words)
    if said is not None:
        click.echo(said)
        return
    from genjob.cli.comparing import compared, shown  # noqa: PLC0415 # not where all is remembered

    loaded = options.open_workspace(directory, memory)
    found = compared(loaded, memory, repository, environments or None, against)
    options.print_findings(loaded, found.diagnostics)
    text, is_other = "", False
    if found.comparison is not None:
        text = shown(found.comparison, output_format, objects=objects, limit=limit)
        is_other = bool(found.comparison.changed or found.comparison.wiring)
        click.echo(text)
    is_all = not has_errors(found.diagnostics, strict=True) and not (exit_code and is_other)
    if found.news is not None:
        memory.keep(found.news, (words, text) if is_all and len(text) <= _MOST_KEPT else None)
    options.stop_on_errors(found.diagnostics)
    if exit_code and is_other:
        sys.exit(options.EXIT_FINDINGS)
