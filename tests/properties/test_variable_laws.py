"""Laws of environment variables: checks never fail, and what passes as a field passes as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from genjob.catalog.variables import FIELDS, REGISTRY
from genjob.variables import check_field, check_text, render_field
from genjob.variables.names import edits, is_slip_of
from genjob.variables.schema import json_schema

if TYPE_CHECKING:
    from genjob.jsontypes import Json

VALIDATOR = jsonschema.Draft202012Validator(json_schema())

names = st.sampled_from(sorted(REGISTRY))
fields = st.sampled_from(sorted(FIELDS))
words = st.sampled_from(
    sorted({word for row in REGISTRY.values() for word in (*row.choices, *row.newer_choices)})
)
signed = st.text(st.sampled_from("^=,;:[]0123456789aeM .-~$"), max_size=12)
texts = words | signed | st.text(max_size=20) | st.integers().map(str)
scalars: st.SearchStrategy[Json] = st.one_of(
    *(st.none(), st.booleans(), st.integers(-3, 70), st.integers(), st.floats(), texts),
    st.sampled_from(["8Mi", "4Ki", "1Gi", "8M", "mlx5_0", "eth0", "/etc/topo.xml"]),
)
values: st.SearchStrategy[Json] = scalars | st.lists(scalars, max_size=3) | st.just({"a": 1})


@given(names | st.text(max_size=30), texts)
def test_no_text_breaks_a_check(name: str, text: str) -> None:
    check_text(name, text)


@given(fields | st.text(max_size=20), values)
def test_no_value_breaks_a_check(field: str, value: Json) -> None:
    check_field(field, value)


@given(fields, values)
def test_what_passes_as_a_field_passes_as_the_text_that_it_is_rendered_to(
    field: str, value: Json
) -> None:
    if check_field(field, value) is None:
        assert check_text(FIELDS[field].name, render_field(field, value)) is None


@given(fields, values)
def test_what_passes_as_a_field_is_valid_in_the_schema(field: str, value: Json) -> None:
    if check_field(field, value) is None:
        assert [] == [error.message for error in VALIDATOR.iter_errors({field: value})]


@given(names, texts)
def test_a_problem_says_what_is_wrong_on_one_line(name: str, text: str) -> None:
    problem = check_text(name, text)
    if problem is not None:
        assert problem.message.isprintable()
        assert problem.hint.isprintable()
        assert not problem.message.endswith(".")


@given(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_edits_are_a_distance(one: str, other: str, third: str) -> None:
    assert (edits(one, other) == 0) == (one == other)
    assert edits(one, other) == edits(other, one)
    assert edits(one, other) <= max(len(one), len(other))
    assert edits(one, third) <= 2 * (edits(one, other) + edits(other, third))


@given(names)
def test_a_known_name_is_a_slip_of_itself_in_any_case(name: str) -> None:
    assert is_slip_of(name.lower(), name)
