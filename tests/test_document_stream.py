"""Manifests as people have them: what is read is what kubectl reads, each value at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from genjob.document import MANIFESTS, Plain, Stream, read_documents, resolve_as_kubectl, value_of
from genjob.document.aliases import MAX_EXPANDED
from tests.kubectl_reading import read_by_kubectl
from tests.strategies import AWKWARD_WORDS

if TYPE_CHECKING:
    from typing import TypeAlias

    from genjob.jsontypes import DocPath, Json

    Parser: TypeAlias = type[yaml.SafeLoader | yaml.CSafeLoader]

PARSERS = pytest.mark.parametrize(
    "parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "pure"]
)
HEAD = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\n"

WORDS = (
    *("y", "Y", "n", "N", "yes", "No", "on", "OFF", "true", "False", "~", "null", "NULL", "yES"),
    *("0755", "-010", "08", "0o17", "0O7", "0b11", "-0b1", "0x1F", "0XfF", "00", "0", "-0", "+12"),
    *("1_000", "_1", "1__0", "1_", "1e3", "1E-4", "1e-4", ".5", "-.5", "+.5e1", "1.", "1.e2", "."),
    *("9223372036854775807", "-9223372036854775808", "1:30", "12:30:00"),
    *("2024-01-01", "2024-1-1", "2024-01-01T10:00:00Z", "1.2.3", "512Gi", "1e999", "nan", "inf"),
    *("0x", "0o8", "0b2", "+", "-1_0.5_0", "0_7", "1,000", "=", "---a", "0x_1", "+0x1", "-0o7"),
)


def read(text: str, parser: Parser = yaml.CSafeLoader) -> Stream:
    return read_documents(text.encode(), "job.yaml", parser=parser)


def data(text: str, parser: Parser = yaml.CSafeLoader) -> list[Json]:
    stream = read(text, parser)
    assert stream.diagnostics == ()
    return [value_of(document.raw) for document in stream.documents]


def findings(text: str | bytes) -> list[str]:
    stream = read_documents(text if isinstance(text, bytes) else text.encode(), "job.yaml")
    return [
        f"{d.code} {d.location.line}:{d.location.column} {d.message}" for d in stream.diagnostics
    ]


def place(stream: Stream, path: DocPath, *, at_key: bool = False) -> str:
    (document,) = stream.documents
    found = document.locate(path, at_key=at_key)
    return stream.lines[found.line - 1][found.column - 1 : found.end_column - 1]


def test_plain_words_are_what_kubectl_makes_of_them() -> None:
    words = [word for word in (*WORDS, *AWKWARD_WORDS) if _is_plain(word)]
    text = f"{HEAD}spec:\n  words:\n" + "".join(f"  - {word}\n" for word in words)
    ((by_kubectl,), (ours,)) = read_by_kubectl(text), data(text)

    for word, theirs, own in zip(words, _words(by_kubectl), _words(ours), strict=True):
        assert (word, type(theirs), theirs) == (word, type(_as_json(own)), own)
    assert len(words) > 100


def _is_plain(word: str) -> bool:
    """Tell whether a word can stand plain; infinities are what kubectl itself fails on."""
    try:
        (event,) = [e for e in yaml.parse(f"- {word}\n") if isinstance(e, yaml.ScalarEvent)]
    except (yaml.YAMLError, ValueError):
        return False
    is_number = word.lower().lstrip("+-") not in {".inf", ".nan"}
    is_text = word.isascii() and word not in {"", "<<"}
    return event.value == word and not event.style and is_number and is_text


def _words(body: Json) -> list[Json]:
    assert isinstance(body, dict)
    assert isinstance(body["spec"], dict)
    assert isinstance(body["spec"]["words"], list)
    return body["spec"]["words"]


def _as_json(value: Json) -> Json:
    """Return a number as Go writes it: a whole one without its point."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e21
    return int(value) if is_whole and isinstance(value, float) else value


STREAMS = {
    "documents": f"# a\n---\n{HEAD}---\n\n---\n{HEAD}spec: {{a: b}}\n...\n",
    "anchors": f"{HEAD}spec:\n  a: &a {{b: [1, &n x]}}\n  c: *a\n  d: *n\n  e: [*n, *a]\n",
    "an anchor that is null": f"{HEAD}spec:\n  a: &a\n  b: [*a]\n",
    "an anchor twice": f"{HEAD}spec: {{a: &a 1, b: *a, c: &a 2, d: *a}}\n",
    "a merge key": f"{HEAD}spec:\n  a: &a {{b: 1, c: 2}}\n  d:\n    <<: *a\n    c: 3\n",
    "merges": f"{HEAD}spec:\n  a: [&a {{b: 1}}, &c {{b: 2, d: 2}}]\n  e: {{<<: [*a, *c]}}\n",
    "text by a tag": f"{HEAD}spec: {{a: !!str 1, b: !!str yes, c: ! 1}}\n",
    "JSON": '{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "a"},\n'
    '  "spec": {"a": [1, true, null, "é\\u00e9\\n"]}}',
    "a key twice": f"{HEAD}spec: {{a: 1, a: 2}}\n",
    "keys that are no text": f"{HEAD}spec: {{a: {{1: b, 0x10: c, yes: d, no one: e}}}}\n",
}


