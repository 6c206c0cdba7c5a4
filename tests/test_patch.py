"""Which operations a difference has, and how they apply."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest

from genjob.patch import Operation, PatchError, apply, difference, json_equal

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


def env(**values: str) -> list[Json]:
    """Return an `env` list; three entries or more, so that editing it is the shorter way."""
    return [{"name": name, "value": value} for name, value in values.items()]


def step(op: str, path: str, value: Json) -> Operation:
    """Return an operation that has a value."""
    return {"op": op, "path": path, "value": value}


def test_mappings_are_compared_key_by_key_in_sorted_order() -> None:
    base: JsonObject = {"kept": {"x": 1}, "gone": {"a": 1}, "edited": {"lr": "1e-3"}}
    wanted: JsonObject = {"edited": {"lr": "1e-4"}, "added": [], "kept": {"x": 1}}

    expected = [
        step("add", "/added", []),
        step("replace", "/edited/lr", "1e-4"),
        {"op": "remove", "path": "/gone"},
    ]
    assert expected == difference(base, wanted)


def test_slashes_and_tildes_of_keys_are_escaped_and_read_back() -> None:
    wanted: JsonObject = {"nvidia.com/gpu": 8, "~1": "x", "": 0}

    operations = difference({}, wanted)

    expected = [step("add", "/", 0), step("add", "/nvidia.com~1gpu", 8), step("add", "/~01", "x")]
    assert expected == operations
    assert wanted == apply(operations, {})


@pytest.mark.parametrize(
    ("base", "wanted"),
    [(1, True), (1, 1.0), (1, "1"), (None, False), ({}, []), (0, None), ([], {})],
)
def test_values_of_another_json_type_differ(base: Json, wanted: Json) -> None:
    assert [step("replace", "/a", wanted)] == difference({"a": base}, {"a": wanted})
    assert not json_equal([base], [wanted])


def test_a_changed_item_is_edited_behind_a_test_of_its_name() -> None:
    base, wanted = env(A="1", LR="1e-3", C="no"), env(A="1", LR="1e-4", C="no")

    expected = [
        step("test", "/env/1/name", "LR"),
        step("replace", "/env/1/value", "1e-4"),
    ]
    assert expected == difference({"env": base}, {"env": wanted})


def test_several_edits_of_one_item_stand_behind_one_test() -> None:
    """An edit further below has its own test; it does not end what the first one knows."""
    other: Json = {"name": "sidecar", "command": ["sleep", "1"], "ports": []}
    base: Json = {"name": "pytorch", "env": env(A="1", B="2", C="3"), "image": "a", "tty": True}
    wanted: Json = {"name": "pytorch", "env": env(A="1", B="2", C="08"), "image": "b"}

    expected = [
        step("test", "/c/0/name", "pytorch"),
        step("test", "/c/0/env/2/name", "C"),
        step("replace", "/c/0/env/2/value", "08"),
        step("replace", "/c/0/image", "b"),
        {"op": "remove", "path": "/c/0/tty"},
    ]
    assert expected == difference({"c": [base, other]}, {"c": [wanted, other]})


def test_an_item_at_the_end_is_appended() -> None:
    base, wanted = env(A="1", B="2"), env(A="1", B="2", NEW="y")

    expected = [step("add", "/env/-", {"name": "NEW", "value": "y"})]
    assert expected == difference({"env": base}, {"env": wanted})


def test_an_item_in_between_is_inserted_behind_a_test_of_what_stands_there() -> None:
    base, wanted = env(A="1", B="2", C="3"), env(A="1", NEW="y", B="2", C="3")

    expected = [
        step("test", "/env/1/name", "B"),
        step("add", "/env/1", {"name": "NEW", "value": "y"}),
    ]
    assert expected == difference({"env": base}, {"env": wanted})


def test_items_are_removed_from_the_end_each_behind_a_test() -> None:
    kept = {f"K{number}": "on" for number in range(6)}
    base, wanted = env(A="1", **kept, Z="2"), env(**kept)

    expected = [
        step("test", "/env/7/name", "Z"),
        {"op": "remove", "path": "/env/7"},
        step("test", "/env/0/name", "A"),
        {"op": "remove", "path": "/env/0"},
    ]
    assert expected == difference({"env": base}, {"env": wanted})


@pytest.mark.parametrize(
    ("base", "wanted"),
    [
        (env(A="1", B="2", C="3"), env(B="2", A="1", C="3")),
        (env(A="1"), env(B="1")),
        (env(A="1"), []),
        ([], env(A="1")),
        ([*env(A="1"), *env(A="2")], [*env(A="1"), *env(A="3")]),
        ([{"name": 1, "value": "a"}], [{"name": 1, "value": "b"}]),
        (["--lr=1e-3"], ["--lr=1e-4"]),
        ([{"key": "gpu"}], [{"key": "gpu"}, {"key": "spot"}]),
        (["A", *env(B="1", C="2", D="3")], ["A", *env(B="1", C="2", D="4")]),
    ],
    ids=[
        "order",
        "nothing-kept",
        "emptied",
        "filled",
        "twice",
        "number",
        "text",
        "nameless",
        "mixed",
    ],
)
def test_other_lists_are_replaced_whole(base: list[Json], wanted: list[Json]) -> None:
    assert [step("replace", "/l", wanted)] == difference({"l": base}, {"l": wanted})


def test_a_list_is_replaced_whole_when_that_is_shorter() -> None:
    base, wanted = env(A="1", B="2", C="3"), env(A="4", B="5", C="6")

    assert [step("replace", "/env", wanted)] == difference({"env": base}, {"env": wanted})


def test_lines_of_a_text_count_when_the_shorter_way_is_chosen() -> None:
    script = "set -e\n" * 9
    base: Json = [{"name": "a", "run": script, "n": 1}]
    wanted: Json = [{"name": "a", "run": script, "n": 2}]

    expected = [step("test", "/l/0/name", "a"), step("replace", "/l/0/n", 2)]
    assert expected == difference({"l": base}, {"l": wanted})


DOCUMENT: JsonObject = {"m": {"null": None}, "l": [1, 2], "f": 1.5}


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (step("replace", "/m/absent", 1), {**DOCUMENT, "m": {"null": None, "absent": 1}}),
        (step("add", "/f", "no"), {**DOCUMENT, "f": "no"}),
        (step("add", "/l/0", 0), {**DOCUMENT, "l": [0, 1, 2]}),
        (step("add", "/l/2", 3), {**DOCUMENT, "l": [1, 2, 3]}),
        (step("add", "/l/-", 3), {**DOCUMENT, "l": [1, 2, 3]}),
        (step("replace", "/l/1", 3), {**DOCUMENT, "l": [1, 3]}),
        ({"op": "remove", "path": "/l/0"}, {**DOCUMENT, "l": [2]}),
        ({"op": "remove", "path": "/m/null"}, {**DOCUMENT, "m": {}}),
        (step("test", "/m/absent", None), DOCUMENT),
        (step("test", "/l/1", 2), DOCUMENT),
        (step("test", "/m", {"null": None}), DOCUMENT),
    ],
)
def test_an_operation_applies_as_in_kustomize(operation: Operation, expected: JsonObject) -> None:
    before = copy.deepcopy(DOCUMENT)

    assert expected == apply([operation], DOCUMENT)
    assert before == DOCUMENT


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (step("test", "/l/1", "2"), "test '/l/1': expected '2', found 2"),
        (step("test", "/l/1", {}), "test '/l/1': expected a mapping, found 2"),
        (step("test", "/m/absent", "a"), "test '/m/absent': expected 'a', found null"),
        (step("test", "/l", None), "test '/l': expected null, found a list"),
        (step("test", "/l/2", None), "test '/l/2': expected an index up to '1', found '2'"),
        (step("add", "/absent/a", 1), "add '/absent/a': 'absent' is missing"),
        (step("add", "/f/a", 1), "add '/f/a': nothing holds 'a'"),
        (step("add", "/m/null/a", 1), "add '/m/null/a': nothing holds 'a'"),
        (step("add", "/l/3", 1), "add '/l/3': expected an index up to '2', found '3'"),
        (step("add", "/l/-1", 1), "add '/l/-1': expected an index up to '2', found '-1'"),
        (step("add", "/l/00", 1), "add '/l/00': expected an index up to '2', found '00'"),
        (step("replace", "/l/-", 1), "replace '/l/-': expected an index up to '1', found '-'"),
        (step("replace", "/l/2/a", 1), "replace '/l/2/a': expected an index up to '1', found '2'"),
        ({"op": "remove", "path": "/absent"}, "remove '/absent': 'absent' is missing"),
        ({"op": "add", "path": "/a"}, "add '/a': expected a value"),
        (step("add", "a", 1), "add 'a': expected a path that starts with '/'"),
        (step("replace", "", {}), "replace '': expected a path that starts with '/'"),
        (step("move", "/a", 1), "move '/a': expected one of 'add', 'remove', 'replace', 'test'"),
    ],
)
def test_an_operation_that_does_not_apply_says_why(operation: Operation, reason: str) -> None:
    with pytest.raises(PatchError) as failed:
        apply([operation], DOCUMENT)

    assert (operation, reason) == (failed.value.operation, str(failed.value))


def test_a_later_operation_does_not_reach_into_an_earlier_value() -> None:
    added = step("add", "/a", {"b": [1]})

    expected: JsonObject = {"a": {"b": [1, 2]}}
    assert expected == apply([added, step("add", "/a/b/-", 2)], {})
    assert step("add", "/a", {"b": [1]}) == added
