"""The words of messages: nearest names, quoted values, choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.wording import did_you_mean, found, nearest, one_of, printable, quoted, shortened

if TYPE_CHECKING:
    from genjob.jsontypes import Json

ROLES = ("Master", "Worker")


@pytest.mark.parametrize(
    ("word", "name"),
    [("Wroker", "Worker"), ("MASTER", "Master"), ("Launcher", None), ("", None), ("x", None)],
)
def test_the_nearest_known_name_is_found_whatever_its_case(word: str, name: str | None) -> None:
    assert name == nearest(word, ROLES)


def test_of_many_words_the_first_are_shown_and_the_rest_is_counted() -> None:
    words = ["llama", "bert", "vit"]

    assert ["llama, bert, and 1 more", "llama, bert, vit", ""] == [
        shortened(words, 2),
        shortened(words, 3),
        shortened([], 3),
    ]


def test_a_hint_names_the_nearest_word_or_says_nothing() -> None:
    assert "did you mean 'Worker'?" == did_you_mean("Wroker", ROLES)
    assert "" == did_you_mean("Launcher", ROLES)


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("a\tb\n", 0, r"a\tb\n"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("ab\x80", 6, r"ab\x80"),
        ("ab\x80c", 6, "ab…"),
        ("a\x80c", 6, r"a\x80c"),
        ("\U000e0001", 6, "…"),
    ],
)
def test_what_nobody_can_see_is_escaped_and_never_cut_in_two(
    text: str, most: int, shown: str
) -> None:
    assert shown == printable(text, most)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("four", "'four' (string)"),
        ("$NUM_NODES", "'$NUM_NODES' (string)"),
        ("", "an empty string"),
        (None, "null"),
        (True, "true (boolean)"),
        (4, "4 (integer)"),
        (1e-4, "0.0001 (number)"),
        ([], "an empty list"),
        ([1, 2], "a list of 2"),
        ({}, "an empty mapping"),
        ({"a": 1}, "a mapping"),
    ],
)
def test_a_value_is_named_with_its_type(value: Json, words: str) -> None:
    assert words == found(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\nb\t", r"'a\nb\t'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("naïve 日本", "'naïve 日本'"),
        ("a" * 80, f"'{'a' * 80}'"),
        ("a" * 81, f"'{'a' * 79}…'"),
    ],
)
def test_a_quoted_text_stays_on_one_short_line(text: str, words: str) -> None:
    assert words == quoted(text)


def test_a_choice_lists_its_words_in_their_order() -> None:
    assert "'b', 'a' or 'c'" == one_of(["b", "a", "c"])
    assert "'a'" == one_of(["a"])
