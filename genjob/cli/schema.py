"""`genjob schema`: prints the JSON Schemas of our files; vendors a CRD into the workspace."""

from __future__ import annotations

import os
from pathlib import Path

import click

from genjob.authoring import editor
from genjob.cli import options
from genjob.cli.writing import write_files
from genjob.cluster import read_crd
from genjob.crd.fields import PYTORCHJOBS
from genjob.crd.library import OPERATOR_GROUP
from genjob.crd.strict import vendor
from genjob.report import json_report

LABEL = "local"
FINDINGS = "findings"


@click.group("schema")
def command() -> None:
    """Print the JSON Schemas of our files; vendor a CRD.

    Example: genjob schema show experiment
    """


@command.command("show", short_help="Print the JSON Schema of one of our files.")
@click.argument("kind", type=click.Choice([*editor.KINDS, FINDINGS]))
def show(kind: str) -> None:
    """Print the JSON Schema of a file that people write, for an editor.

    That of findings is of what --format json prints.

    Example: genjob schema show experiment > schemas/experiment.schema.json
    """
    schema = json_report.SCHEMA if kind == FINDINGS else editor.schema(kind)
    click.echo(editor.written(schema))


@command.command("vendor", short_help="Keep a strict schema of a CRD in schemas/.")
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--from-cluster", is_flag=True, help="Ask the cluster, through kubectl.")
@options.context
@click.option(
    "--crd",
    default=PYTORCHJOBS,
    show_default=True,
    metavar="NAME",
    help="The CRD to ask the cluster for.",
)
@click.option(
    "--label",
    default=LABEL,
    show_default=True,
    help="Version that an environment names in target.training_operator.",
)
@options.directory
def vendor_crd(  # noqa: PLR0913 # one parameter for each option
    file: Path | None,
    label: str,
    crd: str,
    context: str | None,
    *,
    from_cluster: bool,
    directory: Path,
) -> None:
    """Make a strict schema of a CRD and keep it in schemas/ of the workspace.

    Objects are then checked against it: a field that the CRD does not have is an error, because
    the API server would drop it without a word.

    Example: genjob schema vendor pytorchjobs.yaml --label 1.10
    """
    if from_cluster == (file is not None):
        raise click.UsageError("say either FILE or --from-cluster")
    loaded = options.open_workspace(directory)
    text = read_crd(crd, context=context, environ=os.environ) if file is None else _read(file)
    try:
        made = vendor(text, label)
    except ValueError as error:
        raise click.ClickException(f"{file or crd}: {error}") from error
    write_files(loaded.root, {f"schemas/{name}": schema for name, schema in made})
    if any(name.startswith(f"{OPERATOR_GROUP}/pytorchjob-") for name, _ in made):
        click.echo(f'an environment uses it with: target: {{training_operator: "{label}"}}')


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: the file is not UTF-8") from error
