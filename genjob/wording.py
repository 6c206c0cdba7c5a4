"""A value or a misspelled word → the words of a message. Imports nothing of ours but the types."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from genjob.jsontypes import Json

LONGEST_QUOTE = 80
"""Characters of a value that a message shows; a script in `args` may have thousands."""


def nearest(word: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the known name that `word` most likely meant, whatever its case, or None.

    `likeness` is how much of both must agree, from 0 to 1.
    """
    from difflib import get_close_matches  # noqa: PLC0415 # a run without findings needs it not

    by_folded = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), by_folded, n=1, cutoff=likeness)
    return by_folded[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the hint for a misspelled word, or an empty text when nothing known is near."""
    name = nearest(word, known)
    return f"did you mean {quoted(name)}?" if name is not None else ""


def quoted(text: str) -> str:
    """Return `text` in single quotes on one line: a long one cut, control characters escaped."""
    shown = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
    return f"'{printable(shown)}'"


def printable(text: str, most: int = 0) -> str:
    """Return text on one line, with what nobody can see, or moves a cursor, escaped.

    `most` are the characters that are shown, 0 for all; a longer text is cut, never in an escape.
    """
    shown = [c if c.isprintable() else repr(c)[1:-1] for c in text]
    if not most or sum(map(len, shown)) <= most:
        return "".join(shown)
    lengths = accumulate(map(len, shown))
    kept = sum(length < most for length in lengths)
    return "".join(shown[:kept]) + "…"


def one_of(words: Iterable[str]) -> str:
    """Return the words as a choice: `'a', 'b' or 'c'`, in the order given."""
    *first, last = [quoted(word) for word in words] or [""]
    return f"{', '.join(first)} or {last}" if first else last


def listed(words: Iterable[str]) -> str:
    """Return the words as a list: `'a', 'b' and 'c'`, in the order given; nothing for none."""
    *first, last = [quoted(word) for word in words] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def shortened(words: Sequence[str], most: int) -> str:
    """Return the words in a row, without quotes; of many the first ones, and how many more."""
    shown = ", ".join(words[:most])
    return f"{shown}, and {len(words) - most} more" if len(words) > most else shown


def found(value: Json) -> str:
    """Return a value with its type, as a message names it: `'four' (string)`, `a list of 2`."""
    match value:
        case None:
            return "null"
        case str():
            return f"{quoted(value)} (string)" if value else "an empty string"
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            return "a mapping" if value else "an empty mapping"
        case _:
            return f"{str(value).lower()} ({_scalar_type(value)})"


def _scalar_type(value: float) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "integer" if isinstance(value, int) else "number"
