"""What the process of a container reads: the last entry of a name, references, known sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.prediction import Setting, effective_settings, unread_sources

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


def test_the_last_entry_of_a_name_wins_and_knows_what_it_beats() -> None:
    entries = [("A", "1"), ("B", "x"), ("A", "2"), ("A", "3")]
    container: JsonObject = {"env": [{"name": name, "value": value} for name, value in entries]}
    found = effective_settings(container)

    assert Setting("A", "3", entry=3, beaten=(0, 2)) == found["A"]
    assert ["A", "B"] == [*found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$(A)-$(B)", "1e-4-$(B)"),
        ("$$(A)", "$(A)"),
        ("$A", "$A"),
        ("$(C)", "$(C)"),
        ("$()", "$()"),
    ],
)
def test_a_reference_means_what_was_set_before_it(text: str, expected: str) -> None:
    looked_up: JsonObject = {"fieldRef": {"fieldPath": "status.podIP"}}
    names = {"A": "1e-4", "X": text, "B": "later"}
    own: list[Json] = [{"name": name, "value": value} for name, value in names.items()]
    container: JsonObject = {"env": [{"name": "C", "valueFrom": looked_up}, *own]}

    assert expected == effective_settings(container)["X"].text


def test_a_value_without_text_is_empty_and_one_that_is_looked_up_is_not_known() -> None:
    container: JsonObject = {
        "env": [
            {"name": "EMPTY"},
            {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
        ]
    }
    found = effective_settings(container)

    assert ("", None) == (found["EMPTY"].text, found["TOKEN"].text)


def test_sources_that_are_known_are_read_and_env_beats_them() -> None:
    container: JsonObject = {
        "envFrom": [
            {"prefix": "CFG_", "configMapRef": {"name": "settings"}},
            {"secretRef": {"name": "wandb"}},
            {"configMapRef": {"name": "shared"}},
        ],
        "env": [
            {"name": "CFG_LR", "value": "1"},
            {"name": "N", "valueFrom": {"configMapKeyRef": {"name": "settings", "key": "LR"}}},
        ],
    }
    known = {"settings": {"LR": "1e-4", "ID": "08"}}
    found = effective_settings(container, known)

    assert Setting("CFG_ID", "08", source=0) == found["CFG_ID"]
    assert ("1", "1e-4") == (found["CFG_LR"].text, found["N"].text)
    assert ["Secret 'wandb'", "ConfigMap 'shared'"] == [*unread_sources(container, known)]


@pytest.mark.parametrize("env", [None, "no", [None, 1, {}, {"name": 8}], {"A": "1"}])
def test_what_is_no_list_of_variables_sets_none(env: Json) -> None:
    assert {} == effective_settings({"env": env})
