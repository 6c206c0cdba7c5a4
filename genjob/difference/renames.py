"""Experiments that are gone and those that are new → which of them are one, under another name."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.document import Document

_LEAST: Final = 0.75
"""The part of the lines that must be the same; Git takes half for a renamed file."""

_MOST_PAIRS: Final = 2500
"""Pairs that are compared line by line; of more, only files that are the same are renamed."""

_NAME: Final = re.compile(r"name:\s")


def renamed(gone: Mapping[str, Document], new: Mapping[str, Document]) -> dict[str, str]:
    """Return new name → old name of the experiments that are most alike, each once."""
    scores = [
        (score, after, before)
        for after, after_document in sorted(new.items())
        for before, before_document in sorted(gone.items())
        if (score := _likeness(before_document, after_document, len(gone) * len(new))) >= _LEAST
    ]
    found: dict[str, str] = {}
    for _, after, before in sorted(scores, key=lambda each: (-each[0], each[1:])):
        if after not in found and before not in found.values():
            found[after] = before
    return found


def _likeness(before: Document, after: Document, pairs: int) -> float:
    old, new = _lines(before), _lines(after)
    if old == new or pairs > _MOST_PAIRS:
        return float(old == new)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _LEAST else 0.0


def _lines(document: Document) -> list[str]:
    """Return the lines that say something, but for the name."""
    texts = (line.strip() for line in document.lines)
    return [text for text in texts if text and text[0] != "#" and not _NAME.match(text)]
