"""Rows of words → lines in columns; drawn lines → ASCII."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from genjob.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH: Final = 100
"""Columns of the output, on a terminal and in a pipe alike."""

GAP: Final = "  "

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
        "─": "-",
        "│": "|",
        "■": "#",
        "◆": "*",
        "←": "<",
        "→": ">",
        "…": "~",
    }
)
"""What is drawn → what a terminal without those characters shows; one column each."""


def in_columns(rows: Sequence[Sequence[str]], limits: Sequence[int]) -> list[str]:
    """Return rows as lines; a cell that is longer than the limit of its column is cut.

    The last column has no need of a limit: 0 stands for none.
    """
    cut = [
        [printable(cell, limit) for cell, limit in zip(row, limits, strict=True)] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return [
        GAP.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cut
    ]


def labelled(rows: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Return lists of sentences, each behind its label; a label without sentences is left out."""
    present = [(label, texts) for label, texts in rows if texts]
    width = max((len(label) for label, _ in present), default=0)
    lines: list[str] = []
    for label, texts in present:
        head = label
        for text in texts:
            for line in wrapped(printable(text), WIDTH - width - 2 * len(GAP)):
                lines.append(f"{GAP}{head:<{width}}{GAP}{line}".rstrip())
                head = ""
    return lines


def wrapped(text: str, width: int) -> list[str]:
    """Return a sentence as lines of a width; a word that is too long has a line of its own."""
    return wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def to_ascii(text: str) -> str:
    """Return a text with everything that is drawn in ASCII, in the same columns."""
    return text.translate(_ASCII)
