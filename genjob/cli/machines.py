"""`genjob machines`: prints the instance types that are known, or one in full."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from genjob.authoring.catalogue import machine_as_json, machine_facts, machine_line
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.cli.nccl import EXIT_NOTHING, WIDTH
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from genjob.catalog.hardware import InstanceType

LEGEND = (
    "CPUs and memory are what pods may have, estimated, of what the machine has. "
    "~ stands before what nobody looked up. A node pool may say all of it otherwise."
)


@click.command("machines")
@click.argument("name", required=False)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How machines are printed.",
)
def command(name: str | None, output_format: str) -> None:
    """Print the instance types whose GPUs, NICs, fabric and size are known, or one in full.

    NAME stands in `instance_type` of a node pool.

    Example: genjob machines; genjob machines p5.48xlarge
    """
    chosen = list(INSTANCE_TYPES.values()) if name is None else [_known(name)]
    if output_format == "json":
        made = [machine_as_json(row) for row in chosen]
        click.echo(json.dumps(made if name is None else made[0], ensure_ascii=False, indent=2))
    elif name is None:
        _print_all()
    else:
        _print_one(chosen[0])


def _known(name: str) -> InstanceType:
    if name in INSTANCE_TYPES:
        return INSTANCE_TYPES[name]
    advice = did_you_mean(name, INSTANCE_TYPES) or "'genjob machines' lists those that are"
    click.echo(f"genjob: instance type {quoted(name)} is not known; {advice}", err=True)
    sys.exit(EXIT_NOTHING)


def _print_all() -> None:
    formatter = click.HelpFormatter(width=WIDTH)
    by_provider: dict[str, list[tuple[str, str]]] = {}
    for row in INSTANCE_TYPES.values():
        by_provider.setdefault(row.provider, []).append((row.name, machine_line(row)))
    for provider, rows in by_provider.items():
        with formatter.section(provider):
            formatter.write_dl(rows, col_max=max(map(len, INSTANCE_TYPES)))
    formatter.write_paragraph()
    formatter.write_text(LEGEND)
    click.echo(formatter.getvalue().lstrip("\n"), nl=False)


def _print_one(row: InstanceType) -> None:
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_text(row.name)
    formatter.write_paragraph()
    formatter.write_dl([(label, text) for label, text in machine_facts(row).items() if text])
    click.echo(formatter.getvalue(), nl=False)
