"""`genjob render`: writes bases, overlays and the engine's files, or checks what is committed."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from genjob.cli import options
from genjob.diagnostics import has_errors
from genjob.rendering import Selection, plan, render, selected
from genjob.runs.decision import Decision
from genjob.tree.plan import Comparison, Plan, compare
from genjob.tree.writer import write
from genjob.wording import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from genjob.rendering import Rendering
    from genjob.runs.hold import HeldBack
    from genjob.tree.plan import Change, Kind
    from genjob.workspace.loading import Loaded

_STARTS = frozenset({Decision.FIRST, Decision.NEW})
_SHOWN = 4
"""Names that a line about held runs lists."""

_DONE: dict[Kind, str] = {"create": "created", "rewrite": "rewrote", "remove": "removed"}
_WOULD: dict[Kind, str] = {
    "create": "is missing",
    "rewrite": "differs",
    "remove": "is no longer needed",
}


class Prepared(NamedTuple):
    """What a selection renders to, and the files on the disk that are not so."""

    rendering: Rendering
    planned: Plan
    changes: tuple[Change, ...]


@click.command("render")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--env", "environments", multiple=True, metavar="ENV", help="This environment.")
@click.option("--all", "everywhere", is_flag=True, help="Every environment.")
@click.option(
    "--check", is_flag=True, help="Write nothing; fail when the files are not as rendered."
)
@click.option(
    "--rerun",
    multiple=True,
    metavar="NAME",
    help="Take what is held back from this experiment, as a new run.",
)
@options.output_format
@options.strict
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    names: tuple[str, ...],
    environments: tuple[str, ...],
    output_format: str,
    *,
    everywhere: bool,
    check: bool,
    rerun: tuple[str, ...],
    strict: bool,
    directory: Path,
) -> None:
    """Render the experiments into bases/, overlays/ and gitops/, to be committed.

    A finding that is an error stops the run before anything is written.

    Example: genjob render --env prod
    """
    if everywhere == bool(environments):
        raise click.UsageError("say either --env ENV or --all")
    loaded = options.open_workspace(directory)
    selection = Selection(names, environments or None, frozenset(rerun))
    if left_out := {*rerun} & loaded.experiments.keys() - {*selected(loaded, selection)}:
        raise click.UsageError(f"--rerun {min(left_out)}: it is not among what is rendered")
    prepared = prepare(loaded, selection, output_format=output_format, strict=strict)
    say = partial(click.echo, err=output_format != "text")
    for line in [*held_lines(prepared.rendering.held), *_not_rerun(prepared.rendering, rerun)]:
        say(line)
    if check:
        _check(prepared.changes, say)
        return
    write_changes(loaded, prepared.planned.files, prepared.changes, say)
    say(_summary(prepared))


def prepare(
    loaded: Loaded, selection: Selection, *, output_format: str = "text", strict: bool = False
) -> Prepared:
    """Render a selection and compare it with the disk; print findings and end where one stops."""
    with options.progress(len(selected(loaded, selection)), "rendering") as step:
        rendering = render(loaded, selection, step)
    planned, comparison = Plan({}), Comparison((), ())
    if not has_errors(rendering.diagnostics, strict=strict):
        planned = plan(loaded, rendering, selection)
        comparison = compare(loaded.root, planned)
    findings = [*rendering.diagnostics, *comparison.problems]
    options.print_findings(loaded, findings, output_format=output_format)
    options.stop_on_errors(findings, strict=strict)
    return Prepared(rendering, planned, comparison.changes)


def held_lines(held: Sequence[HeldBack]) -> list[str]:
    """Say what is held back, one line for each environment and change."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for each in held:
        groups.setdefault((each.environment, each.changes), []).append(each.experiment)
    lines = [
        f"{len(names)} run{'s' * (len(names) != 1)} held: {environment} changed "
        f"{shortened(changes, _SHOWN)} ({shortened(names, _SHOWN)})"
        for (environment, changes), names in groups.items()
    ]
    advice = (
        "a held run stays as it was rendered; `--rerun NAME` takes the change, as a new run when "
        "it reaches the pods"
    )
    return [*lines, advice] if lines else []


def _not_rerun(rendering: Rendering, names: Sequence[str]) -> list[str]:
    """Say of which experiments nothing new reaches the pods."""
    started = {one.name for one in rendering.experiments if _STARTS & {*one.decisions.values()}}
    hint = "what reaches its pods is the same; `run: {id: …}` runs the same once more"
    return [
        f"the run of {name} stays: {hint}" for name in dict.fromkeys(names) if name not in started
    ]


def _check(changes: Sequence[Change], say: Callable[[str], None]) -> None:
    for change in changes:
        say(f"{change.path} {_WOULD[change.kind]}")
    if changes:
        advice = "run `genjob render` and commit"
        click.echo(f"{_files(len(changes))} not as rendered; {advice}", err=True)
        sys.exit(options.EXIT_FINDINGS)
    say("what is committed is what would be rendered")


def write_changes(
    loaded: Loaded,
    files: Mapping[str, str],
    changes: Sequence[Change],
    say: Callable[[str], None] = click.echo,
) -> None:
    """Make the changes, all or none, and name them; exit code 1 when the disk refuses."""
    failures = write(loaded.root, changes, files=files)
    if failures:
        options.print_findings(loaded, failures)
        sys.exit(options.EXIT_FINDINGS)
    for change in changes:
        say(f"{_DONE[change.kind]} {change.path}")


def _summary(prepared: Prepared) -> str:
    rendering = prepared.rendering
    counts = Counter(change.kind for change in prepared.changes)
    overlays = sum(len(one.overlays) for one in rendering.experiments)
    touched = ", ".join(f"{counts[kind]} {_DONE[kind]}" for kind in _DONE if counts[kind])
    unchanged = len(prepared.planned.files) - counts["create"] - counts["rewrite"]
    experiments = len(rendering.experiments)
    return (
        f"{experiments} experiment{'s' * (experiments != 1)}, "
        f"{overlays} overlay{'s' * (overlays != 1)}: "
        f"{touched + ', ' if touched else ''}{unchanged} unchanged"
    )


def _files(count: int) -> str:
    return "1 file is" if count == 1 else f"{count} files are"
