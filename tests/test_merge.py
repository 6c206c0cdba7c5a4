"""How two layers combine, and where an item of the result stands in each of them."""

from __future__ import annotations

import pytest

from genjob.document import value_of
from genjob.resolve.merge import child, combine, step, value_at
from tests.written import raw

CASES = {
    "a scalar is replaced": ("a: 1e-4", "a: no", "a: no"),
    "mappings combine key by key": ("a: {b: 1, c: 2}", "a: {c: 3, d: 4}", "a: {b: 1, c: 3, d: 4}"),
    "a mapping is replaced by a scalar": ("a: {b: 1}", "a: 2", "a: 2"),
    "a list is replaced": ("args: [--a, --b]", "args: [--c]", "args: [--c]"),
    "an empty list empties": ("storage: [{name: a}]", "storage: []", "storage: []"),
    "an empty mapping changes nothing": ("labels: {a: b}", "labels: {}", "labels: {a: b}"),
    "named items combine by name, new ones behind": (
        "storage: [{name: a, x: 1}, {name: b}]",
        "storage: [{name: c}, {name: a, y: 2}]",
        "storage: [{name: a, x: 1, y: 2}, {name: b}, {name: c}]",
    ),
    "a list with a name twice is replaced": (
        "storage: [{name: a}, {name: a}]",
        "storage: [{name: a, x: 1}]",
        "storage: [{name: a, x: 1}]",
    ),
    "a list of which one item has no name is replaced": (
        "ports: [{name: a}, {port: 1}]",
        "ports: [{name: a, port: 2}]",
        "ports: [{name: a, port: 2}]",
    ),
    "tolerations add up, each once": (
        "scheduling: {tolerations: [{key: a}, {key: b}]}",
        "scheduling: {tolerations: [{key: b}, {key: c}]}",
        "scheduling: {tolerations: [{key: a}, {key: b}, {key: c}]}",
    ),
    "capabilities add up": (
        "security: {capabilities: [IPC_LOCK]}",
        "security: {capabilities: [SYS_NICE]}",
        "security: {capabilities: [IPC_LOCK, SYS_NICE]}",
    ),
    "a variable is replaced whole": (
        "env: {A: {secret: hub, key: a}}",
        "env: {A: {config_map: hub, key: b}}",
        "env: {A: {config_map: hub, key: b}}",
    ),
    "a module unsets a script": ("script: a.py", "module: a", "module: a"),
    "another kind of storage unsets the first": (
        "storage: [{name: a, pvc: {size: 1Gi}}]",
        "storage: [{name: a, empty_dir: {}}]",
        "storage: [{name: a, empty_dir: {}}]",
    ),
    "a claim unsets a size and what belongs to it": (
        "storage: [{name: a, pvc: {size: 1Gi, access_mode: ReadWriteOnce, storage_class: b}}]",
        "storage: [{name: a, pvc: {claim: c}}]",
        "storage: [{name: a, pvc: {claim: c}}]",
    ),
    "a preferred topology unsets a required one": (
        "scheduling: {topology: {required: rack}}",
        "scheduling: {topology: {preferred: block}}",
        "scheduling: {topology: {preferred: block}}",
    ),
    "in config the same words are just names": (
        "config: {size: 10, script: a}",
        "config: {claim: x, module: b}",
        "config: {size: 10, script: a, claim: x, module: b}",
    ),
    "in affinity required and preferred stand together": (
        "scheduling: {affinity: {required: a}}",
        "scheduling: {affinity: {preferred: b}}",
        "scheduling: {affinity: {required: a, preferred: b}}",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_layers_combine(case: str) -> None:
    low, high, expected = (raw(text) for text in CASES[case])

    assert value_of(expected) == value_of(combine(low, high))


def test_neither_layer_is_changed() -> None:
    low, high = raw("a: {b: [1]}"), raw("a: {c: 2}")
    before = (repr(low), repr(high))

    combine(low, high)

    assert before == (repr(low), repr(high))


@pytest.mark.parametrize(
    ("merged", "layer", "index", "expected"),
    [
        ("[{name: a, x: 1}, {name: b}]", "[{name: b}, {name: a}]", 0, 1),
        ("[{key: a}, {key: b}]", "[{key: b}]", 1, 0),
        ("[{key: a}, {key: b}]", "[{key: b}]", 0, None),
        ("[{key: a}, {key: a}]", "[{key: a}, {key: a}]", 1, 1),
        ("[{name: a, x: 1}, {name: a, x: 2}]", "[{name: a, x: 1}, {name: a, x: 2}]", 1, 1),
        ("[a]", "[a]", 5, None),
        ("[a]", "{b: c}", 0, None),
        ("[a]", "text", 0, None),
    ],
)
def test_an_item_of_the_result_is_found_in_its_layer(
    merged: str, layer: str, index: int, expected: int | None
) -> None:
    assert expected == step(raw(f"a: {merged}")["a"], raw(f"a: {layer}")["a"], index)


def test_a_path_leads_to_a_value_or_to_nothing() -> None:
    tree = raw("a: [{b: no}, 2]")

    assert value_at(tree, ("a", 0, "b")) == "no"
    assert value_at(tree, ("a", 2)) is None
    assert value_at(tree, ("a", "b")) is None
    assert value_at(tree, ("a", 0, "b", "c")) is None
    assert child("text", 0) is None
