"""The text of a number, a size or a 0/1 flag → what its reader makes of it, and so the problem.

NCCL calls strtoll with base 0 and looks at nothing behind the digits: `true` is 0, `8M` is 8 and
`010` is 8. Others stop on such a text, or read it the same way.
Source: NVIDIA/nccl 2.30.7, src/misc/param.cc.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.families import family_of
from genjob.catalog.variables.variable import CODE, FLAG01, SIZE, Grammar, Section
from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.quantity import parse_quantity
from genjob.variables.problem import Problem, severity_for
from genjob.wording import one_of, quoted

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable

TRUE_WORDS: Final = frozenset({"true", "t", "yes", "y", "on", "enable", "enabled"})
FALSE_WORDS: Final = frozenset({"false", "f", "no", "n", "off", "disable", "disabled"})

SENTINELS: Final = (-1, -2)
"""What NCCL's own source writes for "not set" and "choose yourself" below a documented range."""

_BLANKS: Final = " \t\n\v\f\r"
_MAX_DIGITS: Final = 19
_C_INTEGER: Final = (
    r"[ \t\n\v\f\r]*(?P<sign>[+-]?)(?P<digits>0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)?"
)
_C_DECIMAL: Final = r"[ \t\n\v\f\r]*(?P<sign>[+-]?)(?P<digits>[0-9]+)?"
_DECIMAL: Final = r"[+-]?[0-9]+"
_BYTES: Final = r"([0-9]+) ?([kKMGT])i?[bB]?"
"""Expressions that are compiled when they are asked for: every command imports this."""


def check_number(variable: Variable, text: str) -> Problem | None:
    """Return what is wrong with the text of a number, a size or a 0/1 flag, or None."""
    is_nccl = family_of(variable.name).reader == "NCCL"
    if not text and is_nccl:
        return None  # counts as unset
    if text in variable.choices and variable.type is not CODE:
        return None
    numbers = text.split(",") if variable.grammar is Grammar.THREADS else [text]
    base = 0 if is_nccl else 10
    faults = (
        _misread(variable, number, is_nccl=is_nccl) or _outside(variable, strtoll(number, base))
        for number in numbers
    )
    return next(filter(None, faults), None)


def strtoll(text: str, base: int = 0) -> int:
    """Return what C's strtoll reads, without its limit of 64 bits; base 0 knows 010 and 0x8."""
    match = re.match(_C_INTEGER if base == 0 else _C_DECIMAL, text)
    digits = (match and match["digits"]) or "0"
    if len(digits) > _MAX_DIGITS:
        return 10**_MAX_DIGITS
    is_octal = base == 0 and digits.startswith("0") and digits.isdecimal()
    number = int(digits, 8 if is_octal else base)
    return -number if match and match["sign"] == "-" else number


def _misread(variable: Variable, text: str, *, is_nccl: bool) -> Problem | None:
    bare = text.strip(_BLANKS)
    if re.fullmatch(_DECIMAL, bare):
        return _octal(variable, bare) if is_nccl else None
    match = re.fullmatch(_C_INTEGER, bare)
    if is_nccl and match and match["digits"]:
        return None  # 0x10 is read as it says
    is_harmless = variable.type is FLAG01 and (not is_nccl or bare.lower() in FALSE_WORDS)
    severity = Severity.WARNING if is_harmless else severity_for(variable)
    reading = _reading(variable, text) if is_nccl else "is no integer"
    message = f"{variable.name} {quoted(text)} {reading}"
    return Problem(Code.MISREAD_VALUE, message, _instead(variable, text), severity)


def _octal(variable: Variable, bare: str) -> Problem | None:
    read, said = strtoll(bare), int(bare[:_MAX_DIGITS])
    if read == said or len(bare) > _MAX_DIGITS:
        return None
    message = f"{variable.name} {quoted(bare)} is {read} to NCCL, which reads a leading 0 as octal"
    return Problem(Code.MISREAD_VALUE, message, f'write "{said}"')


def _reading(variable: Variable, text: str) -> str:
    word, number = text.strip().lower(), strtoll(text)
    if variable.type is SIZE:
        return f"is {number} bytes to NCCL, which reads no units"
    if variable.type is FLAG01 and word in TRUE_WORDS:
        return f"is {number} to NCCL, the opposite of what it says"
    return f"is {number} to NCCL, which reads digits alone"


def _instead(variable: Variable, text: str) -> str:
    word = text.strip().lower()
    if variable.type is SIZE and (count := in_bytes(text)) is not None:
        return f'write "{count}"'
    if variable.type is FLAG01 and word in TRUE_WORDS | FALSE_WORDS:
        return f'write "{int(word in TRUE_WORDS)}"'
    return f"write {expected(variable)}"


def in_bytes(text: str) -> int | None:
    """Return the bytes that a size with a unit means, units of 1024: `8M`, `4 MiB`, `64KB`."""
    match = re.fullmatch(_BYTES, text.strip())
    if match is None or len(match[1]) > _MAX_DIGITS:
        return None
    return int(parse_quantity(f"{match[1]}{match[2].upper()}i"))


def expected(variable: Variable) -> str:
    """Return the values of a number as a message names them: `an integer from 0 to 31`."""
    least, most = variable.minimum, variable.maximum
    if variable.type is FLAG01:
        return "0 or 1"
    if variable.type is CODE:
        return one_of(variable.choices).replace("'", "")
    what = "a number of bytes" if variable.type is SIZE else "an integer"
    if least is not None and most is not None:
        return f"{what} from {least} to {most}"
    return what if least is None else f"{what} of {least} or more"


def _outside(variable: Variable, number: int) -> Problem | None:
    if str(number) == variable.default or _is_inside(variable, number):
        return _not_a_power(variable, number)
    is_harmless = variable.type is FLAG01 or number in SENTINELS or not _is_documented(variable)
    severity = Severity.WARNING if is_harmless else severity_for(variable)
    message = f"{variable.name} {number} is out of range"
    return Problem(Code.VALUE_OUT_OF_RANGE, message, f"write {expected(variable)}", severity)


def _is_inside(variable: Variable, number: int) -> bool:
    if abs(number) >= 10**_MAX_DIGITS:
        return False
    if variable.type is FLAG01:
        return number in (0, 1)
    if variable.type is CODE:
        return str(number) in variable.choices
    least = 0 if variable.type is SIZE else variable.minimum
    return (least is None or number >= least) and (
        variable.maximum is None or number <= variable.maximum
    )


def _is_documented(variable: Variable) -> bool:
    return variable.section in {Section.SYSTEM, Section.DEBUGGING}


def _not_a_power(variable: Variable, number: int) -> Problem | None:
    if not variable.power_of_two or number.bit_count() == 1:
        return None
    message = f"{variable.name} {number} is not a power of two"
    near = 1 << max(number.bit_length() - 1, 0)
    hint = f"write {near} or {near * 2}"
    return Problem(Code.VALUE_OUT_OF_RANGE, message, hint, Severity.WARNING)
