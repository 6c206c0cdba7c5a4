"""The name of a variable ↔ its field under `nccl:`; a name → whether anybody reads it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables import FIELDS, REGISTRY
from genjob.catalog.variables.families import LABELS_OF_IMAGES, OTHERS, family_of
from genjob.catalog.variables.misnomers import MISNOMERS
from genjob.catalog.variables.variable import PREFIX
from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.variables.problem import Problem
from genjob.wording import nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from genjob.catalog.variables.variable import Variable

SLIP: Final = 2
"""Edits up to which a name is a slip: a letter too many, too few, wrong, or two swapped."""

LIKENESS: Final = 0.8
"""Share of letters that a name must have in common with a known one to be taken for it."""

SHORT: Final = 12
"""Letters below which one edit is all that a slip may be."""


def environment_name(field: str) -> str:
    """Return the variable of a field of `nccl:`: `ib_hca` → `NCCL_IB_HCA`."""
    return PREFIX + field.upper()


def field_name(variable: str) -> str:
    """Return the field of `nccl:` for a variable: `NCCL_IB_HCA` → `ib_hca`.

    Raises:
        ValueError: for a variable that is not of NCCL's family.
    """
    if not variable.startswith(PREFIX):
        raise ValueError(f"'{variable}' does not begin with {PREFIX}")
    return variable.removeprefix(PREFIX).lower()


@lru_cache(maxsize=4096)  # jobs share the names of their variables, and the search takes 1 ms
def check_name(name: str) -> Problem | None:
    """Return what is wrong with the name of a variable that has no row, or None.

    A name outside of the known families is the program's own affair. In a family of which the
    tables have a part, only a name that is nearly a known one is told.
    """
    if name in LABELS_OF_IMAGES:
        return None
    if name in MISNOMERS:
        return _misnomer(name)
    family = family_of(name.upper())
    is_slip = family is not OTHERS and _is_slip(name)
    if not (family.is_closed or is_slip):
        return None
    message = f"{quoted(name)} is no variable that {family.reader} reads"
    severity = Severity.ERROR if is_slip and family.is_closed else Severity.WARNING
    hint = _did_you_mean(name, REGISTRY) or "'genjob nccl' lists those that are read"
    return Problem(Code.UNKNOWN_VARIABLE, message, hint, severity, at_key=True)


def check_field_name(field: str) -> Problem | None:
    """Return what is wrong with a key under `nccl:`, or None when it is a field."""
    if field in FIELDS:
        return None
    message = f"unknown key {quoted(field)}"
    return Problem(Code.UNKNOWN_VARIABLE, message, _home_or_nearest(field), at_key=True)


def _home_or_nearest(field: str) -> str:
    """Return what to write instead of an unknown field: it may be a variable as NCCL spells it."""
    name = field.upper()
    if name in REGISTRY and not name.startswith(PREFIX):
        return f"it belongs under 'env', as {name}"
    bare = name.removeprefix(PREFIX).lower()
    advice = MISNOMERS.get(PREFIX + bare.upper(), "")
    hint = re.sub(r"\bNCCL_\w+", lambda found: field_name(found[0]), advice)
    return hint or _did_you_mean(bare, FIELDS)


def check_age(variable: Variable, spelled: Callable[[str], str] = str) -> Problem | None:
    """Return the problem of a variable that is removed or deprecated, or None.

    `spelled` turns the name of a variable into what the reader of the message would write.
    """
    if not (variable.removed or variable.deprecated):
        return None
    name, hint = quoted(spelled(variable.name)), _replacement(variable, spelled)
    if variable.removed:
        message = f"{name} does nothing since NCCL {variable.removed}"
        return Problem(Code.REMOVED_VARIABLE, message, hint, Severity.WARNING, at_key=True)
    message = f"{name} is deprecated {variable.deprecated}"
    severity = Severity.WARNING if variable.obsolete else Severity.INFO
    return Problem(Code.DEPRECATED_VARIABLE, message, hint, severity, at_key=True)


def is_slip_of(name: str, known: str) -> bool:
    """Tell whether a name differs from a known one by its case or by a slip of the fingers."""
    allowed = SLIP if len(known) >= SHORT else 1
    near_length = abs(len(name) - len(known)) <= allowed
    return near_length and edits(name.upper(), known.upper()) <= allowed


def edits(one: str, other: str) -> int:
    """Return how many letters to add, drop, change or swap with their neighbour (Damerau)."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        line = [row]
        for column, wanted in enumerate(other, start=1):
            cost = min(above[column], line[-1]) + 1
            cost = min(cost, above[column - 1] + (letter != wanted))
            if row > 1 < column and one[row - 2] + letter == wanted + other[column - 2]:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, above = above, line
    return above[-1]


def _misnomer(name: str) -> Problem:
    severity = Severity.ERROR if _is_slip(name) else Severity.WARNING
    message = f"{quoted(name)} is no variable that any program reads"
    return Problem(Code.UNKNOWN_VARIABLE, message, MISNOMERS[name], severity, at_key=True)


def _is_slip(name: str) -> bool:
    near = nearest_name(name, REGISTRY)
    return near is not None and is_slip_of(name, near)


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    near = nearest_name(name, known)
    return f"did you mean {quoted(near)}?" if near is not None else ""


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a misspelled one most likely meant, in any case, or None."""
    return nearest(name, known, likeness=LIKENESS)


def _replacement(variable: Variable, spelled: Callable[[str], str]) -> str:
    if variable.replaced_by:
        name, _, value = variable.replaced_by.partition("=")
        since = "" if variable.obsolete else REGISTRY[name].since
        with_value = f" with {value}" if value else ""
        from_release = f", from {family_of(name).reader} {since} on" if since else ""
        return f"write {spelled(name)}{with_value}{from_release}"
    why = variable.note[:1].lower() + variable.note[1:].rstrip(".")
    return f"remove it: {why}" if why else "remove it"
