"""What Kustomize leaves plain and quoted is read back as what it was."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from genjob.kustomize.engine import build, find_engine
from genjob.kustomize.output import read_documents
from genjob.patch import json_equal
from genjob.yamltext import to_yaml
from tests.kustomize_build import job
from tests.kustomize_build import write as write_file
from tests.strategies import AWKWARD_WORDS

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject

# What Kustomize v5.8.1 leaves plain although PyYAML's own resolver reads or refuses it otherwise.
PLAIN_WORDS = (
    *("=", "<<", "0o8", "infinity", "NaN", "nan", "inf", "1,000", "0xg", "true_", "._1"),
    *("1e1000", "-1e400"),
)


@pytest.mark.parametrize("word", PLAIN_WORDS)
def test_a_plain_word_of_kustomize_is_text(word: str) -> None:
    assert [{"k": word, "l": [word]}] == read_documents(f"k: {word}\nl:\n- {word}\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("0", 0),
        ("1.5", 1.5),
        ("1e-07", 1e-07),
        ("1e+30", 1e30),
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("18446744073709551615", 18446744073709551615),
        ('"1"', "1"),
        ("2026-01-01", "2026-01-01"),
        ("0777", "0777"),
        ("1:30", "1:30"),
        ("yes", "yes"),
    ],
)
def test_plain_json_scalars_alone_are_not_text(text: str, value: Json) -> None:
    assert json_equal([{"k": value}], [*read_documents(f"k: {text}\n")])


def test_empty_documents_are_left_out() -> None:
    assert read_documents("---\n---\na: 1\n---\n") == [{"a": 1}]


def test_what_is_not_yaml_is_a_value_error_of_one_line() -> None:
    with pytest.raises(ValueError, match=r"^while parsing .*$"):
        read_documents("a: [\nb")


def test_every_awkward_word_comes_back_from_the_real_kustomize(tmp_path: Path) -> None:
    """As a value, as a list item and, but for `<<`, as a key of a mapping."""
    words: list[Json] = [*AWKWARD_WORDS]
    keys: JsonObject = {word: word for word in AWKWARD_WORDS if word != "<<"}
    wanted = job("awkward", {"words": words, "keys": keys})
    write_file(tmp_path / "job.yaml", to_yaml(wanted))
    write_file(tmp_path / "kustomization.yaml", to_yaml({"resources": ["job.yaml"]}))

    assert [wanted] == build(find_engine(os.environ), tmp_path)
