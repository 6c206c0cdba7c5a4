"""The text of a word or of a flag in words → whether its reader knows it, and so the problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.families import family_of
from genjob.catalog.variables.variable import OLD_LEVELS, PREFIX
from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.variables.problem import Problem, severity_for
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable

PYTORCH_FLAGS: Final = ("1", "t", "true", "y", "yes", "0", "f", "false", "n", "no")
LIBFABRIC_FLAGS: Final = ("1", "true", "yes", "on", "0", "false", "no", "off")
_FLAGS: Final = {"PyTorch": PYTORCH_FLAGS, "libfabric": LIBFABRIC_FLAGS}
"""Reader → the words that it takes for a flag, in any case; the others take all of them."""


def check_flag(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a flag in words that its reader does not know, or None.

    PyTorch stops on another word, libfabric ignores it; of the others nobody says.
    """
    reader = family_of(variable.replaced_by or variable.name).reader
    known = _FLAGS.get(reader, PYTORCH_FLAGS + LIBFABRIC_FLAGS)
    if text.lower() in known or (not text and variable.name.startswith(PREFIX)):
        return None
    message = f"{variable.name} {quoted(text)} is no flag that {reader} knows"
    severity = Severity.ERROR if reader == "PyTorch" else Severity.WARNING
    return Problem(Code.MISREAD_VALUE, message, 'write "1" or "0"', severity)


def check_choice(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a word that the variable does not know, or None.

    NCCL compares levels letter by letter and ignores a word that it does not know.
    """
    if variable.newer_choices and text.isdecimal() and text.isascii():
        return _old_level(variable, text)
    return check_word(variable, text)


def check_word(variable: Variable, word: str) -> Problem | None:
    """Return the problem of one word of a variable, or None when the variable knows it."""
    known = (*variable.choices, *variable.newer_choices)
    alike = next((choice for choice in known if choice.casefold() == word.casefold()), None)
    if word in known or not word or (alike and variable.case_sensitive is False):
        return None
    if alike:
        return _other_case(variable, word, alike)
    message = f"{variable.name} does not know {quoted(word)}"
    hint = did_you_mean(word, known) or f"write {one_of(variable.choices)}"
    return Problem(Code.UNKNOWN_WORD, message, hint, severity_for(variable))


def _other_case(variable: Variable, word: str, known: str) -> Problem:
    hint = f"write {quoted(known)}"
    if variable.case_sensitive:
        message = f"{variable.name} does not know {quoted(word)}: it is compared letter by letter"
        return Problem(Code.UNKNOWN_WORD, message, hint)
    message = f"{variable.name} {quoted(word)} is known as {quoted(known)}, maybe not in other case"
    return Problem(Code.UNKNOWN_WORD, message, hint, Severity.WARNING)


def _old_level(variable: Variable, text: str) -> Problem:
    """Name the level that a number once meant: 0 to 4, and SYS above."""
    level = OLD_LEVELS[min(int(text[:4]), len(OLD_LEVELS) - 1)]
    message = f"{variable.name} {quoted(text)} is an old way to write the level {level}"
    return Problem(Code.DEPRECATED_VARIABLE, message, f"write {quoted(level)}", Severity.WARNING)
