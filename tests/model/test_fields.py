"""The keys that may stand somewhere are read from the models themselves."""

from __future__ import annotations

import pytest

from genjob.model.environment import Environment
from genjob.model.experiment import Experiment
from genjob.model.fields import field_at, home_of, known_keys
from genjob.model.run import RunPolicy
from genjob.model.storage import Pvc


def test_keys_are_known_at_every_depth() -> None:
    assert [*RunPolicy.model_fields] == known_keys(Experiment, ("run_policy",))
    assert [*Pvc.model_fields] == known_keys(Experiment, ("storage", 3, "pvc"))
    assert "secret" in known_keys(Experiment, ("env", "ANY"))
    assert "fabric" in known_keys(Environment, ("node_pools", 0))


@pytest.mark.parametrize("path", [("pod_overrides",), ("labels",), ("nodes",), ("zebra", "a")])
def test_where_any_key_may_stand_none_is_known(path: tuple[str, ...]) -> None:
    assert [] == known_keys(Experiment, path)


def test_a_field_knows_its_description() -> None:
    field = field_at(Experiment, ("storage", 0, "pvc", "claim"))

    assert field is not None
    assert field.description == "Name of an existing claim."
    assert field_at(Experiment, ("storage", 0, "zebra")) is None


def test_the_shortest_way_home_is_told() -> None:
    assert home_of(Experiment, ("queue",)) == "it belongs under 'scheduling'"
    assert home_of(Experiment, ("min_available",)) == "it belongs under 'scheduling.gang'"
    assert home_of(Experiment, ("run_policy", "nodes")) == "it belongs outside of 'run_policy'"
    assert home_of(Experiment, ("ib_hca",)) == "it belongs under 'nccl'"
    assert home_of(Experiment, ("zebra",)) == ""
