"""`genjob resume`: lets a suspended job run again, by an edit of Git."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from genjob.cli import editing, options
from genjob.cli.suspend import FIELD, refuse_queued
from genjob.document.edit import remove, set_value
from genjob.rendering import job_of
from genjob.wording import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.cli.editing import Editable
    from genjob.document import Document
    from genjob.jsontypes import DocPath


@click.command("resume")
@click.argument("name")
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@editing.dry_run
@options.directory
def command(name: str, environment: str, *, dry_run: bool, directory: Path) -> None:
    """Let a suspended job run again: take run_policy.suspend out of one environment, and render.

    Where the experiment as a whole is suspended, the environment gets `suspend: false`.

    Example: genjob resume llama-pretrain --env prod
    """
    before = editing.open_experiment(options.open_workspace(directory), name, [environment])
    path: DocPath = ("environments", environment, *FIELD)
    if not before.document.has(path):
        refuse_queued(before, environment)
    after = before.edited(lambda document, text: _removed(document, text, path))
    if _is_suspended(after, environment):
        after = before.edited(lambda document, text: set_value(document, text, path, value=False))
    is_written = editing.apply(before, after, dry_run=dry_run)
    if dry_run:
        return
    click.echo(f"experiment {quoted(name)} is not suspended in {quoted(environment)}")
    if is_written:
        effect = "the operator then makes the pods again"
        click.echo(f"it takes effect when this is committed and synced: {effect}")


def _removed(document: Document, text: str, path: DocPath) -> str:
    """Return the text without a field, and without its section where nothing else is in it."""
    if not document.has(path):
        return text
    node, _ = document.steps(path[:-1])[-1]
    return remove(document, text, path if len(node.children) > 1 else path[:-1])


def _is_suspended(editable: Editable, environment: str) -> bool:
    job, _ = job_of(editable.loaded, editable.name, environment)
    return job is not None and job.experiment.run_policy.suspend is True
