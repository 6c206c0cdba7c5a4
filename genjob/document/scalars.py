"""Plain YAML scalars → values by the core schema of YAML 1.2, beside the text that was typed.

So `no`, `012`, `12:30` and `1_000` are text, and `1e-4` is a number that still knows its spelling.
Source: https://yaml.org/spec/1.2.2/#1032-tag-resolution. Narrower on purpose: a number with leading
zeros, infinite or longer than 64 characters is text, because readers disagree about its value.

A manifest is read by kubectl, which keeps to YAML 1.1: there `no` is false and `0755` is 493.
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
_STARTS: Final = "+-.0123456789"
"""How a number begins."""

_KUBECTL_WORDS: Final[dict[str, bool | None]] = {
    **_WORDS,
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_GO_INTEGER: Final = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)"
)
_GO_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BITS: Final = range(-(2**63), 2**64)
"""Whole numbers that Go holds as such; a larger one becomes a float."""


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
    number = _number(text) if text[0] in _STARTS else None
    return text if number is None else Plain(number, text)


def resolve_as_kubectl(text: str) -> str | Plain:
    """Return what a plain scalar means to kubectl: itself when it is text.

    Infinities and NaN, which no JSON can hold, are text here.
    Source: https://github.com/kubernetes-sigs/yaml/blob/v1.4.0/goyaml.v2/resolve.go
    """
    if text in _KUBECTL_WORDS:
        return Plain(_KUBECTL_WORDS[text], text)
    number = _go_number(text) if text[0] in _STARTS else None
    return text if number is None else Plain(number, text)


def _go_number(text: str) -> int | float | None:
    plain = text if text.startswith(".") else text.replace("_", "")
    if _GO_INTEGER.fullmatch(plain):
        is_octal = plain.lstrip("+-").isdigit() and plain.lstrip("+-").startswith("0")
        whole = int(plain, base=8 if is_octal else 0)
        if whole in _BITS:
            return whole
    if _GO_FLOAT.fullmatch(plain) and math.isfinite(number := float(plain)):
        return number
    return None


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
