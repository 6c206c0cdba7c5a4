"""The mark stands below the columns, whatever the line is made of."""

from __future__ import annotations

import pytest

from genjob.report.snippet import WIDEST, snippet


@pytest.mark.parametrize(
    ("line", "columns", "shown", "mark"),
    [
        ("nodes: four", (8, 12), "nodes: four", "       ^~~~"),
        ("nodes: four", (8, 0), "nodes: four", "       ^"),
        ("nodes: four", (8, 8), "nodes: four", "       ^"),
        ("nodes: four", (8, 99), "nodes: four", "       ^~~~"),
        ("nodes:", (7, 7), "nodes:", "      ^"),
        ("nodes:", (99, 0), "nodes:", "      ^"),
        ("\tnodes: four", (9, 13), "    nodes: four", "           ^~~~"),
        ("a:\tb", (4, 5), "a:    b", "      ^"),
        ("a: \t", (4, 5), "a:", "   ^~~~"),
        ("日本: x", (5, 6), "日本: x", "      ^"),
        ("日本: x", (1, 3), "日本: x", "^~~~"),
        ("e\u0301te: x", (7, 8), "e\u0301te: x", "     ^"),
        ("a\x1b[2J: x", (8, 9), "a·[2J: x", "       ^"),
        ("\u202ea: x", (5, 6), "·a: x", "    ^"),
        ("😀: x", (4, 5), "😀: x", "    ^"),
    ],
)
def test_the_mark_stands_below_the_columns(
    line: str, columns: tuple[int, int], shown: str, mark: str
) -> None:
    assert (shown, mark) == snippet(line, *columns)


@pytest.mark.parametrize("before", [0, 39, 40, 41, 60, 101, 5_000, 1_000_000])
@pytest.mark.parametrize("after", [0, 59, 60, 200, 1_000_000])
def test_a_long_line_is_cut_around_its_mark(before: int, after: int) -> None:
    shown, mark = snippet("a" * before + "NODES" + "b" * after, before + 1, before + 6)

    start = mark.index("^")
    assert shown[start : start + 5] == "NODES"
    assert len("^~~~~") == len(mark.strip())
    assert len(shown) <= WIDEST + 2
    assert (before + 5 + after > WIDEST) == ("…" in shown)


def test_a_mark_longer_than_the_window_ends_with_it() -> None:
    shown, mark = snippet("args: " + "x" * 500, 7, 507)

    assert f"args: {'x' * (WIDEST - 6)}…" == shown
    assert mark == " " * 6 + "^" + "~" * (WIDEST - 7)
