"""A source line and a span of its columns → the line as a terminal shows it, and the mark below."""

from __future__ import annotations

import unicodedata

WIDEST = 100
"""Cells of a terminal that a source line may take; a longer one is cut around its mark."""

_BEFORE_MARK = 40
"""Cells kept before the mark when a line is cut."""

_REACH = 1000
"""Characters looked at on either side of a mark; a file of one endless line stays cheap."""

_TAB = "    "
_CUT = "…"


def snippet(line: str, column: int, end_column: int) -> tuple[str, str]:
    """Return the shown line and the mark `^~~~` that stands below the columns.

    Columns count code points from 1; `end_column` is exclusive, and what is not after `column`
    marks one character. Tabs are shown as four spaces, control characters as `·`.
    """
    start = min(column - 1, len(line))
    skipped = max(0, start - _REACH)
    cells = [_shown(character) for character in line[skipped : start + _REACH]]
    end = max(start + 1, end_column - 1) - skipped
    start -= skipped
    first, last = _window([_width(cell) for cell in cells], start)
    indent = _total(cells[first:start]) + (len(_CUT) if first else 0)
    length = max(1, _total(cells[start : min(end, last)]))
    mark = " " * indent + "^" + "~" * (length - 1)
    return _cut(cells, first, last), mark


def _window(widths: list[int], start: int) -> tuple[int, int]:
    """Return the first and the last-plus-one character to show so that the mark stays in sight."""
    if sum(widths) <= WIDEST:
        return 0, len(widths)
    first = start
    while first > 0 and sum(widths[first - 1 : start]) <= _BEFORE_MARK:
        first -= 1
    last = first
    while last < len(widths) and sum(widths[first : last + 1]) <= WIDEST:
        last += 1
    return first, last


def _cut(cells: list[str], first: int, last: int) -> str:
    head = _CUT if first else ""
    tail = _CUT if last < len(cells) else ""
    return f"{head}{''.join(cells[first:last])}{tail}".rstrip()


def _shown(character: str) -> str:
    if character == "\t":
        return _TAB
    if character.isprintable() or _is_zero_width(character):
        return character
    return "·"


def _total(cells: list[str]) -> int:
    return sum(map(_width, cells))


def _width(cell: str) -> int:
    """Return how many cells of a terminal one shown character takes.

    Source: Unicode Standard Annex 11, East Asian Width: W and F take two.
    """
    if _is_zero_width(cell):
        return 0
    return 2 if unicodedata.east_asian_width(cell[0]) in "WF" else len(cell)


def _is_zero_width(cell: str) -> bool:
    return unicodedata.category(cell[0]) in {"Mn", "Me"} or cell == "\N{ZERO WIDTH JOINER}"
