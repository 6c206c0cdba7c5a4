"""Laws of the prediction: for every experiment, its pods are named, ranked and counted alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from genjob.manifests.pytorchjob import has_master, processes
from genjob.prediction import (
    effective_settings,
    predicted_pods,
    predicted_scale,
    predicted_services,
    ranks_of,
)
from genjob.transport import predicted_transports
from genjob.yamltext import to_yaml
from tests.experiments_strategy import environments, experiments
from tests.rendered_experiment import objects, resolved

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.prediction import PredictedPod


def read(pod: PredictedPod, name: str) -> str | None:
    """Return what the training container of a pod reads of a variable."""
    setting = effective_settings(pod.main).get(name)
    return setting.text if setting else None


@given(experiments(), environments())
def test_pods_are_named_once_and_found_by_their_service(
    experiment: JsonObject, environment: JsonObject
) -> None:
    body = objects(to_yaml(experiment), to_yaml(environment))[0].body
    pods, services = predicted_pods(body), predicted_services(body)

    assert len({pod.name for pod in pods}) == len(pods)
    assert [pod.name for pod in pods] == [service.name for service in services]
    for pod, service in zip(pods, services, strict=True):
        assert service.selector.items() <= pod.labels.items()


@given(experiments(), environments())
def test_each_node_has_a_rank_below_their_number(
    experiment: JsonObject, environment: JsonObject
) -> None:
    body = objects(to_yaml(experiment), to_yaml(environment))[0].body
    pods = predicted_pods(body)
    has_master = any(pod.role == "Master" for pod in pods)

    assert ([*range(len(pods))] if has_master else [None] * len(pods)) == [
        pod.node_rank for pod in pods
    ]
    for pod in pods if has_master else ():
        assert str(pod.node_rank) == read(pod, "RANK") == read(pod, "PET_NODE_RANK")


@given(experiments(), environments())
def test_world_size_is_nodes_times_processes(
    experiment: JsonObject, environment: JsonObject
) -> None:
    job = resolved(to_yaml(experiment), to_yaml(environment))
    body = objects(to_yaml(experiment), to_yaml(environment))[0].body
    pods = predicted_pods(body)
    counted = job.experiment.nproc_per_node not in ("detect", "gpu", "cpu", "xpu")
    each = processes(job.experiment) if counted else 1  # the operator counts a word as one

    assert job.experiment.nodes == len(pods)
    if has_master(job.experiment):
        assert {str(len(pods) * each)} == {read(pod, "WORLD_SIZE") for pod in pods}


@given(experiments(), environments())
def test_the_ranks_of_the_pods_are_all_ranks_each_once(
    experiment: JsonObject, environment: JsonObject
) -> None:
    body = objects(to_yaml(experiment), to_yaml(environment))[0].body
    scale = predicted_scale(body)
    spans = ranks_of(scale, predicted_pods(body)).values()
    dealt = [rank for first, last in spans for rank in range(first, last + 1)]

    assert not dealt or [*range((scale.ranks or (0, 0))[1])] == dealt


@given(experiments(), environments())
def test_a_prediction_changes_nothing_and_knows_a_transport_of_each_role(
    experiment: JsonObject, environment: JsonObject
) -> None:
    body = objects(to_yaml(experiment), to_yaml(environment))[0].body
    before = to_yaml(body)
    roles = {pod.role for pod in predicted_pods(body)}

    assert roles == {*predicted_transports(body)}
    assert before == to_yaml(body)
