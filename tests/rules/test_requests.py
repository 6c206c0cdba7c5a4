"""What the scheduler must find for a pod: init containers, side-cars and limits are counted."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genjob.rules.requests import gpus_in, job_requests, pod_requests

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

CPUS = st.integers(min_value=0, max_value=64)


def container(cpu: Json = None, **more: Json) -> JsonObject:
    """Return a container that requests some CPUs."""
    return {"resources": {"requests": {} if cpu is None else {"cpu": cpu}}, **more}


@pytest.mark.parametrize(
    ("init", "main", "expected"),
    [
        ([], [container("500m"), container(2)], Fraction(5, 2)),
        ([container(4), container(3)], [container(1)], 4),
        ([container(1, restartPolicy="Always")], [container(2)], 3),
        ([container(1, restartPolicy="Always"), container(4)], [container(2)], 5),
        ([container(4), container(1, restartPolicy="Always")], [container(2)], 4),
        ([], [{"resources": {"limits": {"cpu": "1500m"}}}], Fraction(3, 2)),
        ([], [{"resources": {"limits": {"cpu": 4}, "requests": {"cpu": 1}}}], 1),
    ],
)
def test_a_pod_asks_for_the_most_that_it_needs_at_any_time(
    init: list[Json], main: list[Json], expected: Fraction | int
) -> None:
    pod: JsonObject = {"initContainers": init, "containers": main}

    assert {"cpu": expected} == pod_requests(pod)


def test_what_is_no_quantity_asks_for_nothing() -> None:
    assert {} == pod_requests({"containers": [{"resources": {"requests": {"cpu": "four"}}}, 3]})


@given(CPUS, st.lists(CPUS, max_size=4), st.lists(CPUS, max_size=4))
def test_a_pod_never_asks_for_less_than_its_containers_or_any_init_container(
    main: int, init: list[int], sidecars: list[int]
) -> None:
    """Side-cars that start before all else add to each of them."""
    before: list[Json] = [
        *(container(n, restartPolicy="Always") for n in sidecars),
        *map(container, init),
    ]
    pod: JsonObject = {"initContainers": before, "containers": [container(main)]}
    asked = pod_requests(pod).get("cpu", 0)

    assert max([main, *init]) + sum(sidecars) == asked


def test_a_job_asks_for_all_pods_of_all_roles() -> None:
    container: JsonObject = {"resources": {"limits": {"amd.com/gpu": 8}}}
    role: JsonObject = {"template": {"spec": {"containers": [container]}}}
    roles: JsonObject = {"Master": role, "Worker": {**role, "replicas": 3}}
    job: JsonObject = {"spec": {"pytorchReplicaSpecs": roles}}
    asked = job_requests(job)

    assert ({"amd.com/gpu": Fraction(32)}, Fraction(32)) == (asked, gpus_in(asked))
