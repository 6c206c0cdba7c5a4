"""Variables in containers and in the ConfigMaps that they read, on objects as anybody writes them.

What is wrong with a variable is tested in tests/test_variable*.py; here it is where it is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import Finding, Severity
from genjob.rules import check_job, check_objects

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json, JsonObject
    from tests.rules.conftest import Changed

SLIP = (
    "GJ202",
    "'NCCL_IB_DISABEL' is no variable that NCCL reads",
    "did you mean 'NCCL_IB_DISABLE'?",
)
TRUE = (
    "GJ203",
    "NCCL_IB_DISABLE 'true' is 0 to NCCL, the opposite of what it says",
    'write "1"',
)
WORKER: DocPath = ("spec", "pytorchReplicaSpecs", "Worker", "template", "spec")


def entries(*env: Json) -> dict[str, object]:
    """Return the change that gives the main container of the Master this `env`."""
    return {"main > env": [*env]}


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "NCCL_IB_DISABLE", "value": "1"},
        {"name": "NCCL_IB_DISABLE", "value": "$(OFF)"},
        {"name": "NCCL_IB_DISABLE", "value": "{{ .Values.off }}"},
        {"name": "NCCL_IB_DISABLE", "value": ""},
        {"name": "NCCL_IB_DISABLE"},
        {"name": "NCCL_IB_DISABLE", "value": 1},
        {"name": "NCCL_IB_DISABLE", "valueFrom": {"configMapKeyRef": {"name": "a", "key": "b"}}},
        {"name": "MY_NCCL_DEBUG", "value": "loud"},
        {"value": "1"},
        {"name": 1, "value": "1"},
    ],
)
def test_what_is_right_or_not_known_yet_is_passed_over(changed_job: Changed, entry: Json) -> None:
    assert [] == changed_job(entries(entry))


def test_a_wrong_name_is_told_at_the_name_and_a_wrong_value_at_the_value(
    changed_job: Changed,
) -> None:
    name: JsonObject = {"name": "NCCL_IB_DISABEL", "value": "true"}
    value: JsonObject = {"name": "NCCL_IB_DISABLE", "value": "true"}

    assert [
        (SLIP[0], "main > env > 0 > name", *SLIP[1:]),
        (TRUE[0], "main > env > 1 > value", *TRUE[1:]),
    ] == changed_job(entries(name, value))


def test_of_a_value_that_is_looked_up_later_the_name_is_checked(changed_job: Changed) -> None:
    source: JsonObject = {"secretKeyRef": {"name": "a", "key": "b"}}
    entry: JsonObject = {"name": "NCCL_IB_DISABEL", "valueFrom": source}

    assert [(SLIP[0], "main > env > 0 > name", *SLIP[1:])] == changed_job(entries(entry))


@pytest.mark.parametrize("name", ["RANK", "PET_NNODES", "MASTER_ADDR"])
def test_what_the_operator_sets_is_told_once(changed_job: Changed, name: str) -> None:
    found = changed_job(entries({"name": name, "value": "true"}))

    assert ["GJ647"] == [code for code, *_ in found]


def test_every_container_of_every_role_is_looked_at(job: JsonObject) -> None:
    entry: JsonObject = {"name": "NCCL_IB_DISABEL", "value": "1"}
    pod = value_at(job, WORKER)
    pod["initContainers"] = [{"name": "fetch", "image": "busybox", "env": [entry]}]
    expected = Finding(
        SLIP[0],
        (*WORKER, "initContainers", 0, "env", 0, "name"),
        *SLIP[1:],
        severity=Severity.ERROR,
    )

    assert [expected] == check_job(job)


def value_at(body: JsonObject, path: DocPath) -> JsonObject:
    """Return the mapping at a path of an object."""
    for key in path:
        below = body[str(key)]
        assert isinstance(below, dict)
        body = below
    return body


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("NCCL_IB_DISABEL", "1", SLIP),
        ("NCCL_IB_DISABLE", "true", TRUE),
        ("NCCL_IB_DISABLE", "1", None),
    ],
)
def test_a_config_map_is_checked_where_a_container_reads_all_of_it(
    job: JsonObject, key: str, text: str, expected: tuple[str, str, str] | None
) -> None:
    pod = value_at(job, WORKER)
    pod["containers"] = [
        {"name": "pytorch", "image": "a", "envFrom": [{"configMapRef": {"name": "settings"}}]}
    ]
    settings = config_map("settings", {key: text})
    found = [
        (index, each.path, each.at_key, each.code, each.message, each.hint)
        for index, each in check_objects([job, settings])
        if index
    ]

    at_key = key != "NCCL_IB_DISABLE"
    assert found == ([(1, ("data", key), at_key, *expected)] if expected else [])


def config_map(name: str, data: JsonObject) -> JsonObject:
    """Return a ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def test_the_prefix_of_a_config_map_is_part_of_the_name(job: JsonObject) -> None:
    """The valid job reads `settings` with the prefix CFG_, which nobody's variables have."""
    settings = config_map("settings", {"NCCL_IB_DISABEL": "1"})
    others = config_map("files", {"NCCL_IB_DISABEL": "1"})

    assert [] == check_objects([job, settings, others])
