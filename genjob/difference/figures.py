"""Numbers → their text: exact where that is short, else rounded to two decimals."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fractions import Fraction

UNKNOWN: Final = "?"
ARROW: Final = " → "

LONGEST: Final = 60
"""Characters of a value that are shown; a list of arguments may have thousands."""

_KEPT: Final = 16
"""Characters that are shown of what two long values begin with alike."""


def figure(value: Fraction | int | None) -> str:
    """Return a number: `9216`, `50918.4`, `?` for None."""
    if value is None:
        return UNKNOWN
    return f"{float(value):.2f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))


def shortened_pair(before: str, after: str) -> tuple[str, str]:
    """Return two values so cut that where they differ is in sight."""
    alike = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    )
    skipped = max(0, alike - _KEPT) if max(len(before), len(after)) > LONGEST else 0
    first, second = (f"…{text[skipped:]}" if skipped else text for text in (before, after))
    return _cut(first), _cut(second)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def change(before: str, after: str) -> str:
    """Return `16 → 32`, or one of them alone where they are equal."""
    return after if before == after else f"{before}{ARROW}{after}"
