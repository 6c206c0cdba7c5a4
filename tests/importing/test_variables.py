"""The env of a container, and the fields that say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from genjob.importing.variables import env_from, variables

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


def container(env: str) -> JsonObject:
    loaded: JsonObject = yaml.safe_load(f"env: [{env}]")
    return loaded


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("NCCL_IB_DISABLE", "1", True),
        ("NCCL_IB_TIMEOUT", "22", 22),
        ("NCCL_BUFFSIZE", "8388608", "8Mi"),
        ("NCCL_IB_HCA", "mlx5_0,mlx5_1", ["mlx5_0", "mlx5_1"]),
        ("NCCL_IB_HCA", "=mlx5_0,mlx5_1", "=mlx5_0,mlx5_1"),
        ("NCCL_SOCKET_IFNAME", "^lo,docker", "^lo,docker"),
        ("NCCL_DEBUG", "INFO", "INFO"),
    ],
)
def test_a_variable_of_nccl_becomes_a_field_as_people_write_it(
    name: str, text: str, value: Json
) -> None:
    taken = variables(container(f"{{name: {name}, value: '{text}'}}"), with_nccl=True)

    assert ({}, {name.removeprefix("NCCL_").lower(): value}) == taken


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NCCL_IB_TIMEOUT", "1800"),
        ("NCCL_IB_TIMEOUT", "022"),
        ("NCCL_IB_DISABEL", "1"),
        ("nccl_debug", "INFO"),
    ],
)
def test_what_a_field_would_refuse_or_change_stays_in_env(name: str, text: str) -> None:
    taken = variables(container(f"{{name: {name}, value: '{text}'}}"), with_nccl=True)

    assert ({name: text}, {}) == taken


def test_sources_of_values_become_fields() -> None:
    own = container(
        "{name: A, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}},"
        "{name: B, valueFrom: {configMapKeyRef: {name: c, key: k}}},"
        "{name: C, valueFrom: {fieldRef: {fieldPath: status.podIP}}},"
        "{name: D, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1m}}}"
    )
    env = {
        "A": {"secret": "s", "key": "k", "optional": True},
        "B": {"config_map": "c", "key": "k"},
        "C": {"field": "status.podIP"},
        "D": {"resource": "limits.cpu", "divisor": "1m"},
    }

    assert (env, {}) == variables(own, with_nccl=True)
    assert {} == own


def test_a_source_that_no_field_holds_stays() -> None:
    of_another = (
        "{name: A, valueFrom: {resourceFieldRef: {containerName: b, resource: limits.cpu}}}"
    )
    own = container(f"{of_another}, {{name: B, value: x}}")

    assert {"B": "x"} == variables(own, with_nccl=True).env
    assert container(of_another) == own


@pytest.mark.parametrize(
    "env",
    [
        "{name: A, value: x}, {name: A, value: y}",
        "{name: A, value: $(B)}, {name: B, value: y}",
        "{name: A, value: $(A)}",
        "{value: x}",
    ],
)
def test_a_list_that_means_something_else_by_name_stays_whole(env: str) -> None:
    own = container(env)

    assert ({}, {}) == variables(own, with_nccl=True)
    assert container(env) == own


def test_env_from_is_taken_whole_or_not_at_all() -> None:
    plain: JsonObject = {"envFrom": [{"secretRef": {"name": "s"}, "prefix": "P_"}]}
    odd: JsonObject = {"envFrom": [{"secretRef": {"name": "s"}}, {"configMapRef": {}}]}

    assert [{"secret": "s", "prefix": "P_"}] == env_from(plain, without="")
    assert [] == env_from(odd, without="")
    assert {} == plain
    assert ["envFrom"] == [*odd]
