"""`genjob build`: the final objects of one experiment on standard output, through Kustomize."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.diagnostics import ToolError
from genjob.kustomize.engine import BuildError, build_text, find_engine
from genjob.rendering import Selection, plan, render
from genjob.tree.plan import Plan, compare
from genjob.tree.writer import write

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("build")
@click.argument("name")
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@options.strict
@options.directory
def command(name: str, environment: str, *, strict: bool, directory: Path) -> None:
    """Print what Kustomize builds of an experiment as it is now, rendered or not.

    Example: genjob build llama-pretrain --env prod | kubectl diff -f -
    """
    loaded = options.open_workspace(directory)
    selection = Selection((name,), (environment,))
    rendering = render(loaded, selection)
    options.print_findings(loaded, rendering.diagnostics)
    options.stop_on_errors(rendering.diagnostics, strict=strict)
    if not any(environment in one.overlays for one in rendering.experiments):
        message = f"experiment '{name}' does not name environment '{environment}'"
        raise click.ClickException(f"{message}; add it under 'environments'")
    files = plan(loaded, rendering, selection).files
    overlay = f"{loaded.settings.paths.overlays}/{environment}/{name}"
    click.echo(_built(files, overlay), nl=False)


def _built(files: Mapping[str, str], overlay: str) -> str:
    engine = find_engine(os.environ)
    with tempfile.TemporaryDirectory(prefix="genjob-build-") as scratch:
        root = Path(scratch)
        write(root, compare(root, Plan(files)).changes, files=files)
        try:
            return build_text(engine, root / overlay)
        except BuildError as error:
            raise ToolError(f"Kustomize refuses what was rendered: {error}") from error
