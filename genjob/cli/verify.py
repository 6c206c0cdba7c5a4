"""`genjob verify`: the overlay law, with the real Kustomize, for what is rendered."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.kustomize.engine import find_engine
from genjob.rendering import Selection, render, selected
from genjob.verification import verify

if TYPE_CHECKING:
    from pathlib import Path

_SHOWN = 20
"""Differences that are printed; the rest is counted."""


@click.command("verify")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@options.output_format
@options.directory
def command(
    names: tuple[str, ...], environments: tuple[str, ...], *, output_format: str, directory: Path
) -> None:
    """Build every committed overlay with Kustomize and compare it with what is meant.

    Example: genjob verify --env prod
    """
    loaded = options.open_workspace(directory)
    engine = find_engine(os.environ)
    selection = Selection(names, environments or None)
    began = time.monotonic()
    with options.progress(len(selected(loaded, selection)), "resolving") as step:
        rendering = render(loaded, selection, step)
    say = partial(click.echo, err=output_format != "text")
    options.print_findings(loaded, rendering.diagnostics, output_format=output_format)
    options.stop_on_errors(rendering.diagnostics)
    results = [*verify(loaded, rendering.experiments, engine)]
    differences = [line for result in results for line in result.differences]
    for line in differences[:_SHOWN]:
        say(line)
    if differences:
        more = len(differences) - _SHOWN
        say(f"… and {more} more" if more > 0 else "", nl=more > 0)
        click.echo("what is committed builds to something else; run `genjob render`", err=True)
        sys.exit(options.EXIT_FINDINGS)
    overlays = sum(result.overlays for result in results)
    seconds = time.monotonic() - began
    say(f"{overlays} overlays build to what is meant, by {engine} in {seconds:.1f} s")