@PARSERS
@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_what_kubectl_reads(name: str, parser: Parser) -> None:
    stream = read(STREAMS[name], parser)
    ours = [value_of(document.raw) for document in stream.documents]

    assert [_spec(body) for body in read_by_kubectl(STREAMS[name])] == [_spec(b) for b in ours]
    assert ("twice" in name and "key" in name) == bool(stream.diagnostics)


def _spec(body: Json) -> Json:
    assert isinstance(body, dict)
    return body.get("spec")


def test_line_ends_and_a_byte_order_mark_are_no_findings() -> None:
    text = b"\xef\xbb\xbfa: 1\r\nb: [2]\r\n"
    stream = read_documents(text, "job.yaml")

    assert ((), {"a": 1, "b": [2]}) == (stream.diagnostics, value_of(stream.documents[0].raw))


def test_a_value_behind_an_alias_is_where_the_anchor_is_and_the_alias_is_itself() -> None:
    stream = read("a: &a {b: [c]}\nd: *a\ne: {<<: *a, f: g}\n")

    assert "*a" == place(stream, ("d",))
    assert "c" == place(stream, ("d", "b", 0))
    assert "b" == place(stream, ("e", "b"), at_key=True)
    assert "d" == place(stream, ("d",), at_key=True)


def test_the_same_document_twice_is_two_with_places_of_their_own() -> None:
    stream = read("a: 1\n---\na: 2\n")

    assert [1, 3] == [document.locate(("a",)).line for document in stream.documents]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: *b\n", ["GJ014 1:4 found the alias '*b', whose anchor does not end before it"]),
        ("a: &a [*a]\n", ["GJ014 1:8 found the alias '*a', whose anchor does not end before it"]),
        ("a: {<<: 1}\n", ["GJ014 1:5 found a merge key '<<' whose value is no mapping"]),
        ("a: {<<: [{b: 1}, 2]}\n", ["GJ014 1:5 found a merge key '<<' whose value is no mapping"]),
        ("? [a]\n: 1\n", ["GJ016 1:3 found a list as a key; expected text"]),
        ("a: [1\n", ["GJ001 1:7 found 'the end of the file'; expected a value"]),
        ("a: 1, a: 2\n", ["GJ001 1:8 found a ':' inside a value"]),
    ],
)
def test_what_kubectl_could_not_read_is_refused(text: str, expected: list[str]) -> None:
    assert [each.split(" ")[0] for each in expected] == [f.split(" ")[0] for f in findings(text)]
    assert expected[0].startswith("GJ001") or expected == findings(text)


def test_a_bomb_of_aliases_is_refused_before_it_grows() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    message = f"found aliases that stand for more than {MAX_EXPANDED} values"

    assert [f"GJ014 5:45 {message}"] == findings("\n".join(lines))


def test_aliases_do_not_nest_deeper_than_values_may() -> None:
    lines = [f"a0: &a0 {'[' * 40}{']' * 40}", f"b: {'[' * 30}*a0{']' * 30}"]

    assert ["GJ017 2:34 found more than 64 levels of nesting"] == findings("\n".join(lines))


def test_a_document_that_is_wrong_leaves_the_others() -> None:
    stream = read("a: 1\n---\n? {b: c}\n: 1\n---\nd: 2\n")

    assert [{"a": 1}, {"d": 2}] == [value_of(document.raw) for document in stream.documents]
    assert ["GJ016"] == [each.code for each in stream.diagnostics]


def test_broken_yaml_leaves_the_documents_before_it() -> None:
    stream = read("a: 1\n---\nb: [\n")

    assert [{"a": 1}] == [value_of(document.raw) for document in stream.documents]
    assert ["GJ001"] == [each.code for each in stream.diagnostics]


def test_a_manifest_may_be_larger_than_a_file_of_ours_up_to_16_mib() -> None:
    fits = b"a: 1\n#" + b"x" * (MANIFESTS.max_bytes - 6)

    assert [] == findings(fits)
    assert ["GJ004 1:1 found 16777217 bytes; expected at most 16777216 (16 MiB)"] == findings(
        fits + b"x"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# one\n#two\n\na: 1\n", ("# one", "#two")),
        ("# licence\n---\n# job\na: 1\n", ("# licence", "# job")),
        ("# one\n\n# two\na: 1\n", ("# one", "", "# two")),
        ("a: 1\n# not above\n", ()),
        ("%YAML 1.1\n---\n# x\na: 1\n", ("# x",)),
    ],
)
def test_comments_above_the_first_document_are_its_own(
    text: str, expected: tuple[str, ...]
) -> None:
    assert expected == read(text).documents[0].comments


def test_comments_above_a_later_document_begin_at_its_marker() -> None:
    stream = read("# a\na: 1\n# of the first\n---\n# b\nb: 1\n")

    assert [("# a",), ("# b",)] == [document.comments for document in stream.documents]


def test_what_was_typed_is_kept() -> None:
    assert Plain(493, "0755") == resolve_as_kubectl("0755")
    assert Plain(value=False, text="no") == resolve_as_kubectl("no")
