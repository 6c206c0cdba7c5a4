"""Numbers and pairs of values are short, and show where they differ."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genjob.difference.figures import LONGEST, change, figure, shortened_pair


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "?"),
        (0, "0"),
        (Fraction(9216), "9216"),
        (Fraction(1, 3), "0.33"),
        (Fraction(5, 2), "2.5"),
        (Fraction(1, 1000), "0"),
    ],
)
def test_a_number_is_exact_where_that_is_short(value: Fraction | int | None, text: str) -> None:
    assert text == figure(value)


def test_what_stays_is_said_once() -> None:
    assert ["16 → 32", "16"] == [change("16", "32"), change("16", "16")]


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_two_values_that_differ_are_shown_to_differ(head: str, one: str, other: str) -> None:
    before, after = shortened_pair(head + one, head + other)

    assert max(len(before), len(after)) <= LONGEST
    assert (head + one == head + other) == (before == after)
