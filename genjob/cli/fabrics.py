"""`genjob fabrics`: prints the fabric profiles, or one in full with the source of each value."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from genjob.authoring.catalogue import (
    fabric_as_json,
    machine_line,
    machines_of,
    pool_fields,
    remarks,
    shown_value,
    sources_of,
)
from genjob.catalog.fabrics import FABRICS
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.cli.nccl import EXIT_NOTHING, WIDTH
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from genjob.catalog.fabrics import Fabric, Part

_NAME_COLUMNS = 36


@click.command("fabrics")
@click.argument("name", required=False)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How profiles are printed.",
)
def command(name: str | None, output_format: str) -> None:
    """Print the networks between machines that are known, or one profile in full.

    A profile is what a job gets on that fabric: variables, devices, annotations, rights, mounts and
    side-cars. NAME stands in `fabric` of a node pool or of an experiment's `network`.

    Example: genjob fabrics; genjob fabrics aws-efa
    """
    chosen = list(FABRICS.values()) if name is None else [_known(name)]
    if output_format == "json":
        made = [fabric_as_json(fabric) for fabric in chosen]
        click.echo(json.dumps(made if name is None else made[0], ensure_ascii=False, indent=2))
    elif name is None:
        _print_all()
    else:
        _print_one(chosen[0])


def _known(name: str) -> Fabric:
    if name in FABRICS:
        return FABRICS[name]
    advice = did_you_mean(name, FABRICS) or f"known: {', '.join(FABRICS)}"
    click.echo(f"genjob: fabric {quoted(name)} is not known; {advice}", err=True)
    sys.exit(EXIT_NOTHING)


def _print_all() -> None:
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_dl([(fabric.name, fabric.meaning) for fabric in FABRICS.values()])
    click.echo(formatter.getvalue(), nl=False)


def _print_one(fabric: Fabric) -> None:
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_text(f"{fabric.name}: {fabric.meaning}")
    sections = {
        "Sets": [(part.name, _line(part)) for part in fabric.parts],
        "Takes from the node pool": pool_fields(fabric),
        "Must not be set": [*fabric.forbids.items()],
        "Machines that have it": [
            (name, machine_line(INSTANCE_TYPES[name])) for name in machines_of(fabric)
        ],
        "Sources": sources_of(fabric),
    }
    for title, rows in sections.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows, col_max=_NAME_COLUMNS)
    click.echo(formatter.getvalue(), nl=False)


def _line(part: Part) -> str:
    said = remarks(part)
    return f"{shown_value(part)}{f' ({said})' if said else ''}  [{part.source}]"
