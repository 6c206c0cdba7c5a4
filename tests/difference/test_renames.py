"""An experiment under another name is found by what its file says."""

from __future__ import annotations

from genjob.difference.renames import renamed
from genjob.document import Document, read_document

TEXT = (
    "version: genjob/v1\nname: {}\nimage: a:1\nscript: train.py\nnodes: 4\nargs: [-v]\nenv: {{}}\n"
)


def document(text: str) -> Document:
    found, _ = read_document(text.encode(), "x")
    assert found is not None
    return found


def of(name: str, old: str = "", new: str = "") -> Document:
    return document(TEXT.format(name).replace(old, new))


def test_the_same_under_another_name_is_renamed() -> None:
    assert {"b": "a"} == renamed({"a": of("a")}, {"b": of("b")})


def test_a_small_edit_on_the_way_does_no_harm() -> None:
    assert {"b": "a"} == renamed({"a": of("a")}, {"b": of("b", "nodes: 4", "nodes: 8")})


def test_another_experiment_is_not_the_same() -> None:
    other = document("version: genjob/v1\nname: b\nimage: b:2\nmodule: b\nnodes: 1\n")

    assert {} == renamed({"a": of("a")}, {"b": other})


def test_comments_and_blanks_do_not_count() -> None:
    assert {"b": "a"} == renamed({"a": of("a")}, {"b": document("# new\n\n" + TEXT.format("b"))})


def test_the_most_alike_are_paired_and_each_once() -> None:
    gone = {"a": of("a"), "c": of("c", "nodes: 4", "nodes: 8")}
    new = {"b": of("b", "nodes: 4", "nodes: 8"), "d": of("d")}

    assert {"b": "c", "d": "a"} == renamed(gone, new)


def test_of_very_many_only_those_that_are_the_same_are_paired() -> None:
    gone = {f"a{n}": of(f"a{n}", "nodes: 4", f"nodes: {n}") for n in range(60)}
    new = {f"b{n}": of(f"b{n}", "nodes: 4", f"nodes: {n + 30}") for n in range(60)}

    assert {f"b{n}": f"a{n + 30}" for n in range(30)} == renamed(gone, new)
