"""Text with drawn characters → what the terminal can show of it."""

from __future__ import annotations

import sys
from typing import Final

from genjob.explanation.table import to_ascii

_DRAWN: Final = "┌─│■◆…←→"
"""What a terminal must be able to show, or all is drawn in ASCII."""


def drawable(text: str, *, in_ascii: bool = False) -> str:
    """Return a text in the characters of standard output, drawn in ASCII where it must be."""
    encoding = sys.stdout.encoding or "ascii"
    shown = to_ascii(text) if in_ascii or not _can_draw(encoding) else text
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def _can_draw(encoding: str) -> bool:
    try:
        _DRAWN.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
