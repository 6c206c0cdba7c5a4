"""Laws of reading: what was written comes back, every place is right, and no bytes break it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from genjob.document import Document, Plain, Raw, Reading, read_document, resolve, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.diagnostics import Location
    from genjob.jsontypes import DocPath, Json

Parser: TypeAlias = type[yaml.SafeLoader | yaml.CSafeLoader]

PARSERS = pytest.mark.parametrize(
    "parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "pure"]
)
# Every character that a YAML file can hold, as it is or as an escape.
WRITABLE = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | (
    st.sampled_from("\n\t")
)
TEXT = st.text(WRITABLE, max_size=20)
NUMBERS = st.integers(-(10**60), 10**60) | st.floats(allow_nan=False, allow_infinity=False)


def mappings(leaves: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    values = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4)
    )
    return st.dictionaries(TEXT, values, min_size=1, max_size=4)


def read(text: str, parser: Parser) -> Document:
    reading = read_document(text.encode(), "x.yaml", parser=parser)
    assert reading.diagnostics == ()
    assert reading.document is not None
    return reading.document


def routes(raw: Raw, path: DocPath = ()) -> Iterator[tuple[DocPath, Raw]]:
    yield path, raw
    if isinstance(raw, (dict, list)):
        for key, value in raw.items() if isinstance(raw, dict) else enumerate(raw):
            yield from routes(value, (*path, key))


def span(document: Document, location: Location) -> str:
    return document.lines[location.line - 1][location.column - 1 : location.end_column - 1]


@PARSERS
@given(data=mappings(TEXT))
def test_text_in_quotes_comes_back(parser: Parser, data: dict[str, Json]) -> None:
    written = yaml.safe_dump(data, default_style='"', width=10**6, allow_unicode=False)

    assert data == value_of(read(written, parser).data)


@given(data=mappings(TEXT | NUMBERS | st.booleans() | st.none()), indent=st.sampled_from([None, 2]))
def test_json_is_read_as_itself(data: dict[str, Json], indent: int | None) -> None:
    written = quoted(data, indent)

    assert json.dumps(data) == json.dumps(value_of(read(written, yaml.CSafeLoader).data))


@PARSERS
@given(data=mappings(TEXT | st.booleans()), block=st.booleans())
def test_every_route_is_located_at_its_key_and_its_value(
    *, parser: Parser, data: dict[str, Json], block: bool
) -> None:
    document = read(in_one_line_each(data) if block else quoted(data), parser)

    for path, raw in routes(document.data):
        assert document.has(path)
        if path and isinstance(path[-1], str):
            assert path[-1] == json.loads(span(document, document.locate(path, at_key=True)))
        if isinstance(raw, (str, Plain)):
            assert value_of(raw) == json.loads(span(document, document.locate(path)))


def quoted(data: Json, indent: int | None = None) -> str:
    """Return JSON as YAML can hold it: without surrogates, and with what is invisible escaped."""
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    for character in "\u2028\u2029\ufeff":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def in_one_line_each(data: dict[str, Json]) -> str:
    return "".join(f"{quoted(key)}:\n  - {quoted(value)}\n" for key, value in data.items())


@PARSERS
@given(source=st.binary(max_size=200))
def test_any_bytes_are_a_document_or_findings(parser: Parser, source: bytes) -> None:
    reading = read_document(source, "x.yaml", parser=parser)

    assert reading.document is not None or reading.diagnostics


SNIPPETS = st.sampled_from(
    (
        *(
            "a",
            "b: ",
            "- ",
            "? ",
            ": ",
            "\n",
            "  ",
            "\t",
            "[",
            "]",
            "{",
            "}",
            ",",
            "&x ",
            "*x",
            "!t ",
        ),
        *(
            '"',
            "'",
            "\\",
            "|",
            ">",
            "#",
            "%YAML 1.1",
            "---",
            "...",
            "<<",
            "~",
            "1",
            "\r\n",
            "é",
            "😀",
        ),
        *("\ufeff", "\u2028", "\x85", "\x07", r'"\ud800"', "<<<<<<< ", "@"),
    )
)


@PARSERS
@given(source=st.lists(SNIPPETS, max_size=40).map("".join) | st.text(max_size=100))
@example(source="a: [")
@example(source='a: "\\UFFFFFFFF"')
def test_findings_of_any_text_are_inside_of_it(parser: Parser, source: str) -> None:
    encoded = source.encode(errors="surrogatepass")
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    reading = read_document(encoded, "x.yaml", parser=parser)

    for diagnostic in reading.diagnostics:
        assert 1 <= diagnostic.location.line <= len(lines)
        assert 1 <= diagnostic.location.column <= len(lines[diagnostic.location.line - 1]) + 1
        assert diagnostic.location.end_column <= len(lines[diagnostic.location.line - 1]) + 2


@given(source=st.lists(SNIPPETS, max_size=40).map("".join))
def test_both_parsers_read_the_same_where_both_find_nothing_wrong(source: str) -> None:
    fast = clean(read_document(source.encode(), "x.yaml", parser=yaml.CSafeLoader))
    pure = clean(read_document(source.encode(), "x.yaml", parser=yaml.SafeLoader))

    if fast is not None and pure is not None:
        assert fast.data == pure.data
        assert [fast.locate(path) for path, _ in routes(fast.data)] == [
            pure.locate(path) for path, _ in routes(pure.data)
        ]


def clean(reading: Reading) -> Document | None:
    return None if reading.diagnostics else reading.document


@given(text=st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=12))
def test_plain_scalar_is_itself_or_keeps_itself(text: str) -> None:
    raw = resolve(text)

    assert text == (raw.text if isinstance(raw, Plain) else raw)


@given(number=NUMBERS)
def test_number_as_json_writes_it_is_that_number(number: float) -> None:
    text = json.dumps(number)

    assert repr(Plain(number, text)) == repr(resolve(text))
