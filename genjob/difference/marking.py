"""Text of any origin → Markdown that shows it as it is, whatever it contains."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from genjob.difference.tables import Table

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&$])")
_LINKED: Final = re.compile(r"([@#])")
"""Characters that make a mention of a person or an issue, also behind a backslash."""

LONGEST_CODE: Final = 140
"""Characters of a code span."""


def size(text: str) -> int:
    """Return the bytes of a text in UTF-8."""
    return len(text.encode())


def prose(text: str) -> str:
    """Return a sentence in which only code between backticks is marked up."""
    parts = printable(text).split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    return "".join(code(part) if index % 2 else escaped(part) for index, part in enumerate(parts))


def escaped(text: str) -> str:
    """Return text on one line that is no markup, and mentions nobody."""
    return _LINKED.sub(r"\1<!-- -->", _SPECIAL.sub(r"\\\1", printable(text)))


def code(text: str) -> str:
    """Return a code span; long text is cut."""
    shown = printable(text, LONGEST_CODE)
    if not shown.strip():
        return shown
    fence = "`" * (_longest_run(shown) + 1)
    space = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{space}{shown}{space}{fence}"


def code_cell(text: str) -> str:
    """Return a code span in a cell of a table, where a bar ends the cell, also inside code."""
    return code(text).replace("|", "\\|")


def fenced(language: str, lines: Iterable[str]) -> str:
    """Return lines as a code block that none of them can end."""
    body = "\n".join(printable(line) for line in lines)
    fence = "`" * max(3, _longest_run(body) + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def table(content: Table, most: int) -> str:
    """Return a table of at most so many bytes; the rows that have no room are counted."""
    lines = [_row(content.head), _row(["---"] * len(content.head))]
    used, rows = sum(size(line) + 1 for line in lines), [_row(row) for row in content.rows]
    shown = 0
    while shown < len(rows) and used + size(rows[shown]) + 1 <= most:
        used += size(rows[shown]) + 1
        shown += 1
    more = f"\n\n… and {len(rows) - shown} more" if shown < len(rows) else ""
    return "\n".join([*lines, *rows[:shown]]) + more


def folded(title: str, content: str) -> str:
    """Return content behind a title that a click opens; the title is plain text."""
    return f"<details><summary>{_html(title)}</summary>\n\n{content}\n\n</details>"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _html(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
