"""Generated experiments: what we accept, the cluster accepts and runs; what we refuse, it does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

from genjob.manifests import manifests
from genjob.prediction import predicted_pods
from genjob.yamltext import to_yaml
from tests.cluster.conformance import applied, changed_by_applying_again, unlike_the_prediction
from tests.cluster.overlays import placed
from tests.cluster.verdicts import disagreement, errors
from tests.experiments_strategy import environments, experiments
from tests.rendered_experiment import resolved
from tests.strategies import sample

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from tests.cluster.api import Cluster

COUNT = 250
LARGEST = 6
"""Pods of a job that is run: the operator makes 20 objects a second."""


@pytest.fixture(scope="module")
def generated() -> list[list[JsonObject]]:
    """Give the objects of experiments in an environment, the same ones each time."""
    pairs = sample(st.tuples(experiments(), environments()), COUNT)
    jobs = [
        resolved(to_yaml(experiment), to_yaml(environment)) for experiment, environment in pairs
    ]
    return [json.loads(json.dumps([each.body for each in manifests(job)])) for job in jobs]


def test_generated_objects_are_judged_alike(
    cluster: Cluster, generated: list[list[JsonObject]]
) -> None:
    found = [disagreement(cluster, objects) for objects in generated]

    assert [] == [why for why in found if why]


def test_what_is_accepted_runs_as_predicted(
    cluster: Cluster, generated: list[list[JsonObject]]
) -> None:
    overlays = [placed(each, f"generated-{n}") for n, each in enumerate(generated)]
    runs = [each for each in overlays if len(predicted_pods(each.job)) <= LARGEST]
    sound = [each for each in runs if not errors(each.objects)]

    assert len(sound) > 10
    for overlay in sound:
        assert [] == applied(cluster, overlay)
        assert [] == unlike_the_prediction(cluster, overlay)
        assert [] == changed_by_applying_again(cluster, overlay)
