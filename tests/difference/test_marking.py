"""Markdown shows any text as it is: a parser of GitHub's dialect reads back what was written."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from genjob.difference.marking import (
    LONGEST_CODE,
    code,
    code_cell,
    escaped,
    fenced,
    folded,
    prose,
    size,
    table,
)
from genjob.difference.mermaid import text as label
from genjob.difference.tables import Table
from genjob.wording import printable

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = st.text(alphabet=st.sampled_from("`*_[]()<>|~&$#@!\\-+ab1:;\n\t\"'{}"), max_size=30)
TEXTS = HOSTILE | st.text(max_size=30)


def read(markup: str) -> str:
    """Return the text of one line of Markdown, without comments of HTML."""
    (inline,) = PARSER.parseInline(markup)
    parts = []
    for token in inline.children or []:
        assert token.type in {"text", "text_special", "html_inline", "code_inline"}, token
        assert token.type != "html_inline" or token.content == "<!-- -->"
        parts.append("" if token.type == "html_inline" else token.content)
    return "".join(parts)


@given(TEXTS)
def test_escaped_text_is_no_markup(text: str) -> None:
    assert printable(text).strip() == read(escaped(text)).strip()


@given(TEXTS)
def test_escaped_text_mentions_nobody(text: str) -> None:
    assert re.search(r"[@#](?!<!-- -->)", escaped(text)) is None


@given(TEXTS)
@example("\x80" * 40)  # 160 characters when they are escaped, so it is cut
def test_a_code_span_is_one_and_holds_the_text(text: str) -> None:
    shown = printable(text, LONGEST_CODE)
    (inline,) = PARSER.parseInline(f"x{code(text)}")
    spans = [token.content for token in inline.children or [] if token.type == "code_inline"]

    assert ([shown.strip(" ")] if shown.strip() else []) == [span.strip(" ") for span in spans]


@given(TEXTS)
def test_a_sentence_loses_nothing_but_its_backticks(text: str) -> None:
    plain = printable(text).replace("`", "").replace(" ", "")

    assert plain == read(prose(text)).replace("`", "").replace(" ", "")


@given(st.lists(TEXTS, max_size=5))
def test_a_code_block_ends_where_it_should(lines: list[str]) -> None:
    tokens = PARSER.parse(fenced("diff", lines) + "\n\nbehind")

    assert ["fence", "paragraph_open", "inline", "paragraph_close"] == [t.type for t in tokens]
    assert [printable(line) for line in lines] == tokens[0].content.split("\n")[: len(lines)]


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_a_table_has_the_cells_that_it_was_given(rows: list[tuple[str, str]]) -> None:
    content = Table(("a", "b"), [(escaped(one), code_cell(other)) for one, other in rows])
    tokens = PARSER.parse(table(content, 10_000))
    cells = [tokens[at + 1] for at, token in enumerate(tokens) if token.type == "td_open"]

    assert 2 * len(rows) == len(cells)


@given(st.integers(min_value=60, max_value=2000), st.integers(min_value=0, max_value=50))
def test_a_table_keeps_to_its_limit_and_counts_the_rest(most: int, count: int) -> None:
    shown = table(Table(("name",), [(f"row {n}",) for n in range(count)]), most)
    missing = re.search(r"… and (\d+) more", shown)

    assert most + size("\n\n… and 50 more") >= size(shown)
    assert count == shown.count("| row ") + (int(missing[1]) if missing else 0)


def test_a_title_of_what_is_folded_is_no_html() -> None:
    assert "<summary>a &lt;b&gt; &amp; c</summary>" in folded("a <b> & c", "x")


@given(TEXTS)
def test_a_label_of_mermaid_has_plain_characters_alone(text: str) -> None:
    plain = re.sub(r"#\d+;", lambda found: chr(int(found[0][1:-1])), label(text))

    assert re.fullmatch(r"[A-Za-z0-9 .,:/_;#-]*", label(text))
    assert text == plain


@pytest.mark.parametrize("text", ["`", "``", " ` ", "a`", "a|b", "|"])
def test_a_cell_of_code_may_hold_backticks_and_bars(text: str) -> None:
    tokens = PARSER.parse(table(Table(("a",), [(code_cell(text),)]), 1000))
    (cell,) = [tokens[at + 1] for at, token in enumerate(tokens) if token.type == "td_open"]

    assert [text.strip()] == [c.content.strip() for c in cell.children or []]
