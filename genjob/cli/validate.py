"""`genjob validate`: every finding, no file written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.diagnostics import has_errors
from genjob.rendering import Selection, render, selected

if TYPE_CHECKING:
    from pathlib import Path


@click.command("validate")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@options.output_format
@options.strict
@click.option("--verbose", is_flag=True, help="Show notes too.")
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    names: tuple[str, ...],
    environments: tuple[str, ...],
    output_format: str,
    *,
    strict: bool,
    verbose: bool,
    directory: Path,
) -> None:
    """Report every finding of the experiments, in every environment that they name.

    Example: genjob validate llama-pretrain --env prod
    """
    loaded = options.open_workspace(directory)
    selection = Selection(names, environments or None)
    with options.progress(len(selected(loaded, selection)), "validating") as step:
        rendering = render(loaded, selection, step)
    options.print_findings(
        loaded, rendering.diagnostics, output_format=output_format, notes=verbose
    )
    is_said = has_errors(rendering.diagnostics, strict=True) or (verbose and rendering.diagnostics)
    if output_format == "text" and not is_said:
        click.echo(_clean(len(rendering.experiments), len(rendering.diagnostics)))
    options.stop_on_errors(rendering.diagnostics, strict=strict)


def _clean(experiments: int, notes: int) -> str:
    """Return what is said of experiments without errors and warnings."""
    found = f"{notes} note{'s' * (notes != 1)}, shown with --verbose" if notes else "no findings"
    return f"{experiments} experiment{'s' * (experiments != 1)}, {found}"
