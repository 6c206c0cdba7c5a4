"""`genjob validate`: every finding, no file written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.rendering import Selection, render, selected

if TYPE_CHECKING:
    from pathlib import Path


@click.command("validate")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@options.output_format
@options.strict
@options.directory
def command(
    names: tuple[str, ...],
    environments: tuple[str, ...],
    output_format: str,
    *,
    strict: bool,
    directory: Path,
) -> None:
    """Report every finding of the experiments, in every environment that they name.

    Example: genjob validate llama-pretrain --env prod
    """
    loaded = options.open_workspace(directory)
    selection = Selection(names, environments or None)
    with options.progress(len(selected(loaded, selection)), "validating") as step:
        rendering = render(loaded, selection, step)
    options.print_findings(loaded, rendering.diagnostics, output_format=output_format)
    if output_format == "text" and not rendering.diagnostics:
        count = len(rendering.experiments)
        click.echo(f"{count} experiment{'s' * (count != 1)}, no findings")
    options.stop_on_errors(rendering.diagnostics, strict=strict)
