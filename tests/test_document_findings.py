"""Files that are refused as a whole or in part: the exact finding of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest
import yaml

from genjob.document import MAX_BYTES, Code, Reading, read_document, value_of
from genjob.document.nodes import MAX_FINDINGS

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic

Parser: TypeAlias = type[yaml.SafeLoader | yaml.CSafeLoader]

PARSERS = pytest.mark.parametrize(
    "parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "pure"]
)

CASES: dict[str, tuple[bytes | str, str, str]] = {
    "a file of 1 MiB and a byte": (
        b"#" * (MAX_BYTES + 1),
        "GJ004 1:1-0 found 1048577 bytes; expected at most 1048576 (1 MiB)",
        "keep data in files of its own",
    ),
    "latin-1": (
        b"a: 1\n\xc3\xa9: x\xe9\n",
        "GJ005 2:5-6 found the byte 0xe9, which is not UTF-8",
        "save the file as UTF-8",
    ),
    "latin-1 behind a byte order mark": (
        b"\xef\xbb\xbfa: \xe9\n",
        "GJ005 1:4-5 found the byte 0xe9, which is not UTF-8",
        "save the file as UTF-8",
    ),
    "utf-16": (
        b"\xff\xfea\0:\0",
        "GJ005 1:1-2 found the byte 0xff, which is not UTF-8",
        "save the file as UTF-8",
    ),
    "a control character": (
        "a: x\x07\n",
        "GJ008 1:5-6 found the character U+0007, which YAML files cannot hold",
        "remove it",
    ),
    "a control character of Latin-1": (
        "a: 1\nb: x\x85\n",
        "GJ008 2:5-6 found the character U+0085, which YAML files cannot hold",
        "remove it",
    ),
    "a line separator": (
        "a: x\u2028y: 1\n",
        "GJ008 1:5-6 found the character U+2028, which YAML files cannot hold",
        'remove it, or write it as "\\u2028" in double quotes',
    ),
    "a byte order mark inside": (
        "a: \ufeffx\n",
        "GJ008 1:4-5 found the character U+FEFF, which YAML files cannot hold",
        'remove it, or write it as "\\ufeff" in double quotes',
    ),
    "an unresolved merge": (
        "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n",
        "GJ009 2:1-8 found a Git conflict marker",
        "resolve the merge",
    ),
    "the rest of a merge": (
        "a: 1\n=======\n",
        "GJ009 2:1-8 found a Git conflict marker",
        "resolve the merge",
    ),
    "an empty file": (
        "",
        "GJ011 1:1-0 found nothing in the file; expected a mapping",
        "write 'key: value' lines",
    ),
    "only comments": (
        "# nodes: 4\n\n",
        "GJ011 1:1-0 found nothing in the file; expected a mapping",
        "write 'key: value' lines",
    ),
    "an empty document": (
        "---\n",
        "GJ011 1:1-0 found nothing in the file; expected a mapping",
        "write 'key: value' lines",
    ),
    "two documents": (
        "a: 1\n---\nb: 2\n",
        "GJ012 2:1-4 found a second document in the file",
        "keep one document a file",
    ),
    "a list at the root": (
        "- a: 1\n",
        "GJ013 1:1-2 found a list at the top of the file; expected a mapping",
        "write 'key: value' lines",
    ),
    "text at the root": (
        "name llama\n",
        "GJ013 1:1-11 found text at the top of the file; expected a mapping",
        "write 'key: value' lines",
    ),
    "an alias at the root": (
        "*base\n",
        "GJ013 1:1-6 found an alias at the top of the file; expected a mapping",
        "write 'key: value' lines",
    ),
    "an anchor": (
        "a: &size 64Gi\n",
        "GJ014 1:4-9 found the anchor '&size'; anchors and aliases are not supported",
        "write the value out, or put it in quotes where it is text",
    ),
    "an anchor of a mapping": (
        "a: &x\n  b: 1\n",
        "GJ014 1:4-6 found the anchor '&x'; anchors and aliases are not supported",
        "write the value out, or put it in quotes where it is text",
    ),
    "an alias": (
        "a: *x\n",
        "GJ014 1:4-6 found the alias '*x'; anchors and aliases are not supported",
        "write the value out, or put it in quotes where it is text",
    ),
    "an alias as a key": (
        "*x : 1\n",
        "GJ014 1:1-3 found the alias '*x'; anchors and aliases are not supported",
        "write the value out, or put it in quotes where it is text",
    ),
    "a merge of an alias": (
        "a:\n  <<: *x\n",
        "GJ014 2:7-9 found the alias '*x'; anchors and aliases are not supported",
        "write the value out, or put it in quotes where it is text",
    ),
    "a merge of a mapping": (
        "a:\n  <<: {b: 1}\n",
        "GJ014 2:3-5 found the merge key '<<'; anchors and aliases are not supported",
        "write the keys out",
    ),
    "a tag": (
        "a: !!str 1\n",
        "GJ015 1:4-9 found the tag '!!str'; tags are not supported",
        "remove it; quotes around a value make it text",
    ),
    "a very long tag": (
        f"a: !{'x' * 100} 1\n",
        f"GJ015 1:4-105 found the tag '!{'x' * 59}…'; tags are not supported",
        "remove it; quotes around a value make it text",
    ),
    "a template": (
        "nodes: {{ nodes }}\n",
        "GJ016 1:9-10 found a mapping as a key; expected text",
        "put it in quotes",
    ),
    "a list as a key": (
        "? [a]\n: 1\n",
        "GJ016 1:3-4 found a list as a key; expected text",
        "put it in quotes",
    ),
    "an empty key": (
        "? # nothing\n: 2\n",
        "GJ016 1:1-2 found null as a key; expected text",
        "put it in quotes",
    ),
    "null as a key": (
        "~: 2\n",
        "GJ016 1:1-2 found null as a key; expected text",
        "put it in quotes",
    ),
    "65 levels": (
        f"a: {'[' * 64}{']' * 64}\n",
        "GJ017 1:67-68 found more than 64 levels of nesting",
        "",
    ),
}


@PARSERS
@pytest.mark.parametrize("name", CASES)
def test_file_is_refused_with_one_finding(name: str, parser: Parser) -> None:
    source, finding, hint = CASES[name]
    bytes_ = source if isinstance(source, bytes) else source.encode()
    reading = read_document(bytes_, "x.yaml", parser=parser)

    assert [(finding, hint)] == shown(reading)
    assert reading.document is None


def shown(reading: Reading) -> list[tuple[str, str]]:
    return [
        (f"{d.code} {d.location.line}:{columns(d)} {d.message}", d.hint)
        for d in reading.diagnostics
    ]


def columns(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.location.column}-{diagnostic.location.end_column}"


LF_HINT = "save the file with LF line ends; '*.yaml text eol=lf' in .gitattributes keeps them"


def test_byte_order_mark_line_ends_and_duplicate_keys_are_reported_beside_the_document() -> None:
    source = b"\xef\xbb\xbfa: 1\r\nb: {c: 1, c: 2}\r\na: 3\r\na: 4\r\n"
    reading = read_document(source, "x.yaml")
    twice = "found the key '{}' a second time; the first is on line {}"
    expected = [
        "GJ006 1:1-2 found a byte order mark at the start of the file",
        "GJ007 1:5-6 found a line that ends in CRLF; expected LF",
        f"GJ002 2:11-12 {twice.format('c', 2)}",
        f"GJ002 3:1-2 {twice.format('a', 1)}",
        f"GJ002 4:1-2 {twice.format('a', 1)}",
    ]
    hints = ["save the file as UTF-8 without BOM", LF_HINT, *(["keep one of the two"] * 3)]

    assert list(zip(expected, hints, strict=True)) == shown(reading)
    assert reading.document is not None


def test_first_of_a_duplicate_key_counts_and_lines_lose_their_ends() -> None:
    document = read_document(b"\xef\xbb\xbfb: {c: 1, c: 2}\r\nb: 3\r\n", "x.yaml").document
    lines = ("b: {c: 1, c: 2}", "b: 3", "")

    assert document is not None
    assert value_of(document.data) == {"b": {"c": 1}}
    assert lines == document.lines


def test_old_macintosh_line_ends_are_reported_beside_the_document() -> None:
    reading = read_document(b"a: 1\rb: 2\r", "x.yaml")
    expected = [("GJ007 1:5-6 found a line that ends in CR; expected LF", LF_HINT)]

    assert expected == shown(reading)
    assert reading.document is not None


def test_every_escape_that_cannot_be_written_again_is_reported() -> None:
    source = b'a: "\\x07"\n"\\x7f": "\\uffff"\nb: "\\u2028\\ufeff\\t\\n"\n'
    expected = [
        ("GJ008 1:4-10 found the character U+0007, which YAML files cannot hold", "remove it"),
        ("GJ008 2:1-7 found the character U+007F, which YAML files cannot hold", "remove it"),
        ("GJ008 2:9-17 found the character U+FFFF, which YAML files cannot hold", "remove it"),
    ]

    assert expected == shown(read_document(source, "x.yaml"))


def test_anchors_aliases_and_tags_are_all_reported_once() -> None:
    source = b"a: &x !!map\n  b: 1\nc: [*x, &y\n  !t z]\n<<: [*x]\n"
    expected = [
        "GJ014 1:4-6 found the anchor '&x'; anchors and aliases are not supported",
        "GJ015 1:7-12 found the tag '!!map'; tags are not supported",
        "GJ014 3:5-7 found the alias '*x'; anchors and aliases are not supported",
        "GJ014 3:9-11 found the anchor '&y'; anchors and aliases are not supported",
        "GJ015 3:9-11 found the tag '!t'; tags are not supported",
        "GJ014 5:6-8 found the alias '*x'; anchors and aliases are not supported",
    ]

    assert expected == [finding for finding, _ in shown(read_document(source, "x.yaml"))]


def test_alias_bomb_is_refused_without_expanding_it() -> None:
    layers = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))
    reading = read_document(f"a0: &a0 lol\n{layers}".encode(), "x.yaml")

    assert len(reading.diagnostics) == 1 + 2 * 29  # each anchor, and each alias once a line
    assert {"GJ014"} == {d.code for d in reading.diagnostics}


def test_more_findings_than_a_person_would_read_are_cut() -> None:
    reading = read_document("".join(f"a{i}: *x\n" for i in range(200)).encode(), "x.yaml")

    assert len(reading.diagnostics) == MAX_FINDINGS


@PARSERS
@pytest.mark.parametrize("opening", ["[", "{a: ", "[{a: ", "- ", "? ", "- ? "])
def test_file_of_openings_is_too_deep_and_never_a_crash(opening: str, parser: Parser) -> None:
    source = f"a:\n  {opening * 100_000}".encode()[:MAX_BYTES]
    reading = read_document(source, "x.yaml", parser=parser)
    expected = [("GJ017", "found more than 64 levels of nesting")]

    assert expected == [(d.code, d.message) for d in reading.diagnostics]


def test_sixty_four_levels_are_read() -> None:
    assert read_document(f"a: {'[' * 63}{']' * 63}\n".encode(), "x.yaml").diagnostics == ()


def test_binary_file_is_reported_in_a_few_findings() -> None:
    assert len(read_document(b"\0" * 1000, "x.yaml").diagnostics) == 20


def test_marker_of_a_merge_inside_text_is_text() -> None:
    source = b"note: |\n  <<<<<<< HEAD\n  =======\ntitle: =======x\n"

    assert read_document(source, "x.yaml").diagnostics == ()


def test_start_and_end_of_one_document_may_be_written() -> None:
    assert read_document(b"%YAML 1.2\n---\na: 1\n...\n", "x.yaml").diagnostics == ()


def test_codes_have_names_in_kebab_case() -> None:
    assert Code.NOT_UTF_8.slug == "not-utf-8"
