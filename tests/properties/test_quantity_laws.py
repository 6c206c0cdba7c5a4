"""Laws of quantities: the text and the value say the same, in every notation."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from genjob.quantity import (
    BINARY,
    DECIMAL,
    binary_text,
    canonical_quantity,
    decimal_text,
    parse_quantity,
)

NUMBERS = st.from_regex(r"[+-]?([0-9]{1,12}(\.[0-9]{0,12})?|\.[0-9]{1,12})", fullmatch=True)
EXPONENTS = st.integers(-12, 18).map("e{}".format)
TEXTS = st.builds("{}{}".format, NUMBERS, st.sampled_from([*DECIMAL, *BINARY]) | EXPONENTS)
BILLIONTHS = st.integers(-(10**30), 10**30).map(lambda count: Fraction(count, 10**9))


@given(TEXTS)
def test_canonical_text_has_the_same_value(text: str) -> None:
    assert parse_quantity(text) == parse_quantity(canonical_quantity(text))


@given(TEXTS)
def test_canonical_text_is_its_own_canonical_text(text: str) -> None:
    canonical = canonical_quantity(text)

    assert canonical == canonical_quantity(canonical)


@given(BILLIONTHS)
def test_decimal_text_is_read_back_as_the_same_value(value: Fraction) -> None:
    assert value == parse_quantity(decimal_text(value))
    assert value == parse_quantity(decimal_text(value, exponential=True))


@given(st.integers(-(10**24), 10**24))
def test_binary_text_of_whole_units_is_read_back_as_the_same_value(value: int) -> None:
    assert value == parse_quantity(binary_text(value))


@given(NUMBERS, st.sampled_from(list(BINARY)), st.sampled_from(list(BINARY)))
def test_a_larger_unit_is_more(number: str, left: str, right: str) -> None:
    smaller, larger = sorted((left, right), key=BINARY.__getitem__)

    assert abs(parse_quantity(number + smaller)) <= abs(parse_quantity(number + larger))


@given(NUMBERS, st.integers(-9, 18))
def test_a_value_is_the_number_times_a_power_of_ten_rounded_up_to_billionths(
    number: str, power: int
) -> None:
    exact = Fraction(Decimal(number).scaleb(power))

    assert 0 <= abs(parse_quantity(f"{number}e{power}")) - abs(exact) < Fraction(1, 10**9)
