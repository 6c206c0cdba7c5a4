"""`genjob new`: an experiment, commented from the models' own descriptions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from genjob.authoring.scaffold import IMAGE, experiment_text
from genjob.cli import options
from genjob.cli.writing import write_files
from genjob.diagnostics import has_errors
from genjob.document import read_document
from genjob.rendering import Selection, render, unknown_names
from genjob.workspace.loading import EXPERIMENT_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import JsonObject
    from genjob.workspace.loading import Loaded

_SHM_GIB_PER_GPU = 8
_RESTARTS = 3
"""Restarts that a new experiment allows: without a limit, a mistake holds its GPUs for ever."""


@click.command("new")
@click.argument("name")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Let it run there.")
@click.option("--nodes", type=int, metavar="N", help="Machines.")
@click.option("--gpus", type=int, metavar="N", help="GPUs of each machine.")
@click.option("--image", default=IMAGE, show_default=True, help="The container image.")
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    name: str,
    environments: tuple[str, ...],
    *,
    nodes: int | None,
    gpus: int | None,
    image: str,
    directory: Path,
) -> None:
    """Make experiments/NAME/experiment.yaml, in which every field is described.

    It is checked as `genjob validate` does; with an error nothing is written.

    Example: genjob new llama-pretrain --env dev --nodes 4 --gpus 8
    """
    loaded = options.open_workspace(directory)
    path = f"{loaded.settings.paths.experiments}/{name}/{EXPERIMENT_FILE}"
    values = _values(image, nodes, gpus)
    try:
        text = experiment_text(name, path=path, environments=environments, values=values)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    findings = _findings(loaded, name, path, text, environments)
    options.print_findings(replace(loaded, sources={path: text}), findings)
    if has_errors(findings):
        click.echo("nothing was written", err=True)
    options.stop_on_errors(findings)
    if (loaded.root / path).exists():
        raise click.ClickException(f"{path} is there already; edit it, or choose another name")
    write_files(loaded.root, {path: text})


def _values(image: str, nodes: int | None, gpus: int | None) -> JsonObject:
    values: JsonObject = {"image": image}
    if nodes is not None:
        values["nodes"] = nodes
    if gpus is not None:
        values["resources"] = {"gpus_per_node": gpus, **_shared_memory(gpus)}
        values["run_policy"] = {"backoff_limit": _RESTARTS}
    return values


def _shared_memory(gpus: int) -> JsonObject:
    """Return the /dev/shm that the ranks of one pod share: 64 MiB are too little for them."""
    return {"shm_size": f"{gpus * _SHM_GIB_PER_GPU}Gi"} if gpus > 1 else {}


def _findings(
    loaded: Loaded, name: str, path: str, text: str, environments: tuple[str, ...]
) -> list[Diagnostic]:
    """Return what `validate` would say of the new file, and of nothing else."""
    document, diagnostics = read_document(text.encode(), path)
    found = [*diagnostics, *unknown_names(loaded, Selection(environments=environments))]
    if document is None:
        return found
    alone = replace(loaded, experiments={name: document}, diagnostics=found)
    return render(alone, Selection((name,))).diagnostics
