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
from genjob.memory.memory import Memory
from genjob.selection import Selection, selected
from genjob.survey import survey
from genjob.verification import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from genjob.survey import Survey
    from genjob.verification import Verified

_SHOWN = 20
"""Differences that are printed; the rest is counted."""


@click.command("verify")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="Only this environment.")
@click.option("--all", "again", is_flag=True, help="Also what was proven before, unchanged.")
@options.output_format
@options.directory
def command(
    names: tuple[str, ...],
    environments: tuple[str, ...],
    *,
    again: bool,
    output_format: str,
    directory: Path,
) -> None:
    """Build the committed overlays with Kustomize and compare them with what is meant.

    An overlay of which nothing changed since it was proven here is not built again.

    Example: genjob verify --env prod
    """
    began = time.monotonic()
    memory = Memory.of(options.workspace_root(directory), os.environ)
    engine = find_engine(os.environ)
    selection = Selection(names, environments or None)
    surveyed = _surveyed(memory, directory, selection, output_format)
    known = {} if again else memory.proven(str(engine))
    overlays, spared = _to_build(surveyed, known)
    results = [*verify(surveyed.loaded, overlays, engine)]
    memory.keep(surveyed.found)
    memory.keep_proofs(str(engine), _proofs(results, known))
    say = partial(click.echo, err=output_format != "text")
    _stop_on_differences([line for result in results for line in result.differences], say)
    built = sum(len(result.experiments) for result in results)
    seconds = time.monotonic() - began
    last = f"{built + spared} overlays build to what is meant, by {engine} in {seconds:.1f} s"
    say(f"{last}; {spared} of them were proven before" if spared else last)


def _surveyed(memory: Memory, directory: Path, selection: Selection, output_format: str) -> Survey:
    """Return what a selection comes to; print findings and end where one is an error."""
    loaded = options.open_workspace(directory, memory)
    with options.progress(len(selected(loaded, selection)), "resolving") as step:
        surveyed = survey(loaded, selection, memory, progress=step)
    options.print_findings(loaded, surveyed.diagnostics, output_format=output_format)
    options.stop_on_errors(surveyed.diagnostics)
    return surveyed


def _to_build(
    surveyed: Survey, known: Mapping[str, frozenset[str]]
) -> tuple[dict[str, list[str]], int]:
    """Return the experiments to build, by environment, and how many overlays need it not."""
    overlays: dict[str, list[str]] = {}
    spared = 0
    for outcome in surveyed.outcomes:
        for environment in outcome.made:
            if environment in known.get(outcome.name, ()):
                spared += 1
            else:
                overlays.setdefault(environment, []).append(outcome.name)
    return dict(sorted(overlays.items())), spared


def _proofs(
    results: Sequence[Verified], known: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    """Return the environments in which experiments are proven now, of those that were built."""
    proofs: dict[str, frozenset[str]] = {}
    for result in results:
        if not result.differences:
            for name in result.experiments:
                before = proofs.get(name) or known.get(name, frozenset())
                proofs[name] = before | {result.environment}
    return proofs


def _stop_on_differences(differences: Sequence[str], say: Callable[..., None]) -> None:
    for line in differences[:_SHOWN]:
        say(line)
    if differences:
        more = len(differences) - _SHOWN
        say(f"… and {more} more" if more > 0 else "", nl=more > 0)
        click.echo("what is committed builds to something else; run `genjob render`", err=True)
        sys.exit(options.EXIT_FINDINGS)
