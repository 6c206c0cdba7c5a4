"""`genjob render`: writes bases, overlays and the engine's files, or checks what is committed."""

from __future__ import annotations

import os
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from genjob.cli import options
from genjob.diagnostics import has_errors
from genjob.memory.memory import Memory
from genjob.runs.decision import Decision
from genjob.selection import Selection, selected
from genjob.tree.plan import Comparison, Plan, compare
from genjob.tree.writer import write
from genjob.wording import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from genjob.runs.hold import HeldBack
    from genjob.survey import Survey
    from genjob.tree.plan import Change, Kind
    from genjob.workspace.loading import Loaded

_STARTS = frozenset({Decision.FIRST, Decision.NEW})
_AS_RENDERED = "what is committed is what would be rendered"
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

    survey: Survey
    planned: Plan
    changes: tuple[Change, ...]

    @property
    def is_said(self) -> bool:
        """Whether findings were printed."""
        return has_errors(self.survey.diagnostics, strict=True)


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
    memory = Memory.of(options.workspace_root(directory), os.environ)
    words = ("render", names, environments, check) if output_format == "text" and not rerun else ()
    said = memory.said(words)
    if said is not None:
        click.echo(said)
        return
    selection = Selection(names, environments or None, frozenset(rerun))
    loaded = options.open_workspace(directory, memory)
    _refuse_others(loaded, selection)
    prepared = prepare(loaded, selection, memory, output_format=output_format, strict=strict)
    say = partial(click.echo, err=output_format != "text")
    lines = [*held_lines(prepared.survey.held), *_not_rerun(prepared.survey, rerun)]
    for line in lines:
        say(line)
    if check:
        _check(prepared.changes, say)
    else:
        write_changes(loaded, prepared.planned.files, prepared.changes, say)
    last = _AS_RENDERED if check else _summary(prepared)
    say(last)
    is_all = words and not (lines or prepared.changes or prepared.is_said)
    memory.keep(prepared.survey.found, (words, last) if is_all else None)


def _refuse_others(loaded: Loaded, selection: Selection) -> None:
    left_out = selection.rerun & loaded.experiments.keys() - {*selected(loaded, selection)}
    if left_out:
        raise click.UsageError(f"--rerun {min(left_out)}: it is not among what is rendered")


def prepare(
    loaded: Loaded,
    selection: Selection,
    memory: Memory | None = None,
    *,
    output_format: str = "text",
    strict: bool = False,
) -> Prepared:
    """Render a selection and compare it with the disk; print findings and end where one stops."""
    from genjob.survey import planned_files, survey  # noqa: PLC0415 # not where all is remembered

    memory = memory or Memory(loaded.root, None)
    with options.progress(len(selected(loaded, selection)), "rendering") as step:
        surveyed = survey(loaded, selection, memory, planned=True, progress=step)
    planned, comparison = Plan({}), Comparison((), ())
    if not has_errors(surveyed.diagnostics, strict=strict):
        planned = planned_files(surveyed, selection)
        comparison = compare(loaded.root, planned)
    findings = [*surveyed.diagnostics, *comparison.problems]
    options.print_findings(loaded, findings, output_format=output_format)
    if has_errors(findings, strict=strict):
        memory.keep(surveyed.found)
    options.stop_on_errors(findings, strict=strict)
    return Prepared(surveyed, planned, comparison.changes)


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


def _not_rerun(surveyed: Survey, names: Sequence[str]) -> list[str]:
    """Say of which experiments nothing new reaches the pods."""
    started = {one.name for one in surveyed.outcomes if _STARTS & {*one.decisions.values()}}
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
    surveyed = prepared.survey
    counts = Counter(change.kind for change in prepared.changes)
    overlays = sum(len(one.made) for one in surveyed.outcomes)
    touched = ", ".join(f"{counts[kind]} {_DONE[kind]}" for kind in _DONE if counts[kind])
    planned = len(prepared.planned.files) + len(prepared.planned.in_place)
    unchanged = planned - counts["create"] - counts["rewrite"]
    experiments = surveyed.rendered
    return (
        f"{experiments} experiment{'s' * (experiments != 1)}, "
        f"{overlays} overlay{'s' * (overlays != 1)}: "
        f"{touched + ', ' if touched else ''}{unchanged} unchanged"
    )


def _files(count: int) -> str:
    return "1 file is" if count == 1 else f"{count} files are"
