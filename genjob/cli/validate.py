"""`genjob validate`: every finding, no file written."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from genjob.cli import options
from genjob.diagnostics import has_errors
from genjob.memory.memory import Memory
from genjob.selection import Selection, selected

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from genjob.cluster import Ask
    from genjob.diagnostics import Diagnostic
    from genjob.memory.memory import Found
    from genjob.rendering import Rendered
    from genjob.workspace.loading import Loaded


class _Checked(NamedTuple):
    """What a selection comes to: all findings, and what is said when there are none.

    `found` may be remembered; None where a cluster was asked.
    """

    loaded: Loaded
    diagnostics: Sequence[Diagnostic]
    experiments: int
    accepted: str = ""
    found: Found | None = None


@click.command("validate")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@options.output_format
@options.strict
@click.option("--verbose", is_flag=True, help="Show notes too.")
@click.option("--server", is_flag=True, help="Ask the cluster too: a dry run, through kubectl.")
@options.context
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    names: tuple[str, ...],
    environments: tuple[str, ...],
    output_format: str,
    context: str | None,
    *,
    strict: bool,
    verbose: bool,
    server: bool,
    directory: Path,
) -> None:
    """Report every finding of the experiments, in every environment that they name.

    With --server, a cluster is asked as well when there are no errors: it would apply the objects
    as a GitOps engine does, with its own schemas, webhooks and quotas, and stores nothing.

    Example: genjob validate llama-pretrain --env prod
    """
    if context is not None and not server:
        raise click.UsageError("--context says which cluster --server asks")
    root, selection = options.workspace_root(directory), Selection(names, environments or None)
    memory = Memory(root, None) if server else Memory.of(root, os.environ)
    words = ("validate", names, environments, verbose)
    said = memory.said(words) if output_format == "text" else None
    if said is not None:
        click.echo(said)
        return
    if server:
        checked = _in_cluster(directory, selection, context)
    else:
        checked = _surveyed(memory, directory, selection)
    options.print_findings(
        checked.loaded, checked.diagnostics, output_format=output_format, notes=verbose
    )
    is_said = has_errors(checked.diagnostics, strict=True) or (verbose and checked.diagnostics)
    if output_format == "text" and not is_said:
        said = _clean(checked.experiments, len(checked.diagnostics)) + checked.accepted
        click.echo(said)
    if checked.found is not None:
        memory.keep(checked.found, (words, said) if said else None)
    options.stop_on_errors(checked.diagnostics, strict=strict)


def _surveyed(memory: Memory, directory: Path, selection: Selection) -> _Checked:
    from genjob.survey import survey  # noqa: PLC0415 # not where all is remembered

    loaded = options.open_workspace(directory, memory)
    with options.progress(len(selected(loaded, selection)), "validating") as step:
        done = survey(loaded, selection, memory, progress=step)
    return _Checked(loaded, done.diagnostics, done.rendered, found=done.found)


def _in_cluster(directory: Path, selection: Selection, context: str | None) -> _Checked:
    """Ask the cluster too; of what it said, and of what it was asked, nothing is remembered."""
    from genjob.dryrun import check_in_cluster  # noqa: PLC0415 # not where all is remembered
    from genjob.rendering import render  # noqa: PLC0415 # as above

    loaded = options.open_workspace(directory)
    _refuse_several(loaded, selection)
    with options.progress(len(selected(loaded, selection)), "validating") as step:
        rendering = render(loaded, selection, step)
    diagnostics, made = rendering.diagnostics, rendering.experiments
    if not has_errors(diagnostics):
        diagnostics += check_in_cluster(loaded, made, _asking(context))
    return _Checked(loaded, diagnostics, len(made), _accepted(made))


def _refuse_several(loaded: Loaded, selection: Selection) -> None:
    """Refuse a selection that could ask the wrong cluster."""
    if selection.environments is None and len(loaded.environments) > 1:
        known = ", ".join(sorted(loaded.environments))
        raise click.UsageError(f"--server asks one cluster: say --env, for those in it ({known})")


def _asking(context: str | None) -> Ask:
    from genjob.cluster import dry_run  # noqa: PLC0415 # not where all is remembered

    return partial(dry_run, environ=os.environ, context=context)


def _accepted(experiments: Iterable[Rendered]) -> str:
    """Return what is said of objects of which the cluster had nothing to say."""
    count = sum(len(objects) for one in experiments for objects in one.overlays.values())
    return f"; the cluster accepts {count} object{'s' * (count != 1)}"


def _clean(experiments: int, notes: int) -> str:
    """Return what is said of experiments without errors and warnings."""
    found = f"{notes} note{'s' * (notes != 1)}, shown with --verbose" if notes else "no findings"
    return f"{experiments} experiment{'s' * (experiments != 1)}, {found}"
