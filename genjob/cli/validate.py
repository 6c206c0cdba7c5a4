"""`genjob validate`: every finding, no file written."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.cluster import dry_run
from genjob.diagnostics import has_errors
from genjob.dryrun import check_in_cluster
from genjob.rendering import Selection, render, selected

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from genjob.cluster import Ask
    from genjob.rendering import Rendered
    from genjob.workspace.loading import Loaded


@click.command("validate")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@options.output_format
@options.strict
@click.option("--verbose", is_flag=True, help="Show notes too.")
@click.option("--server", is_flag=True, help="Ask the cluster too: a dry run, through kubectl.")
@options.context
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    names: tuple[str, ...],
    environments: tuple[str, ...],
    output_format: str,
    context: str | None,
    *,
    strict: bool,
    verbose: bool,
    server: bool,
    directory: Path,
) -> None:
    """Report every finding of the experiments, in every environment that they name.

    With --server, a cluster is asked as well when there are no errors: it would apply the objects
    as a GitOps engine does, with its own schemas, webhooks and quotas, and stores nothing.

    Example: genjob validate llama-pretrain --env prod
    """
    loaded = options.open_workspace(directory)
    selection = Selection(names, environments or None)
    _check_options(loaded, selection, context, server=server)
    with options.progress(len(selected(loaded, selection)), "validating") as step:
        rendering = render(loaded, selection, step)
    if server and not has_errors(rendering.diagnostics):
        rendering.diagnostics += check_in_cluster(loaded, rendering.experiments, _asking(context))
    options.print_findings(
        loaded, rendering.diagnostics, output_format=output_format, notes=verbose
    )
    is_said = has_errors(rendering.diagnostics, strict=True) or (verbose and rendering.diagnostics)
    if output_format == "text" and not is_said:
        said = _clean(len(rendering.experiments), len(rendering.diagnostics))
        click.echo(said + (_accepted(rendering.experiments) if server else ""))
    options.stop_on_errors(rendering.diagnostics, strict=strict)


def _check_options(
    loaded: Loaded, selection: Selection, context: str | None, *, server: bool
) -> None:
    """Refuse options that mean nothing, or that could ask the wrong cluster."""
    if context is not None and not server:
        raise click.UsageError("--context says which cluster --server asks")
    if server and selection.environments is None and len(loaded.environments) > 1:
        known = ", ".join(sorted(loaded.environments))
        raise click.UsageError(f"--server asks one cluster: say --env, for those in it ({known})")


def _asking(context: str | None) -> Ask:
    return partial(dry_run, environ=os.environ, context=context)


def _accepted(experiments: Iterable[Rendered]) -> str:
    """Return what is said of objects of which the cluster had nothing to say."""
    count = sum(len(objects) for one in experiments for objects in one.overlays.values())
    return f"; the cluster accepts {count} object{'s' * (count != 1)}"


def _clean(experiments: int, notes: int) -> str:
    """Return what is said of experiments without errors and warnings."""
    found = f"{notes} note{'s' * (notes != 1)}, shown with --verbose" if notes else "no findings"
    return f"{experiments} experiment{'s' * (experiments != 1)}, {found}"
