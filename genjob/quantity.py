"""The text of a Kubernetes quantity (`512Gi`, `100m`, `1e3`) ↔ its exact value.

Values are `Fraction`s: they compare, add and divide without loss, and `==`, `<`, `max` mean what
they say. Kubernetes keeps nothing finer than 1n and rounds up to it; so does `parse_quantity`. It
also cuts a binary amount at 8Ei; `parse_quantity` does not.
Source: https://github.com/kubernetes/apimachinery/blob/v0.31.0/pkg/api/resource/quantity.go
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genjob.jsontypes import Json

DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
"""Suffix → power of ten."""

BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
"""Suffix → power of 1024."""

MAX_LENGTH = 64
MAX_EXPONENT = 63
"""Limits of ours, far above any machine, so that `1e999999999` costs nothing."""

_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))"
    r"(?:(?P<binary>[KMGTPE]i)|(?P<decimal>[numkMGTPE])|[eE](?P<exponent>[+-]?[0-9]+))?"
)
_NANO = Fraction(1, 10**9)
_BINARY_FROM = 1024


@lru_cache(maxsize=4096)  # a rule or two read each amount of each object again
def parse_quantity(text: str) -> Fraction:
    """Return the exact value of a quantity, rounded away from zero to a multiple of 1n.

    Raises:
        ValueError: when it is no quantity by the pattern of the API; the message says so. (The Go
            code takes a unit without a number, such as `Gi`, for 0.)
    """
    match = _match(text)
    number = Fraction(match["number"])
    if match["binary"]:
        return _at_least_nano(number * 1024 ** BINARY[match["binary"]])
    exponent = _exponent(match)
    if exponent > MAX_EXPONENT:
        raise ValueError(f"quantity '{text}' is out of range")
    return _at_least_nano(number * Fraction(10) ** max(exponent, -2 * MAX_LENGTH))


def read_quantity(value: Json) -> Fraction | None:
    """Return the value of a quantity in a manifest (text or a bare number), None if it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return parse_quantity(value if isinstance(value, str) else repr(value))
    except ValueError:
        return None


def meant_quantity(text: str) -> str | None:
    """Return the quantity that a person means by `64GB`, `64 GiB` or `64gi`, None if unclear."""
    compact = "".join(text.split())
    lower_case = (compact.removesuffix("b").upper(), compact[:-1].upper() + "i")
    meanings = (compact, compact.removesuffix("B"), *lower_case)
    return next((meant for meant in meanings if read_quantity(meant) is not None), None)


def canonical_quantity(text: str) -> str:
    """Return the canonical text of Kubernetes: `1024Mi` → `1Gi`, `0.5` → `500m`, `1000` → `1k`.

    Equal values written in the same notation give the same text.

    Raises:
        ValueError: as `parse_quantity`.
    """
    value, match = parse_quantity(text), _match(text)
    if match["binary"]:
        return binary_text(value)
    return decimal_text(value, exponential=match["exponent"] is not None)


def binary_text(value: Fraction | int) -> str:
    """Return a value with the largest of Ki…Ei that keeps it whole.

    Kubernetes writes in decimal what is below 1024 or has a fraction, and so does this.
    """
    if -_BINARY_FROM < value < _BINARY_FROM or value != int(value):
        return decimal_text(value)
    whole, suffix = int(value), ""
    for name in BINARY:
        if whole % 1024:
            break
        whole, suffix = whole // 1024, name
    return f"{whole}{suffix}"


def decimal_text(value: Fraction | int, *, exponential: bool = False) -> str:
    """Return a value with the largest of n…E that keeps it whole (`e3`, `e6`, … if `exponential`).

    Finer than 1n is rounded away from zero.
    """
    units = _away_from_zero(Fraction(value) / _NANO)
    exponent = -9
    while units and units % 1000 == 0:
        units, exponent = units // 1000, exponent + 3
    return f"{units}{_suffix(exponent if units else 0, exponential=exponential)}"


def _suffix(exponent: int, *, exponential: bool) -> str:
    by_exponent = {power: name for name, power in DECIMAL.items()}
    if exponent == 0 or (not exponential and exponent in by_exponent):
        return by_exponent[exponent]
    return f"e{exponent}"


def _match(text: str) -> re.Match[str]:
    match = _QUANTITY.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        raise ValueError(f"'{text[:MAX_LENGTH]}' is not a quantity")
    return match


def _exponent(match: re.Match[str]) -> int:
    if match["exponent"] is not None:
        return int(match["exponent"])
    return DECIMAL[match["decimal"] or ""]


def _at_least_nano(value: Fraction) -> Fraction:
    return _away_from_zero(value / _NANO) * _NANO


def _away_from_zero(value: Fraction) -> int:
    return ceil(value) if value >= 0 else -ceil(-value)
