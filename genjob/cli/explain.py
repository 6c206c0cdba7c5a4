"""`genjob explain`: who set each value of an experiment, and what its ranks will find."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from genjob.catalog.variables import FIELDS
from genjob.cli import options
from genjob.cli.drawing import drawable
from genjob.explanation import as_json, text
from genjob.explanation.network import network_view
from genjob.explanation.paths import parse_path, spelled_out
from genjob.explanation.values import all_values, value_of
from genjob.manifests import manifests
from genjob.model.experiment import Experiment
from genjob.model.fields import known_keys
from genjob.model.nccl import SECTION
from genjob.rendering import Selection, job_of, render
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genjob.diagnostics import Diagnostic
    from genjob.document import Document
    from genjob.jsontypes import DocPath, JsonObject
    from genjob.resolve.job import Job


@click.command("explain")
@click.argument("name")
@click.argument("path", required=False)
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@click.option("--network", is_flag=True, help="Explain pods, ranks, variables and transport.")
@click.option("--ascii", "in_ascii", is_flag=True, help="Draw with ASCII only.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the explanation is printed; docs/explain.md describes the JSON.",
)
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    name: str,
    path: str | None,
    *,
    environment: str,
    network: bool,
    in_ascii: bool,
    output_format: str,
    directory: Path,
) -> None:
    """Say who set each value of an experiment in an environment, with file and line.

    With PATH, such as nccl.ib_hca, every layer that says something of that value, the losing ones
    too. With --network, what the ranks will find: pods, variables, and the network of NCCL.

    Example: genjob explain llama-pretrain --env prod --network
    """
    if path is not None and network:
        raise click.UsageError("say either PATH or --network")
    job, diagnostics = _resolved(directory, name, environment)
    data, lines = _explained(job, path, network=network)
    if output_format == "json":
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo(_readable(lines, in_ascii=in_ascii))
    options.stop_on_errors(diagnostics)


def _resolved(directory: Path, name: str, environment: str) -> tuple[Job, list[Diagnostic]]:
    """Print what is wrong with an experiment; return it all the same when it can be resolved."""
    loaded = options.open_workspace(directory)
    rendering = render(loaded, Selection((name,), (environment,)))
    options.print_findings(loaded, rendering.diagnostics)
    known = name in loaded.experiments and environment in loaded.environments
    if not known or environment not in _environments_of(loaded.experiments[name]):
        options.stop_on_errors(rendering.diagnostics)
        message = f"experiment {quoted(name)} does not name environment {quoted(environment)}"
        raise click.ClickException(f"{message}; add it under 'environments'")
    job, _ = job_of(loaded, name, environment)
    if job is None:
        sys.exit(options.EXIT_FINDINGS)
    return job, rendering.diagnostics


def _environments_of(document: Document) -> Mapping[str, object]:
    named = document.data.get("environments")
    return named if isinstance(named, dict) else {}


def _explained(job: Job, path: str | None, *, network: bool) -> tuple[JsonObject, list[str]]:
    """Return an explanation as data and as lines."""
    if network:
        view = network_view(job, manifests(job))
        return as_json.network_json(view), text.network_text(view)
    if path is None:
        values = all_values(job)
        return as_json.values_json(job, values), text.values_text(job, values)
    route = _route(job, path)
    values = [*all_values(job, route)] or [value_of(job, route)]
    is_one = [value.path for value in values] == [route]
    lines = text.chain_text(job, values[0]) if is_one else text.values_text(job, values)
    return as_json.values_json(job, values), lines


def _route(job: Job, path: str) -> DocPath:
    typed = parse_path(path)
    if typed is None:
        raise click.UsageError(f"{quoted(path)} is no path; write it as in nccl.ib_hca")
    route = spelled_out(job, typed)
    for depth, key in enumerate(route):
        keys = [*FIELDS] if route[:depth] == (SECTION,) else known_keys(Experiment, route[:depth])
        if keys and isinstance(key, str) and key not in keys:
            hint = did_you_mean(key, keys)
            raise click.UsageError(f"there is no field {quoted(path)}{hint and f'; {hint}'}")
    return route


def _readable(lines: list[str], *, in_ascii: bool) -> str:
    """Return lines as the terminal can show them; the first line of each part is a heading."""
    shown = drawable("\n".join(lines), in_ascii=in_ascii)
    parts = (part.partition("\n") for part in shown.split("\n\n"))
    return "\n\n".join(click.style(head, bold=True) + rest + body for head, rest, body in parts)
