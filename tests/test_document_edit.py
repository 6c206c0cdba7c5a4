"""Edits of a file that a person wrote: what is said with them, and what stays as it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.document.edit import EditError, remove, set_value
from tests.written import document

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json

EXPERIMENT = """\
# yaml-language-server: $schema=../../schemas/experiment.schema.json
name: llama   # as its folder
args: [--lr=1e-4, '--epochs=10']

environments:  # where it runs
  # small, to try it
  dev: {nodes: 1}   # one machine
                    # is enough

  # the real one:
  # ask before you touch it
  prod:
    nodes: 16
    labels: {team: "nlp"}
    # gpus: 2

  staging: {}
  # elsewhere: {}

labels: {tier: 'no'}
"""


def after_setting(text: str, path: DocPath, value: Json) -> str:
    return set_value(document(text), text, path, value)


def after_removing(text: str, path: DocPath) -> str:
    return remove(document(text), text, path)


def test_a_key_is_removed_with_the_comments_that_are_its_own() -> None:
    assert EXPERIMENT.replace(
        "  # the real one:\n"
        "  # ask before you touch it\n"
        "  prod:\n"
        "    nodes: 16\n"
        '    labels: {team: "nlp"}\n'
        "    # gpus: 2\n",
        "",
    ) == after_removing(EXPERIMENT, ("environments", "prod"))


def test_a_comment_that_goes_on_below_its_line_is_removed_with_it() -> None:
    assert EXPERIMENT.replace(
        "  # small, to try it\n"
        "  dev: {nodes: 1}   # one machine\n"
        "                    # is enough\n",
        "",
    ) == after_removing(EXPERIMENT, ("environments", "dev"))


def test_a_comment_below_that_is_not_further_indented_stays() -> None:
    assert EXPERIMENT.replace("  staging: {}\n", "") == after_removing(
        EXPERIMENT, ("environments", "staging")
    )


def test_the_last_key_of_a_mapping_leaves_an_empty_one() -> None:
    text = EXPERIMENT
    for name in ("dev", "staging", "prod"):
        text = after_removing(text, ("environments", name))

    expected = """\
environments: {}  # where it runs


  # elsewhere: {}

