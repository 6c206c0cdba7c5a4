"""The laws of patches: a difference, applied, gives what was wanted; here and in Kustomize."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from genjob.patch import apply, difference, json_equal
from genjob.yamltext import to_yaml
from tests.kustomize_build import build, job
from tests.strategies import NEIGHBOURS, by_type, json_objects, sample, spec_pairs

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject

BATCH = 120


@given(json_objects(), json_objects())
def test_a_difference_applied_gives_what_was_wanted(base: JsonObject, wanted: JsonObject) -> None:
    assert by_type(wanted) == by_type(apply(difference(base, wanted), base))


@given(spec_pairs())
def test_a_difference_of_manifests_applied_gives_what_was_wanted(
    pair: tuple[JsonObject, JsonObject],
) -> None:
    base, wanted = pair

    assert by_type(wanted) == by_type(apply(difference(base, wanted), base))


@given(NEIGHBOURS, NEIGHBOURS)
def test_equality_goes_by_json_type(left: Json, right: Json) -> None:
    assert (by_type(left) == by_type(right)) == json_equal({"a": [left]}, {"a": [right]})


@given(spec_pairs())
def test_neither_difference_nor_apply_changes_its_input(
    pair: tuple[JsonObject, JsonObject],
) -> None:
    before = copy.deepcopy(pair)
    operations = difference(*pair)
    kept = copy.deepcopy(operations)

    apply(operations, pair[0])

    assert by_type([*before]) == by_type([*pair])
    assert by_type([*kept]) == by_type([*operations])


@given(json_objects() | spec_pairs().map(lambda pair: pair[0]))
def test_equal_objects_have_no_difference(value: JsonObject) -> None:
    assert not difference(value, copy.deepcopy(value))


@given(spec_pairs(), st.randoms(use_true_random=False))
def test_the_order_of_keys_never_changes_a_difference(
    pair: tuple[JsonObject, JsonObject], chance: random.Random
) -> None:
    shuffled = [{key: value[key] for key in _shuffled(value, chance)} for value in pair]

    assert difference(*pair) == difference(*shuffled)


def _shuffled(mapping: JsonObject, chance: random.Random) -> list[str]:
    names = list(mapping)
    chance.shuffle(names)
    return names


@given(spec_pairs())
def test_each_step_into_a_list_stands_behind_a_test_of_the_name_there(
    pair: tuple[JsonObject, JsonObject],
) -> None:
    """No step that moved items of a list lies between a test in that list and what it guards."""
    tested: set[str] = set()
    document: Json = pair[0]
    for operation in difference(*pair):
        path = str(operation["path"])
        if operation["op"] == "test":
            tested.add(path.removesuffix("/name"))
        else:
            items = [*_items_on(path, document)]
            assert not {*items} - tested
            moved = items[-1:] == [path]
            tested = {seen for seen in tested if not (moved and seen.startswith(_parent(path)))}
        document = apply([operation], document)


def _items_on(path: str, document: Json) -> Iterator[str]:
    """Yield the path of each list item that a path leads to or through."""
    keys = path.split("/")
    for depth, key in enumerate(keys[1:], start=2):
        if isinstance(document, list) and key != "-":
            yield "/".join(keys[:depth])
            document = document[int(key)]
        elif isinstance(document, dict):
            document = document.get(key.replace("~1", "/").replace("~0", "~"))


def _parent(path: str) -> str:
    return path.rpartition("/")[0] + "/"


def test_the_real_kustomize_agrees_on_a_batch(tmp_path: Path) -> None:
    """This holds the writer to account too: object and patch reach Kustomize as our text."""
    pairs = {
        f"job-{number}": (job(f"job-{number}", base), job(f"job-{number}", wanted))
        for number, (base, wanted) in enumerate(sample(spec_pairs(), BATCH))
    }
    texts = [
        (to_yaml(base), to_yaml([*difference(base, wanted)])) for base, wanted in pairs.values()
    ]

    built = build(tmp_path, texts)

    wrong = {
        name: (base, wanted, built[name])
        for name, (base, wanted) in pairs.items()
        if by_type(wanted) != by_type(built[name])
    }
    assert not wrong
    assert pairs.keys() == built.keys()
