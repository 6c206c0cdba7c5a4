"""A comparison → the lines that people read on a terminal, each with what its colour says."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.difference.effect import Verdict
from genjob.difference.figures import change, shortened_pair
from genjob.difference.groups import Group, grouped, still_held
from genjob.difference.tables import (
    base_line,
    counts_line,
    environments_table,
    groups_table,
    queues_table,
)
from genjob.difference.wiring import ANOTHER_ENGINE
from genjob.explanation.table import GAP, in_columns, wrapped
from genjob.wording import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.difference.change import RunChange
    from genjob.difference.comparison import Comparison
    from genjob.difference.fields import FieldChange
    from genjob.difference.objects import ObjectChange
    from genjob.difference.tables import Table

_MOST_ROWS: Final = 40
"""Rows of the table of runs; the rest is counted."""

_MOST_NAMES: Final = 12
_CELL, _PATH = 28, 44
"""Columns of a cell and of a field."""

_WIDTH: Final = 96
NOTHING_CHANGES: Final = "nothing changes for any run"
UNSET: Final = "not set"


class Tone(StrEnum):
    """What the colour of a line says."""

    PLAIN = "plain"
    HEADING = "heading"
    BAD = "bad"
    STARTS = "starts"
    WAITS = "waits"
    ADDED = "added"
    REMOVED = "removed"
    PLACE = "place"


TONES: Final[dict[Verdict, Tone]] = {
    Verdict.DELETES_DATA: Tone.BAD,
    Verdict.REFUSED: Tone.BAD,
    Verdict.EVICTS: Tone.BAD,
    Verdict.MIXES: Tone.BAD,
    Verdict.UNKNOWN: Tone.BAD,
    Verdict.NEW_RUN: Tone.STARTS,
    Verdict.NEW_EXPERIMENT: Tone.STARTS,
    Verdict.RETIRED: Tone.WAITS,
    Verdict.HELD: Tone.WAITS,
}
"""Verdict → the tone of its row; that of the others is plain."""

_SIGNS: Final = {"+": Tone.ADDED, "-": Tone.REMOVED, "@": Tone.PLACE}


class Line(NamedTuple):
    """A line of text and its tone."""

    text: str
    tone: Tone = Tone.PLAIN


def text_lines(comparison: Comparison, *, objects: bool) -> list[Line]:
    """Return totals, then a row for each run, then what is to be said of each kind of change.

    With `objects` the lines of YAML that differ too; without, how many they are.
    """
    groups = grouped(comparison.changed)
    lines = [Line(base_line(comparison)), *_totals(comparison), *_rows(groups)]
    for group in groups:
        lines += [Line(""), *_group(group, objects=objects)]
    return [*lines, *_wiring(comparison, objects=objects), *_still_held(comparison)]


def _totals(comparison: Comparison) -> Iterator[Line]:
    yield Line("")
    yield Line(counts_line(comparison), Tone.HEADING)
    if not comparison.changed:
        yield Line(NOTHING_CHANGES)
    for table in (
        environments_table(comparison.environments),
        queues_table(comparison.environments),
    ):
        yield from _table(table)


def _table(table: Table) -> Iterator[Line]:
    if table.rows:
        head, *rows = in_columns([table.head, *table.rows], [_CELL] * len(table.head))
        yield from (Line(""), Line(head, Tone.HEADING), *map(Line, rows))


def _rows(groups: Sequence[Group]) -> Iterator[Line]:
    shown = groups[:_MOST_ROWS]
    lines = [*_table(groups_table(shown))]
    yield from lines[:2]
    for line, each in zip(lines[2:], shown, strict=True):
        yield Line(line.text, TONES.get(each.first.verdict, Tone.PLAIN))
    if len(groups) > len(shown):
        yield Line(f"… and {len(groups) - len(shown)} more")


def _group(group: Group, *, objects: bool) -> Iterator[Line]:
    first = group.first
    yield Line(printable(group.title), TONES.get(first.verdict, Tone.HEADING))
    for line in [*run_names(first), *(note for note in first.notes)]:
        yield from (Line(f"{GAP}{part}") for part in wrapped(printable(line), _WIDTH))
    yield from _fields(first.fields)
    yield from _objects(first, objects=objects)
    if group.others:
        yield from (Line(f"{GAP}{part}") for part in wrapped(alike(group), _WIDTH))


def run_names(each: RunChange) -> list[str]:
    """Return which runs end and start, where it is not one that goes on."""
    names = [run.name if run else None for run in (each.before, each.after)]
    old, new = names
    if old == new:
        return []
    ends = [f"'{old}' ends"] if old else []
    return [", ".join([*ends, *([f"'{new}' starts"] if new else [])])]


def field_cells(each: FieldChange) -> tuple[str, str, str, str]:
    """Return the path of a field, what it was and is, which layer says so, and where."""
    values = [UNSET if value is None else value for value in (each.before, each.after)]
    shown = change(*shortened_pair(*values))
    at = f"{each.place.file}:{each.place.line}" if each.place else ""
    return each.path, shown, each.layer, at


def _fields(fields: Sequence[FieldChange]) -> Iterator[Line]:
    if fields:
        for line in in_columns([*map(field_cells, fields)], (_PATH, 0, 0, 0)):
            yield Line(f"{GAP}{line}")


def _objects(first: RunChange, *, objects: bool) -> Iterator[Line]:
    for each in first.objects:
        yield Line(f"{GAP}{object_line(each)}")
        yield from _yaml(each.lines if objects else ())


def object_line(each: ObjectChange) -> str:
    """Return an object and how many of its lines differ."""
    return f"{each.title}: +{each.added} -{each.removed} lines"


def alike(group: Group) -> str:
    """Return of whom the same is to be said."""
    return f"the same: {shortened(group.others, _MOST_NAMES)}"


def held_lines(comparison: Comparison) -> list[str]:
    """Return what is held back as it was before the change, or by this version of genjob."""
    return [
        f"{names} in {environment}: {shortened(runs, _MOST_NAMES)}"
        for environment, names, runs in still_held(comparison.runs)
    ]


def engine_lines(comparison: Comparison) -> list[str]:
    """Return where another engine takes over."""
    return [
        f"{each.name}: {change(*map(str, each.engines))}: {ANOTHER_ENGINE}"
        for each in comparison.environments
        if each.is_handed_over
    ]


def _wiring(comparison: Comparison, *, objects: bool) -> Iterator[Line]:
    if comparison.wiring:
        yield from (Line(""), Line(WIRING, Tone.HEADING))
        for line in engine_lines(comparison):
            yield from (Line(f"{GAP}{part}", Tone.BAD) for part in wrapped(line, _WIDTH))
    for each in comparison.wiring:
        yield Line(f"{GAP}{each.path}: +{each.added} -{each.removed} lines")
        yield from _yaml(each.lines if objects else ())


def _yaml(lines: Sequence[str]) -> Iterator[Line]:
    for line in lines:
        yield Line(f"{GAP}{GAP}{printable(line)}", _SIGNS.get(line[:1], Tone.PLAIN))


def _still_held(comparison: Comparison) -> Iterator[Line]:
    lines = held_lines(comparison)
    if lines:
        yield from (Line(""), Line(STILL_HELD, Tone.HEADING))
        yield from (Line(f"{GAP}{part}") for line in lines for part in wrapped(line, _WIDTH))


WIRING: Final = "what the GitOps engine reads"
STILL_HELD: Final = "held back as before, or by this version of genjob"