labels: {tier: 'no'}
"""

    assert EXPERIMENT[: EXPERIMENT.index("environments:")] + expected == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x: {a: 1, b: 08}\n", "x: {b: 08}\n"),
        ("x: {b: 08, a: 1}\n", "x: {b: 08}\n"),
        ("x: {b: 08, a: 1,}  # c\n", "x: {b: 08, }  # c\n"),
        ("x: { a: 1 }\n", "x: {}\n"),
        ('{"x":{"a":[1,2],"b":1e-4}}\n', '{"x":{"b":1e-4}}\n'),
        ("x: {\n  a: 1,  # its own\n  b: 2,  # other\n}\n", "x: {\n  b: 2,  # other\n}\n"),
        ("x: {\n  b: 2,  # other\n  # its own\n  a: 1\n}\n", "x: {\n  b: 2,  # other\n}\n"),
        ("x: {b: 2, # other\n  a: 1}\n", "x: {b: 2, # other\n  }\n"),
        ("x: {b: 2,\n  a: 1}\n", "x: {b: 2,\n  }\n"),
        ("x: {a, b}\n", "x: {b}\n"),
        ("x: {a: 1, # c\n}\n", "x: { # c\n}\n"),
        ("x:\n  a: 1\n", "x: {}\n"),
        ("x:\n  a: |\n    text\n\n  b: 2\n", "x:\n\n  b: 2\n"),
        ("x:\n  b: 2\n  a: 1", "x:\n  b: 2\n"),
        ("? x\n: ? a\n  : 1\n  ? b\n", "? x\n:\n  ? b\n"),
    ],
)
def test_a_key_is_removed_in_the_style_that_it_has(text: str, expected: str) -> None:
    assert expected == after_removing(text, ("x", "a"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x: [{a: 1}, 2]\n", "x: [{}, 2]\n"),
        ("x: [a: 1, 2]\n", "x: [{}, 2]\n"),
        ("x:\n- a: 1  # its own\n  # of b\n  b: 2\n", "x:\n-\n  # of b\n  b: 2\n"),
        ("x:\n- a: 1\n- c\n", "x:\n- {}\n- c\n"),
        ("x:\n- # c\n  a: 1 # its own\n- c\n", "x:\n- # c\n  {}\n- c\n"),
    ],
)
def test_a_key_of_an_item_is_removed(text: str, expected: str) -> None:
    assert expected == after_removing(text, ("x", 0, "a"))


def test_a_comment_never_becomes_part_of_the_text_above() -> None:
    text = "a: |\n  text\nb: 1\n  # about b\n\n    # this too\nc: 2\n"

    assert "a: |\n  text\nc: 2\n" == after_removing(text, ("b",))


def test_empty_lines_never_become_part_of_the_text_above() -> None:
    text = "a: |+\n  text\n\nb: 1\n\nc: 2\n"

    assert "a: |+\n  text\n\nc: 2\n" == after_removing(text, ("b",))


def test_the_only_key_of_the_file_leaves_an_empty_mapping() -> None:
    assert "# head\n\n{}\n# tail\n" == after_removing("# head\n\na: 1\n# tail\n", ("a",))


def test_what_is_not_there_is_removed_already() -> None:
    assert EXPERIMENT == after_removing(EXPERIMENT, ("environments", "prd"))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("dev", "{nodes: 1} ", "{nodes: 1, run_policy: {suspend: true}} "),
        ("staging", "staging: {}", "staging: {run_policy: {suspend: true}}"),
        (
            "prod",
            '    labels: {team: "nlp"}\n',
            '    labels: {team: "nlp"}\n    run_policy:\n      suspend: true\n',
        ),
        (
            "new",
            "  staging: {}\n",
            "  staging: {}\n  new:\n    run_policy:\n      suspend: true\n",
        ),
    ],
)
def test_missing_parents_are_made_in_the_style_of_what_is_around(
    name: str, before: str, after: str
) -> None:
    path = ("environments", name, "run_policy", "suspend")

    assert EXPERIMENT.replace(before, after) == after_setting(EXPERIMENT, path, value=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x:\n", "x:\n  a:\n    b: true\n"),
        ("x: ~  # c\ny: 1\n", "x:  # c\n  a:\n    b: true\ny: 1\n"),
        (
            "y:\n    z:\n        w: 1\nx:\n",
            "y:\n    z:\n        w: 1\nx:\n    a:\n        b: true\n",
        ),
        ("x:\n   c: 1", "x:\n   c: 1\n   a:\n      b: true"),
        ("x: {\n  c: 1,  # one\n}\n", "x: {\n  c: 1,  # one\n  a: {b: true},\n}\n"),
        ("x: {\n  c: 1   # one\n}\n", "x: {\n  c: 1,   # one\n  a: {b: true}\n}\n"),
        ("x: {c: 1,}\n", "x: {c: 1, a: {b: true}}\n"),
        ("x: {c: }\n", "x: {c: , a: {b: true} }\n"),
        ("{}\n", "{x: {a: {b: true}}}\n"),
        ("{x: }\n", "{x: {a: {b: true}} }\n"),
        ("{x}\n", "{x: {a: {b: true}}}\n"),
        ("? x\n", "? x\n: {a: {b: true}}\n"),
        ("x: {  # c\n}\n", "x: {a: {b: true}  # c\n}\n"),
    ],
)
def test_parents_are_made_below_null_and_in_mappings_of_any_style(text: str, expected: str) -> None:
    assert expected == after_setting(text, ("x", "a", "b"), value=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x: 1  # c\n", "x: new  # c\n"),
        ("x:   'a''b'\n", "x:   new\n"),
        ("x:\n", "x: new\n"),
        ("x: |\n  a\n  b\n\ny: 1\n", "x: new\n\ny: 1\n"),
        ("x:  # c\n  - a\n  # of b\n  - b\ny: 1\n", "x: new  # c\ny: 1\n"),
        ("x: >-\n  a\n   b", "x: new"),
        ('{"x":"a"}\n', '{"x": new}\n'),
        ("x: {a: 1,\n  b: 2} # c\n", "x: new # c\n"),
        ("? x\n: - a\n  - b\n", "? x\n: new\n"),
    ],
)
def test_a_value_takes_the_place_of_another(text: str, expected: str) -> None:
    assert expected == after_setting(text, ("x",), "new")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1e-4", '"1e-4"'),
        ("no", '"no"'),
        ("08", '"08"'),
        (1e-4, "0.0001"),
        (None, "null"),
        ({"lr": "1e-4", "a b": [1, True]}, '{lr: "1e-4", "a b": [1, true]}'),
        ("two\nlines", '"two\\nlines"'),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_a_value_is_written_so_that_it_is_read_as_itself(value: Json, text: str) -> None:
    assert f"x: {text}\n" == after_setting("x: old\n", ("x",), value)


def test_a_mapping_without_braces_gets_them() -> None:
    text = "x: [c: 1, d]  # e\n"

    assert "x: [{c: 1, a: 2}, d]  # e\n" == after_setting(text, ("x", 0, "a"), 2)


def test_a_value_that_is_there_already_stays_as_it_was_typed() -> None:
    assert "x: {a: 0x10, b: 'c'}\n" == after_setting(
        "x: {a: 0x10, b: 'c'}\n", ("x",), {"b": "c", "a": 16}
    )


def test_a_key_goes_before_a_text_that_it_would_change() -> None:
    assert "b: 1\na: |\n  no line end" == after_setting("a: |\n  no line end", ("b",), 1)


def test_line_ends_of_windows_stay() -> None:
    text = "a: 1\r\nb:\r\n  c: 2\r\n"
    edited = set_value(document(text), text, ("b", "d"), 3)

    assert "a: 1\r\nb:\r\n  c: 2\r\n  d: 3\r\n" == edited


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("name", "a"), 1, "cannot edit 'name.a' of FILE: 'name' is not a mapping"),
        (("args", 2), 1, "cannot edit 'args[2]' of FILE: 'args' is not a mapping"),
        ((), {}, "cannot edit '' of FILE: it is the file"),
        (("name",), float("nan"), "cannot edit 'name' of FILE: the document: 'nan' is not a"),
        (("name",), "a\rb", "cannot edit 'name' of FILE: it cannot be done without touching"),
    ],
)
def test_what_cannot_be_set_is_refused(path: DocPath, value: Json, reason: str) -> None:
    with pytest.raises(EditError) as refused:
        after_setting(EXPERIMENT, path, value)

    assert str(refused.value).startswith(reason.replace("FILE", "experiments/a/experiment.yaml"))


def test_an_item_of_a_list_is_no_key() -> None:
    with pytest.raises(EditError, match="only a key can be removed"):
        after_removing(EXPERIMENT, ("args", 0))


def test_a_key_that_is_there_twice_is_not_removed() -> None:
    with pytest.raises(EditError, match="without touching what is around it"):
        after_removing("a: 1\na: 2\nb: 3\n", ("a",))


def test_a_text_that_is_not_the_one_that_was_read_is_refused() -> None:
    with pytest.raises(EditError, match="the file was changed meanwhile"):
        remove(document(EXPERIMENT), EXPERIMENT + "\n", ("labels",))
