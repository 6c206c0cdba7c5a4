"""Laws of editing: the data has that one change, the other lines are as they were typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from genjob.document import Document, Plain, Raw, read_document, value_of
from genjob.document.edit import remove, set_value
from tests.handwriting import handwritten
from tests.strategies import kubernetes_scalars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json

Parser: TypeAlias = type[yaml.SafeLoader | yaml.CSafeLoader]

PARSERS = pytest.mark.parametrize(
    "parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "pure"]
)
KEYS = st.sampled_from(("new", "no", "08", "", "# x", "run_policy", "a: b"))
SCALARS = kubernetes_scalars().filter(lambda value: "\r" not in str(value)) | st.sampled_from(
    ("two\nlines", "a, b", "{", "1e-4", "é ")
)
VALUES = SCALARS | st.dictionaries(KEYS, SCALARS, max_size=2) | st.lists(SCALARS, max_size=2)
LINE_ENDS = st.sampled_from(("\n", "\n", "\r\n", "\r"))


def document_of(text: str, parser: Parser = yaml.CSafeLoader) -> Document | None:
    """Return the document of a text; None where it has findings, beside those of its line ends."""
    reading = read_document(text.encode(), "x.yaml", parser=parser)
    codes = {diagnostic.code for diagnostic in reading.diagnostics}
    return None if codes - {"GJ006", "GJ007"} else reading.document


def read(text: str) -> Document:
    document = document_of(text)
    assert document is not None
    return document


def routes(raw: Raw, path: DocPath = ()) -> Iterator[DocPath]:
    """Yield the routes below, the longer ones behind those that they begin with."""
    if isinstance(raw, (dict, list)):
        for key, value in raw.items() if isinstance(raw, dict) else enumerate(raw):
            yield (*path, key)
            yield from routes(value, (*path, key))


def at(raw: Raw, path: DocPath) -> Raw:
    for key in path:
        raw = raw[key]  # type: ignore[index] # routes() made the path from this tree
    return raw


def changed(raw: Raw, path: DocPath, value: Json) -> Json:
    """Return data with another value at a route."""
    if not path:
        return value
    if isinstance(raw, list):
        return [
            changed(each, path[1:], value) if index == path[0] else value_of(each)
            for index, each in enumerate(raw)
        ]
    held = raw if isinstance(raw, dict) else {}
    whole = {key: value_of(below) for key, below in held.items()}
    return {**whole, str(path[0]): changed(held.get(str(path[0]), {}), path[1:], value)}


def without(raw: Raw, path: DocPath) -> Json:
    """Return data without the key at the end of a route."""
    above = at(raw, path[:-1])
    assert isinstance(above, dict)
    rest: Json = {key: value_of(each) for key, each in above.items() if key != path[-1]}
    return changed(raw, path[:-1], rest)


def typed(data: Json) -> str:
    """Return data as a text that tells 1, 1.0 and true apart, whatever the order of its keys."""
    return json.dumps(data, sort_keys=True)


def lines_of(document: Document, path: DocPath) -> tuple[int, int]:
    """Return the first line of a key, and that of the next key or item that is not below it."""
    first = document.locate(path, at_key=True).line - 1
    others = [
        document.locate(route, at_key=True)
        for route in routes(document.data)
        if route[: len(path)] != path
    ]
    later = [place for place in others if place.line - 1 > first]
    if not later:
        return first, len(document.lines)
    place = min(later)
    before = document.lines[place.line - 1][: place.column - 1]
    return first, place.line - 1 + bool(before.strip(" -?"))


def assert_others_are_as_typed(document: Document, text: str, first: int, end: int) -> None:
    """Check that an edit changed none but the lines from `first` to before `end`."""
    old, new = document.lines, text.split("\n")
    tail = old[end:]

    assert list(old[:first]) == new[:first]
    assert list(tail) == new[len(new) - len(tail) :]


@PARSERS
@given(text=handwritten(), data=st.data())
def test_removing_takes_one_key_and_no_line_of_another(
    parser: Parser, text: str, data: st.DataObject
) -> None:
    document = document_of(text, parser)
    assume(document is not None)
    assert document is not None
    keys = [path for path in routes(document.data) if isinstance(path[-1], str)]
    assume(keys)
    path = data.draw(st.sampled_from(keys))
    edited = remove(document, text, path)

    assert typed(without(document.data, path)) == typed(value_of(read(edited).data))
    assert edited == remove(read(edited), edited, path)
    first, end = lines_of(document, path)
    while first and document.lines[first - 1].lstrip().startswith("#"):
        first -= 1
    if path[:-1] and read(edited).data and not at(read(edited).data, path[:-1]):
        first = min(first, document.locate(path[:-1], at_key=True).line - 1)
    assert_others_are_as_typed(document, edited, first, end)


@PARSERS
@given(text=handwritten(), data=st.data(), value=VALUES)
def test_replacing_changes_one_value_and_no_line_of_another(
    parser: Parser, text: str, data: st.DataObject, value: Json
) -> None:
    document = document_of(text, parser)
    assume(document is not None and document.data)
    assert document is not None
    path = data.draw(st.sampled_from([*routes(document.data)]))
    edited = set_value(document, text, path, value)

    assert typed(changed(document.data, path, value)) == typed(value_of(read(edited).data))
    assert edited == set_value(read(edited), edited, path, value)
    if isinstance(path[-1], str):  # no place tells the line of an item's dash
        assert_others_are_as_typed(document, edited, *lines_of(document, path))


@PARSERS
@given(
    text=handwritten(),
    data=st.data(),
    value=VALUES,
    keys=st.lists(KEYS, min_size=1, max_size=3).map(tuple),
)
def test_adding_changes_one_line_at_most(
    parser: Parser, text: str, data: st.DataObject, value: Json, keys: tuple[str, ...]
) -> None:
    document = document_of(text, parser)
    assume(document is not None)
    assert document is not None
    open_to_keys = [path for path in ((), *routes(document.data)) if is_open(document, path)]
    above = data.draw(st.sampled_from(open_to_keys))
    path = (*above, *keys)
    assume(not document.has((*above, keys[0])))
    edited = set_value(document, text, path, value)

    assert typed(changed(document.data, path, value)) == typed(value_of(read(edited).data))
    assert edited == set_value(read(edited), edited, path, value)
    assert len(lost_lines(list(document.lines), edited.split("\n"))) <= 1


def is_open(document: Document, path: DocPath) -> bool:
    raw = at(document.data, path)
    return isinstance(raw, dict) or (isinstance(raw, Plain) and raw.value is None)


def lost_lines(old: list[str], new: list[str]) -> list[str]:
    """Return the lines between the beginning and the end that two texts share."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old


@given(text=handwritten(), value=VALUES)
def test_what_was_added_can_be_removed_again(text: str, value: Json) -> None:
    document = document_of(text)
    assume(document is not None)
    assert document is not None
    added = set_value(document, text, ("added",), value)
    back = remove(read(added), added, ("added",))

    assert typed(value_of(document.data)) == typed(value_of(read(back).data))


@given(text=handwritten(), value=VALUES, line_end=LINE_ENDS, mark=st.sampled_from(("", "\ufeff")))
def test_line_ends_and_a_byte_order_mark_stay(
    text: str, value: Json, line_end: str, mark: str
) -> None:
    document = document_of(text)
    assume(document is not None)
    assert document is not None
    typed_text = mark + text.replace("\n", line_end)
    edited = set_value(document, text, ("added",), value)

    assert mark + edited.replace("\n", line_end if "\n" in text else "\n") == set_value(
        read(typed_text), typed_text, ("added",), value
    )
