"""What is held back, in the words of those who wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.runs.changes import changes, changes_of_run
from tests.runs.a_run import job

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"env": [{"name": "A", "value": "1"}]}, {"env": [{"name": "A", "value": "2"}]}, ("A",)),
        ({"env": []}, {"env": [{"name": "A", "value": "2"}]}, ("A",)),
        ({}, {"env": [{"name": "A", "value": "2"}]}, ("A",)),
        ({"env": [{"name": "A", "value": "2"}]}, {}, ("A",)),
        ({}, {"args": ["a"]}, ("args",)),
        ({"image": "x:1"}, {"image": "x:2"}, ("image",)),
        ({"args": ["a"]}, {"args": ["a", "b"]}, ("args",)),
        ({"limits": {"cpu": "1"}}, {"limits": {"cpu": "2", "memory": "1"}}, ("cpu", "memory")),
        ({"m": [{"mountPath": "/a"}]}, {"m": [{"mountPath": "/b"}]}, ("/a", "/b")),
        (
            {"a": {"image": 1}, "b": {"image": 1}},
            {"a": {"image": 2}, "b": {"image": 2}},
            ("image",),
        ),
        ({"x": 1}, {"x": 1.0}, ("x",)),
        ({"x": 1}, {"x": 1}, ()),
        (1, 2, ("everything",)),
    ],
)
def test_a_change_is_named_as_a_person_knows_it(
    before: Json, after: Json, expected: tuple[str, ...]
) -> None:
    assert expected == changes(before, after)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (job(lr="2e-4"), ("LR",)),
        (job("a-2"), ()),
        (job(runPolicy={"backoffLimit": 2}), ("backoffLimit",)),
        (job(runPolicy={"backoffLimit": 1, "suspend": True}), ("suspend",)),
    ],
)
def test_what_acts_in_a_run_is_named(after: JsonObject, expected: tuple[str, ...]) -> None:
    assert expected == changes_of_run(job(), after)


def test_a_queue_and_a_restart_policy_are_named() -> None:
    after = job()
    after["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] = "nlp"
    after["spec"]["pytorchReplicaSpecs"]["Worker"]["restartPolicy"] = "Never"

    assert ("queue", "restartPolicy") == changes_of_run(job(), after)
