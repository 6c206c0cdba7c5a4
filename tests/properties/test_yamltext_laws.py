"""The laws of the writer: what it writes is read back as the same values, by each reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from genjob.yamltext import to_yaml, to_yaml_documents, unwritable
from tests.kustomize_build import KustomizeLoader, build, job
from tests.strategies import AWKWARD_WORDS, by_type, json_values, keys, scalars, words

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from genjob.jsontypes import Json

READERS = pytest.mark.parametrize("reader", [yaml.CSafeLoader, yaml.SafeLoader, KustomizeLoader])


@READERS
@given(json_values(scalars()))
@example({"a" * 1500: {"b": 1}, "c" * 1500: ["d"], "e" * 1500: "f\ng\n"})
@example([[[{"a": [[]]}]], ["a\nb", ["c\n\n"], {"d": "e\n\n\n", "f": {}}]])
def test_text_is_read_back_as_the_same_value(reader: type[yaml.CSafeLoader], value: Json) -> None:
    assert [by_type(value)] == [*map(by_type, yaml.load_all(to_yaml(value), reader))]


@READERS
@given(st.lists(json_values(scalars()), min_size=1, max_size=4))
def test_documents_are_read_back_as_the_same_values(
    reader: type[yaml.CSafeLoader], values: list[Json]
) -> None:
    text = to_yaml_documents(values, header="a comment: no\n\n--- 'another'")

    assert [*map(by_type, values)] == [*map(by_type, yaml.load_all(text, reader))]


@given(json_values(scalars()), st.randoms(use_true_random=False))
def test_the_order_of_keys_never_changes_the_text(value: Json, chance: random.Random) -> None:
    assert to_yaml(value) == to_yaml(_shuffled(value, chance))


def _shuffled(value: Json, chance: random.Random) -> Json:
    if isinstance(value, list):
        return [_shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    names = list(value)
    chance.shuffle(names)
    return {name: _shuffled(value[name], chance) for name in names}


@given(st.dictionaries(keys(), words()))
def test_text_has_no_trailing_blanks_and_ends_in_one_line_feed_at_least(value: Json) -> None:
    text = to_yaml(value)

    assert text.endswith("\n")
    assert not [line for line in text.split("\n") if line != line.rstrip(" \t")]


@given(st.text())
def test_a_string_is_either_written_or_named_as_unwritable(text: str) -> None:
    if unwritable(text) is None:
        assert text == yaml.load(to_yaml(text), yaml.CSafeLoader)
        return
    with pytest.raises(ValueError, match=r"U\+"):
        to_yaml(text)


def test_kustomize_keeps_each_awkward_word_as_value_and_as_key(tmp_path: Path) -> None:
    """In an object, and in the value and the path of a patch."""
    spec: Json = {
        "values": list(AWKWARD_WORDS),
        "keys": {word: word for word in AWKWARD_WORDS if word != "<<"},
        "env": [{"name": word, "value": word} for word in AWKWARD_WORDS],
    }
    added = to_yaml([{"op": "add", "path": "/spec/added", "value": spec}])

    built = build(
        tmp_path, [(to_yaml(job("awkward", spec)), "[]\n"), (to_yaml(job("b", {})), added)]
    )

    assert job("awkward", spec) == built["awkward"]
    assert job("b", {"added": spec}) == built["b"]
