"""Quantities: what Kubernetes takes, their exact values, and how it writes them back."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from genjob.quantity import (
    binary_text,
    canonical_quantity,
    decimal_text,
    meant_quantity,
    parse_quantity,
    read_quantity,
)

if TYPE_CHECKING:
    from genjob.jsontypes import Json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("08", 8),
        ("+1", 1),
        ("-1.5Gi", -3 * 2**29),
        ("1.", 1),
        (".5Ki", 512),
        ("100m", Fraction(1, 10)),
        ("1n", Fraction(1, 10**9)),
        ("1E", 10**18),
        ("1E3", 1000),
        ("1e-4", Fraction(1, 10**4)),
        ("1e+3", 1000),
        ("64Gi", 64 * 2**30),
        ("64G", 64 * 10**9),
        ("2Ei", 2**61),
    ],
)
def test_a_quantity_has_an_exact_value(text: str, value: Fraction) -> None:
    assert value == parse_quantity(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.1n", Fraction(1, 10**9)), ("-1e-99", Fraction(-1, 10**9)), ("1e-999999999", 10**-9)],
)
def test_finer_than_a_billionth_is_rounded_away_from_zero(text: str, value: Fraction) -> None:
    assert Fraction(value).limit_denominator(10**9) == parse_quantity(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "1 ", "64 Gi", "64GB", "64gi", "1K", "1i", "Gi", "1e", "1e1.5", "e3", "--1"),
        *("1_000", "0x10", "٣", "1\n", "four", "1" * 65),
    ],
)
def test_what_the_api_server_refuses_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        parse_quantity(text)


def test_an_exponent_beyond_any_machine_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="quantity '1e999999999' is out of range"):
        parse_quantity("1e999999999")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1024Mi", "1Gi"),
        ("1500Mi", "1500Mi"),
        ("0.5", "500m"),
        ("0.5Gi", "512Mi"),
        ("1000", "1k"),
        ("1000m", "1"),
        ("1500m", "1500m"),
        ("1000Ki", "1000Ki"),
        ("512.0", "512"),
        ("1Ki", "1Ki"),
        ("0.5Ki", "512"),
        ("0Gi", "0"),
        ("1e3", "1e3"),
        ("1000e3", "1e6"),
        ("1e-4", "100e-6"),
        ("1000E", "1e21"),
        ("1.1Ki", "1126400m"),
        ("4096Ei", "4096Ei"),
        ("-2048", "-2048"),
        ("-2048Ki", "-2Mi"),
    ],
)
def test_a_quantity_is_written_back_in_its_canonical_form(text: str, canonical: str) -> None:
    assert canonical == canonical_quantity(text)


@pytest.mark.parametrize(
    ("value", "quantity"),
    [
        ("1Gi", Fraction(2**30)),
        (8, Fraction(8)),
        (0.5, Fraction(1, 2)),
        (1e-05, Fraction(1, 10**5)),
        (True, None),
        (None, None),
        ("", None),
        ([], None),
        ({}, None),
        ("no", None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_a_value_of_a_manifest_is_a_quantity_or_none(
    value: Json, quantity: Fraction | None
) -> None:
    assert quantity == read_quantity(value)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("64GB", "64G"),
        ("64 GiB", "64Gi"),
        ("64gi", "64Gi"),
        ("64gb", "64G"),
        ("8 ", "8"),
        ("four", None),
        ("", None),
        ("GB", None),
    ],
)
def test_a_unit_that_people_write_is_understood(text: str, meant: str | None) -> None:
    assert meant == meant_quantity(text)


def test_a_computed_amount_is_written_in_either_notation() -> None:
    assert "125Gi" == binary_text(125 * 2**30)
    assert "10k" == decimal_text(10_000)
