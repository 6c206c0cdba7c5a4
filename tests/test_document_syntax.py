"""Text that is not YAML: the parser's complaint in plain words, where a person looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest
import yaml

from genjob.document import Code, Reading, read_document

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic

Parser: TypeAlias = type[yaml.SafeLoader | yaml.CSafeLoader]

PARSERS = pytest.mark.parametrize(
    "parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "pure"]
)

CASES: dict[str, tuple[str, str, str]] = {
    "a tab before a key": (
        "a:\n\tb: 1\n",
        "GJ010 2:1-2 found a tab in the indentation; YAML wants spaces",
        "indent with spaces",
    ),
    "a tab behind spaces": (
        "a:\n  b: 1\n \tc: 2\n",
        "GJ010 3:2-3 found a tab in the indentation; YAML wants spaces",
        "indent with spaces",
    ),
    "a tab behind a dash": (
        "a:\n-\tb: 1\n",
        "GJ010 2:2-3 found a tab in the indentation; YAML wants spaces",
        "indent with spaces",
    ),
    "a value with a colon": (
        "image: a: b\n",
        "GJ001 1:9-10 found a ':' inside a value",
        "put the value in quotes, or indent the line as its neighbours",
    ),
    "a key too far right": (
        "a: 1\n b: 2\n",
        "GJ001 2:3-4 found a ':' inside a value",
        "put the value in quotes, or indent the line as its neighbours",
    ),
    "a key too far left": (
        "a:\n    b: 1\n  côté: 2\n",
        "GJ001 3:3-7 found 'côté', which belongs to no key",
        "indent the line as its neighbours, or put the value in quotes",
    ),
    "text behind a quote": (
        "a: 'x' y\n",
        "GJ001 1:8-9 found 'y', which belongs to no key",
        "indent the line as its neighbours, or put the value in quotes",
    ),
    "a bracket too many": (
        "a: {b: 1}}\n",
        "GJ001 1:10-11 found '}', which belongs to no key",
        "indent the line as its neighbours, or put the value in quotes",
    ),
    "a line without a colon": (
        "a: 1\nfoo\nb: 2\n",
        "GJ001 2:1-4 found a line that is neither 'key: value' nor '- item'",
        "write 'key: value', with a space after the colon",
    ),
    "a colon without a space": (
        "a: 1\nb:2\n",
        "GJ001 2:1-2 found a line that is neither 'key: value' nor '- item'",
        "write 'key: value', with a space after the colon",
    ),
    "an open single quote": (
        "a: 'x\nb: 1\n",
        "GJ001 1:4-6 found a quote that is never closed",
        "close it",
    ),
    "an open double quote": (
        'a: "x\n---\nb: 1"\n',
        "GJ001 1:4-6 found a quote that is never closed",
        "close it",
    ),
    "an open list at the end": (
        "a: [x\n\n",
        "GJ001 1:4-5 found a list without its ',' or ']'",
        "close the list",
    ),
    "an open list before a key": (
        "a: [1, 2\nb: 3\n",
        "GJ001 1:4-5 found a list without its ',' or ']'",
        "close the list",
    ),
    "a list without a comma": (
        "a: ['x' 'y']\n",
        "GJ001 1:9-12 found a list without its ',' or ']'",
        "close the list",
    ),
    "an open mapping": (
        "a: {x: 1\nb: 3\n",
        "GJ001 1:4-5 found a mapping without its ',' or '}'",
        "close the mapping",
    ),
    "a list that ends in a comma": (
        "a: [1,\n",
        "GJ001 1:7-8 found the end of the file; expected a value",
        "put the value in quotes, or close the list or mapping before it",
    ),
    "a bracket alone": (
        "a: ]\n",
        "GJ001 1:4-5 found ']'; expected a value",
        "put the value in quotes, or close the list or mapping before it",
    ),
    "a reserved sign": (
        "a: @every\n",
        "GJ001 1:4-10 found '@', which cannot start a value",
        "put the value in quotes",
    ),
    "a percent sign": (
        "a: %s\n",
        "GJ001 1:4-6 found '%', which cannot start a value",
        "put the value in quotes",
    ),
    "a glob": (
        "args: [*.pt]\n",
        "GJ001 1:9-12 found '*' or '&' at the start of a value, which YAML keeps for itself",
        "put the value in quotes",
    ),
    "a list beside its key": (
        "a: - b\n",
        "GJ001 1:4-5 found a list item where none can be",
        "begin the list on a line of its own",
    ),
    "a key among items": (
        "a:\n  - b\n  c: 1\n",
        "GJ001 3:3-4 found 'c' among the items of a list",
        "begin each with '- '",
    ),
    "text behind the document": (
        "{a: 1}\nb: 2\n",
        "GJ001 2:1-2 found 'b' after the end of the document",
        "keep one document a file",
    ),
    "an escape without digits": (
        'a: "\\xzz"\n',
        "GJ001 1:7-10 found an escape that is not a character",
        "write the character itself",
    ),
}


@PARSERS
@pytest.mark.parametrize("name", CASES)
def test_syntax_error_stands_alone_in_plain_words(name: str, parser: Parser) -> None:
    source, finding, hint = CASES[name]
    reading = read_document(source.encode(), "x.yaml", parser=parser)

    assert [(finding, hint)] == shown(reading)
    assert reading.document is None


def shown(reading: Reading) -> list[tuple[str, str]]:
    return [
        (f"{d.code} {d.location.line}:{columns(d)} {d.message}", d.hint)
        for d in reading.diagnostics
    ]


def columns(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.location.column}-{diagnostic.location.end_column}"


@PARSERS
@pytest.mark.parametrize("escape", [r"\d", r"\ud800", r"\U00110000", r"\UFFFFFFFF"])
def test_escape_that_is_no_character_is_refused_by_each_parser_in_its_words(
    escape: str, parser: Parser
) -> None:
    (diagnostic,) = read_document(f'a: "{escape}"\n'.encode(), "x", parser=parser).diagnostics

    assert diagnostic.code in {Code.SYNTAX_ERROR, Code.UNWRITABLE_CHARACTER}


def test_backslash_of_a_pattern_in_double_quotes_is_explained() -> None:
    reading = read_document(b'args: ["--skip=\\d+"]\n', "x.yaml", parser=yaml.CSafeLoader)
    expected = [
        (
            "GJ001 1:16-20 found a backslash that starts no escape",
            r"write '\\' for a backslash, or use single quotes",
        )
    ]

    assert expected == shown(reading)


def test_syntax_error_replaces_the_findings_before_it_but_not_those_of_the_bytes() -> None:
    reading = read_document(b"a: 1\r\na: 2\r\nb: [\r\n", "x.yaml")
    expected = ["GJ007", "GJ001"]

    assert expected == [d.code for d in reading.diagnostics]


def test_rare_complaint_is_passed_on_in_the_words_of_the_parser() -> None:
    source = b"%YAML 1.1\n%YAML 1.1\n---\na: 1\n"
    reading = read_document(source, "x.yaml", parser=yaml.CSafeLoader)
    expected = [("GJ001 2:1-6 found text that is not YAML: found duplicate %YAML directive", "")]

    assert expected == shown(reading)
