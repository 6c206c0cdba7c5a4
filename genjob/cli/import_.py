"""`genjob import`: a PyTorchJob that runs today becomes an experiment, with the proof."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.cli.writing import write_files
from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location
from genjob.importing.one import Destination
from genjob.importing.outcome import COMMAND, import_files
from genjob.importing.report import Sources, as_json, summary
from genjob.linting.files import read_named
from genjob.selection import Selection, unknown_names
from genjob.workspace.loading import find_root, load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.importing.outcome import Outcome
    from genjob.workspace.loading import Loaded

_DEFAULT_FOLDER = "experiments"


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@click.option(
    "--out", metavar="DIR", help="Write below this folder.  [default: the workspace's experiments]"
)
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Let it run there.")
@click.option("--fix", is_flag=True, help="Mend mistakes of which only one thing can be meant.")
@click.option(
    "--report",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How it is told what became of the files.",
)
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    files: tuple[str, ...],
    out: str | None,
    environments: tuple[str, ...],
    report: str,
    *,
    fix: bool,
    directory: Path,
) -> None:
    """Turn PyTorchJobs, with the claims and ConfigMaps beside them, into experiments.

    FILE is YAML or JSON as kubectl takes or prints it, relative to the folder of -C; - is standard
    input. Each experiment is rendered and compared with what it was made of: exit code 0 means that
    they are equal, 1 that something differs or was refused. With a refusal nothing is written.

    Example: genjob import job.yaml --env dev
    """
    read = [*read_named(files, directory, COMMAND)]
    workspace = find_root(directory)
    loaded = load(workspace) if workspace is not None else None
    root, folder = _place(directory, out, loaded)
    outcome = import_files(read, Destination(folder, environments), fix=fix)
    outcome.diagnostics += _there_already(outcome, root)
    if loaded is not None:
        outcome.diagnostics += unknown_names(loaded, Selection(environments=environments))
    texts = {path: text for one in outcome.experiments for path, text in one.files.items()}
    if not outcome.is_refused:
        write_files(root, texts, say=click.echo if report == "text" else lambda _: None)
    new = {path: text for path, text in texts.items() if not outcome.is_refused}
    sources = Sources({each.file: each.text for each in read} | new)
    if report == "json":
        click.echo(json.dumps(as_json(outcome), indent=2))
    else:
        for line in summary(outcome):
            click.echo(line)
        options.print_findings(sources, outcome.diagnostics, notes=True)
    options.stop_on_errors(outcome.diagnostics)


def _place(directory: Path, out: str | None, loaded: Loaded | None) -> tuple[Path, str]:
    """Return the folder that paths begin in, and that of the experiments from there."""
    if out is not None or loaded is None:
        return directory, (out or _DEFAULT_FOLDER).rstrip("/")
    return loaded.root, loaded.settings.paths.experiments


def _there_already(outcome: Outcome, root: Path) -> Iterator[Diagnostic]:
    """Yield the files that would be written over: an experiment belongs to those who edit it."""
    for one in outcome.experiments:
        for path in one.files:
            if (root / path).exists():
                message = f"there is a file already where experiment '{one.name}' would be written"
                hint = "remove it, or choose another folder with --out"
                yield Diagnostic(Code.ALREADY_THERE, message, Location(path), hint)
