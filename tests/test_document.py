"""Reading a file: its data as typed, the place of everything in it, and files that are none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from genjob.diagnostics import Location
from genjob.document import (
    MAX_BYTES,
    Document,
    Plain,
    Reading,
    read_document,
    read_document_file,
    resolve,
    text_of,
    value_of,
)

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath

EXPERIMENT = """\
# a comment
version: genjob/v1
labels: {team: nlp, öwner: [ä, "b"]}
env:
  LR: 1e-4
  FLAG: yes
  TOKEN: {secret: wandb}
storage:
  - name: data
    pvc:
      size: 500Gi
  - {name: tmp}
  -
  - - nested
empty:
note: |
  two
  lines
folded: a
  b
quoted: "x"   # why
"""


def read(text: str) -> Document:
    reading = read_document(text.encode(), "experiments/x/experiment.yaml")
    assert reading.diagnostics == ()
    assert reading.document is not None
    return reading.document


TYPED = {
    "true": True,
    "FALSE": False,
    "null": None,
    "~": None,
    "": None,
    "1": 1,
    "-0": 0,
    "+12": 12,
    "0x1F": 31,
    "0o17": 15,
    "1.10": 1.1,
    "1.": 1.0,
    "+.5": 0.5,
    "1e-4": 0.0001,
    "1e3": 1000.0,
    "3E-05": 0.00003,
}
# Numbers, booleans or dates for one reader of YAML or another.
TEXT = (
    *("y", "n", "yes", "no", "on", "off", "Yes", "NO", "Y", "tRUE", "nULL", "None", "y:y"),
    *("010", "08", "012", "0123", "-012", "01.5", "1_000", "0b11", "0O17", "0X1F", "1,000", "½"),
    *("12:30", "12:30:00", "1:30", "2024-01-01", ".inf", "-.Inf", ".nan", "inf", "nan", "1e999"),
    *("1e", "1e+", "e1", ".e1", ".", "--", "+", "0x", "0xg", "0o8", "1.2.3", "1-2", "512Gi", "72h"),
    *("mlx5_0:1", "=mlx5_0", "^eth0", "--lr=1e-4", "\N{ARABIC-INDIC DIGIT THREE}"),
)


@pytest.mark.parametrize("text", TYPED)
def test_plain_scalar_keeps_what_was_typed_beside_its_value(text: str) -> None:
    raw = read(f"env:\n  LR: {text}\n").data["env"]

    assert {"LR": Plain(TYPED[text], text)} == raw
    assert {"LR": TYPED[text]} == value_of(raw)


def test_integer_float_and_boolean_stay_apart() -> None:
    data = value_of(read("a: 1\nb: 1.0\nc: true\n").data)

    assert repr(data) == "{'a': 1, 'b': 1.0, 'c': True}"


@pytest.mark.parametrize("text", TEXT)
def test_word_that_readers_disagree_about_is_text(text: str) -> None:
    assert {"LR": text} == read(f"LR: {text}\n").data


@pytest.mark.parametrize("text", [*TYPED, *TEXT, "-", "y:", "#"])
def test_quoted_and_block_scalars_are_text(text: str) -> None:
    source = f"""single: '{text}'\ndouble: "{text}"\nblock: |-\n  {text}\nfolded: >-\n  {text}\n"""

    assert dict.fromkeys(("single", "double", "block", "folded"), text) == read(source).data


@pytest.mark.parametrize("text", ["9" * 65, "0x" + "f" * 63, "0." + "1" * 5000])
def test_number_too_long_for_any_field_is_text(text: str) -> None:
    assert text == resolve(text)


def test_text_of_a_scalar_is_what_was_typed() -> None:
    data = read("env: {LR: 1e-4, FLAG: yes, V: 1.10, ID: 010, E: }\n").data["env"]

    assert isinstance(data, dict)
    texts = [text_of(value) for value in data.values() if isinstance(value, (str, Plain))]
    expected = ["1e-4", "yes", "1.10", "010", ""]

    assert expected == texts


def test_value_of_goes_through_lists_and_mappings() -> None:
    expected = {"a": [1, {"b": None}, "1"]}

    assert expected == value_of(read("a: [1, {b: ~}, '1']\n").data)


def test_keys_are_the_text_that_was_typed() -> None:
    data = read("8080: a\non: b\ntrue: c\n1.10: d\n'': e\n'~': f\n'<<': g\n? 1e3\n: h\n").data
    expected = ["8080", "on", "true", "1.10", "", "~", "<<", "1e3"]

    assert expected == list(data)


@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        pytest.param((), 2, "version", id="the root is its first key"),
        pytest.param(("version",), 2, "genjob/v1", id="a plain scalar"),
        pytest.param(("labels",), 3, '{team: nlp, öwner: [ä, "b"]}', id="a flow mapping"),
        pytest.param(("labels", "öwner", 1), 3, '"b"', id="columns count characters"),
        pytest.param(("env",), 4, "env", id="a block mapping is its key"),
        pytest.param(("env", "LR"), 5, "1e-4", id="a number"),
        pytest.param(("env", "TOKEN", "secret"), 7, "wandb", id="a value in a flow mapping"),
        pytest.param(("storage",), 8, "storage", id="a block list is its key"),
        pytest.param(("storage", 0), 9, "name", id="an item of pairs is its first key"),
        pytest.param(("storage", 0, "pvc"), 10, "pvc", id="a nested block mapping"),
        pytest.param(("storage", 0, "pvc", "size"), 11, "500Gi", id="deep"),
        pytest.param(("storage", 1), 12, "{name: tmp}", id="an item in flow style"),
        pytest.param(("storage", 2), 13, "-", id="an empty item is its dash"),
        pytest.param(("storage", 3), 14, "nested", id="an item of items is its first item"),
        pytest.param(("empty",), 15, "empty", id="an empty value is its key"),
        pytest.param(("note",), 16, "|", id="a block scalar is its header"),
        pytest.param(("folded",), 19, "a", id="a scalar over lines is its first line"),
        pytest.param(("quoted",), 21, '"x"', id="a quoted scalar has its quotes"),
        pytest.param(("env", "TOKEN", "x", "secret"), 7, "{secret: wandb}", id="no route goes on"),
        pytest.param(("env", "MISSING"), 4, "env", id="a missing key is its parent"),
        pytest.param(("storage", 9, "x"), 8, "storage", id="a missing item is its list"),
        pytest.param(("nope",), 2, "version", id="a missing root key is the root"),
    ],
)
def test_value_is_located_on_its_first_line(path: DocPath, line: int, text: str) -> None:
    document = read(EXPERIMENT)
    location = document.locate(path)

    assert ("experiments/x/experiment.yaml", line) == (location.file, location.line)
    assert text == span(document, location)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("labels", "öwner"), "öwner"),
        (("env", "LR"), "LR"),
        (("env", "LR", "[key]"), "LR"),
        (("storage", 0, "pvc"), "pvc"),
        (("storage", 1), "{name: tmp}"),
        ((), "version"),
    ],
)
def test_key_is_located_when_asked(path: DocPath, text: str) -> None:
    document = read(EXPERIMENT)

    assert text == span(document, document.locate(path, at_key=True))


def span(document: Document, location: Location) -> str:
    return document.lines[location.line - 1][location.column - 1 : location.end_column - 1]


def test_flow_collection_over_lines_is_located_to_the_end_of_its_first_line() -> None:
    document = read("args: [a,  \n  b]\n")

    assert Location("experiments/x/experiment.yaml", 1, 7, 10) == document.locate(("args",))


def test_columns_count_characters_beyond_the_basic_plane() -> None:
    assert read("a: {'😀': x}\n").locate(("a", "😀")).column - 1 == 9


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), True),
        (("env", "LR"), True),
        (("storage", 3, 0), True),
        (("storage", 4), False),
        (("env", "lr"), False),
        (("env", "Secret", "TOKEN"), False),
    ],
)
def test_has_wants_the_whole_route(*, path: DocPath, expected: bool) -> None:
    assert expected == read(EXPERIMENT).has(path)


def test_pure_parser_reads_the_same_where_libyaml_is_missing() -> None:
    source = EXPERIMENT.encode()
    pure = read_document(source, "x", parser=yaml.SafeLoader).document
    fast = read_document(source, "x", parser=yaml.CSafeLoader).document

    assert pure is not None
    assert fast is not None
    assert fast.data == pure.data
    assert fast.locate(("storage", 0, "pvc", "size")) == pure.locate(("storage", 0, "pvc", "size"))


def found(reading: Reading) -> tuple[str, str, Location]:
    (diagnostic,) = reading.diagnostics
    assert reading.document is None
    return diagnostic.code, diagnostic.message, diagnostic.location


def test_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_bytes(b"nodes: 4\n")

    document = read_document_file(path, "x.yaml").document

    assert document is not None
    assert {"nodes": Plain(4, "4")} == document.data
    assert document.file == "x.yaml"


def test_missing_file_is_a_finding(tmp_path: Path) -> None:
    expected = ("GJ003", "cannot read the file: no such file or directory", Location("x.yaml"))

    assert expected == found(read_document_file(tmp_path / "none.yaml", "x.yaml"))


def test_folder_in_place_of_a_file_is_a_finding(tmp_path: Path) -> None:
    expected = ("GJ003", "found a folder; expected a file", Location("x.yaml"))

    assert expected == found(read_document_file(tmp_path, "x.yaml"))


def test_path_that_no_system_can_open_is_a_finding(tmp_path: Path) -> None:
    expected = ("GJ003", "cannot read the file: embedded null byte", Location("x.yaml"))

    assert expected == found(read_document_file(tmp_path / "a\0b", "x.yaml"))


def test_device_is_never_opened() -> None:
    expected = ("GJ003", "found a pipe or a device; expected a file", Location("x.yaml"))

    assert expected == found(read_document_file(Path(os.devnull), "x.yaml"))


def test_large_file_is_refused_by_its_size_alone(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    with path.open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)  # sparse: reading it would be the only cost
    message = f"found 52428800 bytes; expected at most {MAX_BYTES} (1 MiB)"

    assert ("GJ004", message, Location("x.yaml")) == found(read_document_file(path, "x.yaml"))
