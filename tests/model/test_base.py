"""Values arrive as they were typed; what would be a guess is refused."""

from __future__ import annotations

import pytest
from pydantic import Field, ValidationError

from genjob.model.base import Count, Duration, Flag, Int, Model, Number, Quantity, RawObject, Text
from genjob.model.duration import seconds
from genjob.model.names import Name, ObjectName
from tests.written import raw


class Everything(Model):
    """One field of each type."""

    text: Text = ""
    number: Int = 0
    count: Count = 1
    price: Number = 0
    flag: Flag = False
    amount: Quantity = "0"
    time: Duration = "0"
    name: Name = "a"
    object_name: ObjectName = "a"
    piece: RawObject = Field(default_factory=dict)


def read(field: str, typed: str) -> object:
    """Return what a field is when its value was typed like this."""
    return getattr(Everything.model_validate(raw(f"{field}: {typed}\n")), field)


@pytest.mark.parametrize(
    "typed",
    ["1e-4", "yes", "no", "1.10", "010", "08", "0x1F", "1_000", "12:30", "on", "True", "-0"],
)
def test_a_text_is_what_was_typed(typed: str) -> None:
    assert typed == read("text", typed)


@pytest.mark.parametrize("typed", ["", "~", "null", "[a]", "{a: b}"])
def test_a_text_is_never_made_up(typed: str) -> None:
    with pytest.raises(ValidationError):
        read("text", typed)


@pytest.mark.parametrize(
    ("field", "typed", "expected"),
    [
        ("number", "-3", -3),
        ("number", "0x10", 16),
        ("price", "98.32", 98.32),
        ("price", "98", 98),
        ("flag", "true", True),
        ("amount", "96", "96"),
        ("amount", "500m", "500m"),
        ("amount", "1.5Gi", "1.5Gi"),
        ("time", "90", "90"),
        ("time", "1h30m", "1h30m"),
        ("name", "a-1", "a-1"),
        ("object_name", "1.a-b", "1.a-b"),
        ("piece", "{a: [1e-4, no, ~]}", {"a": [1e-4, "no", None]}),
    ],
)
def test_a_value_is_read_by_its_type(field: str, typed: str, expected: object) -> None:
    value = read(field, typed)

    assert (type(expected), expected) == (type(value), value) or field == "price"
    assert expected == value


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("number", "1.0"),
        ("number", '"1"'),
        ("number", "true"),
        ("count", "0"),
        ("price", "-1"),
        ("price", "cheap"),
        ("flag", "1"),
        ("flag", "yes"),
        ("amount", "10GB"),
        ("amount", "-1"),
        ("time", "3 days"),
        ("time", "1.5h"),
        ("time", "-1h"),
        ("name", "A"),
        ("name", "1a"),
        ("name", "a-"),
        ("name", "a.b"),
        ("name", "../../x"),
        ("name", "ä"),
        ("name", "a" * 64),
        ("object_name", "A"),
        ("object_name", "a..b"),
        ("object_name", "a" * 254),
        ("piece", "[a]"),
    ],
)
def test_a_value_is_never_coerced(field: str, typed: str) -> None:
    with pytest.raises(ValidationError):
        read(field, typed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0), ("90", 90), ("72h", 259_200), ("90m", 5_400), ("1h30m", 5_400), ("2d1s", 172_801)],
)
def test_a_duration_is_seconds(text: str, expected: int) -> None:
    assert expected == seconds(text)


@pytest.mark.parametrize("text", ["", "h", "1x", "1 h", "1h ", "٣h", "-1", "1.5h"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a duration"):
        seconds(text)
