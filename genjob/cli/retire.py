"""`genjob retire`: takes a finished run out of Git and keeps its data."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import click

from genjob.cli import editing, options
from genjob.document.edit import remove
from genjob.manifest import identity
from genjob.manifests.claims import claims
from genjob.rendering import job_of
from genjob.wording import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.cli.editing import Editable


@click.command("retire")
@click.argument("name")
@click.option(
    "--env",
    "environments",
    multiple=True,
    metavar="ENV",
    help="Only from this environment.  [default: from all]",
)
@editing.dry_run
@options.directory
def command(name: str, environments: tuple[str, ...], *, dry_run: bool, directory: Path) -> None:
    """Take a finished run out of Git; the claims that it made stay, with their data.

    The environment is removed from the experiment's file, and what was rendered for it. Everything
    else in the file stays as it was typed.

    Example: genjob retire llama-pretrain --env prod
    """
    loaded = options.open_workspace(directory)
    before = editing.open_experiment(loaded, name, environments)
    retired = list(dict.fromkeys(environments or before.environments))
    kept = [line for environment in retired for line in _kept(before, environment)]
    after = reduce(_without, retired, before)
    is_written = editing.apply(before, after, dry_run=dry_run, retired=retired)
    if retired and not dry_run:
        click.echo("\n".join([f"experiment {quoted(name)} is retired in {listed(retired)}", *kept]))
    elif not dry_run:
        click.echo(f"experiment {quoted(name)} runs nowhere: there is nothing to retire")
    if is_written:
        click.echo("commit this; when it is synced, the run ends and its pods are deleted")


def _without(editable: Editable, environment: str) -> Editable:
    path = ("environments", environment)
    return editable.edited(lambda document, text: remove(document, text, path))


def _kept(editable: Editable, environment: str) -> Iterator[str]:
    """Yield a line for each claim that the experiment makes in an environment."""
    job, _ = job_of(editable.loaded, editable.name, environment)
    for claim in (identity(each.body) for each in (claims(job) if job is not None else [])):
        where = f" --namespace {claim.namespace}" if claim.namespace else ""
        yield (
            f"{claim} stays in {quoted(environment)} with its data; when nothing needs it any "
            f"more, `kubectl delete pvc {claim.name}{where}` deletes it for good"
        )
