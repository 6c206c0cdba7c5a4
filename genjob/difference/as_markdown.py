"""A comparison → a comment for a pull request, in Markdown that fits the limit of its host.

What does not fit is left out, the least important first, and counted; the totals never are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.difference.as_text import (
    NOTHING_CHANGES,
    STILL_HELD,
    WIRING,
    alike,
    engine_lines,
    field_cells,
    held_lines,
    object_line,
    run_names,
)
from genjob.difference.groups import grouped
from genjob.difference.limits import GITHUB_LIMIT
from genjob.difference.marking import code_cell, escaped, fenced, folded, prose, size, table
from genjob.difference.mermaid import picture
from genjob.difference.tables import (
    Table,
    base_line,
    counts_line,
    environments_table,
    groups_table,
    queues_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.difference.change import RunChange
    from genjob.difference.comparison import Comparison
    from genjob.difference.groups import Group

MARK: Final = "<!-- genjob diff -->"
"""The first line, by which a pipeline finds its own comment again."""

_TABLES_PART: Final = 7
"""One part of so many of the limit is the most for a table; the totals have five."""

_FOOT_BYTES: Final = 500
_MOST_BASE: Final = 200


class _Blocks(NamedTuple):
    """The texts of groups that have room, without those of `left_out`.

    Of `bare` many the lines of YAML have none.
    """

    texts: list[str]
    left_out: list[Group]
    bare: int


def markdown(comparison: Comparison, *, limit: int = GITHUB_LIMIT) -> str:
    """Return the comment, of at most `limit` bytes of UTF-8; the least limit is 4000."""
    groups = grouped(comparison.changed)
    most = limit // _TABLES_PART
    head = _head(comparison, groups, most)
    blocks = _blocks(groups, limit - size(head) - _FOOT_BYTES, most)
    return "\n".join([head, *blocks.texts, *_foot(comparison, blocks)]).rstrip("\n")


def _blocks(groups: Sequence[Group], room: int, most: int) -> _Blocks:
    """Choose what has room: first every group without YAML, then the YAML of the first ones."""
    chosen: dict[int, str] = {}
    for index, group in enumerate(groups):
        block = _block(group, most, objects=False)
        if size(block) < room:
            chosen[index] = block
            room -= size(block) + 1
    bare = 0
    for index, block in chosen.items():
        whole = _block(groups[index], most, objects=True)
        if size(whole) - size(block) <= room:
            room -= size(whole) - size(block)
            chosen[index] = whole
        else:
            bare += 1
    left_out = [group for index, group in enumerate(groups) if index not in chosen]
    return _Blocks([*chosen.values()], left_out, bare)


def _head(comparison: Comparison, groups: Sequence[Group], most: int) -> str:
    """Return the totals, and the tables as far as they have room."""
    parts = [MARK, "### genjob: what this change does", f"**{counts_line(comparison)}**"]
    parts.append(escaped(base_line(comparison)[:_MOST_BASE]))
    if comparison.errors:
        errors = f"{comparison.errors} error{'s' * (comparison.errors != 1)}"
        parts.append(f"**{errors}: this cannot be rendered.** `genjob validate` shows them.")
    parts += [] if comparison.changed else [NOTHING_CHANGES]
    tables = (
        environments_table(comparison.environments),
        queues_table(comparison.environments),
        groups_table(groups),
        Table((WIRING,), [(line,) for line in _wiring(comparison)]),
        Table((STILL_HELD,), [(line,) for line in held_lines(comparison)]),
    )
    parts += [table(_escaped(each), most) for each in tables if each.rows]
    return "\n\n".join(parts) + "\n"


def _wiring(comparison: Comparison) -> Iterator[str]:
    yield from engine_lines(comparison)
    for each in comparison.wiring:
        yield f"{each.path}: +{each.added} -{each.removed} lines"


def _escaped(content: Table) -> Table:
    return Table(content.head, [tuple(map(escaped, row)) for row in content.rows])


def _block(group: Group, most: int, *, objects: bool) -> str:
    first = group.first
    parts = [*_sentences(first), *_fields(first, most)]
    if drawn := picture(first):
        parts.append(fenced("mermaid", drawn))
    parts += _objects(first, objects=objects)
    if group.others:
        parts.append(escaped(alike(group)))
    return folded(group.title, "\n\n".join(parts))


def _sentences(first: RunChange) -> Iterator[str]:
    lines = [*run_names(first), *first.notes]
    if lines:
        yield "\n".join(f"- {prose(line)}" for line in lines)


def _fields(first: RunChange, most: int) -> Iterator[str]:
    if first.fields:
        rows = [tuple(map(code_cell, field_cells(each))) for each in first.fields]
        head = ("field", "before → after", "set by", "at")
        yield table(Table(head, rows), most)


def _objects(first: RunChange, *, objects: bool) -> Iterator[str]:
    for each in first.objects:
        if objects:
            yield folded(object_line(each), fenced("diff", each.lines))
        else:
            yield f"- {prose(object_line(each))}"


def _foot(comparison: Comparison, blocks: _Blocks) -> Iterator[str]:
    left = sum(len(group.changes) for group in blocks.left_out)
    said = [
        *([f"what changes in {left} run{'s' * (left != 1)}"] if left else []),
        *([f"the YAML of {blocks.bare} of those above"] if blocks.bare else []),
    ]
    if said:
        command = f"`genjob diff --objects --against {comparison.base.short}`"
        yield f"\nLeft out, for a comment has a limit: {' and '.join(said)}. All of it: {command}"
