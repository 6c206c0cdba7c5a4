"""The tables of codes and of rules → what there is to say of a kind of finding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from genjob import codes, document
from genjob.rules import RULES

_TABLES = (document.Code, codes.Code)


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of finding; `symptom` and `source` are those of a rule on objects, else empty."""

    code: str
    name: str
    meaning: str
    symptom: str = ""
    source: str = ""


@cache
def names() -> dict[str, str]:
    """Return the code of every kind of finding by its name."""
    ours = {each.slug: each.value for table in _TABLES for each in table}
    return ours | {rule.name: rule.code for rule in RULES}


@cache
def entry(code: str) -> Entry:
    """Return what there is to say of a code.

    Raises:
        KeyError: for a code that no table has.
    """
    ours = [Entry(e.value, e.slug, e.meaning) for table in _TABLES for e in table if e == code]
    rules = [Entry(code, r.name, r.summary, r.symptom, r.source) for r in RULES if r.code == code]
    try:
        return (ours + rules)[0]
    except IndexError:
        raise KeyError(code) from None
