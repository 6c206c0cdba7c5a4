"""Plain YAML scalars → values by the core schema of YAML 1.2, beside the text that was typed.

So `no`, `012`, `12:30` and `1_000` are text, and `1e-4` is a number that still knows its spelling.
Source: https://yaml.org/spec/1.2.2/#1032-tag-resolution. Narrower on purpose: a number with leading
zeros, infinite or longer than 64 characters is text, because readers disagree about its value.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from genjob.jsontypes import Json

_WORDS: Final[dict[str, bool | None]] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT: Final = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MAX_NUMBER_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain scalar that is not text: its value, and exactly what was typed (`1.10`, `~`, ``)."""

    value: int | float | bool | None
    text: str


Raw: TypeAlias = "dict[str, Raw] | list[Raw] | str | Plain"
"""Data as it was written: text as `str`, everything else that is plain as `Plain`."""


def resolve(text: str) -> str | Plain:
    """Return what a plain scalar means: itself when it is text."""
    if text in _WORDS:
        return Plain(_WORDS[text], text)
    number = _number(text)
    return text if number is None else Plain(number, text)


def _number(text: str) -> int | float | None:
    if len(text) > _MAX_NUMBER_LENGTH:
        return None
    if _INTEGER.fullmatch(text):
        return int(text, base=0)
    if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    return None


def value_of(raw: Raw) -> Json:
    """Return the data with each plain scalar as its value."""
    if isinstance(raw, Plain):
        return raw.value
    if isinstance(raw, dict):
        return {key: value_of(value) for key, value in raw.items()}
    if isinstance(raw, list):
        return [value_of(value) for value in raw]
    return raw


def text_of(scalar: str | Plain) -> str:
    """Return a scalar as it was typed."""
    return scalar.text if isinstance(scalar, Plain) else scalar
