"""A pod matches nodes as the scheduler would match it; what is not known fits."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genjob.model.snapshot import NodeGroup, Snapshot, Taint
from genjob.rules.node_match import label_keys, matching, pods_on, short_of, untolerated

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

EFFECTS = ("NoSchedule", "NoExecute", "PreferNoSchedule")
SNAPSHOT = Snapshot(
    version="genjob/v1",
    name="prod",
    node_labels=["pool", "zone"],
    nodes=[
        NodeGroup(count=1, labels={"pool": "a", "zone": "x"}),
        NodeGroup(count=2, labels={"pool": "a"}),
        NodeGroup(count=3, labels={"zone": "x"}),
    ],
)


def pod(*terms: list[Json], **selector: str) -> JsonObject:
    """Return a pod with a node selector, and the terms of a required node affinity."""
    listed: list[Json] = [{"matchExpressions": term} for term in terms]
    required: JsonObject = {"nodeSelectorTerms": listed}
    affinity: JsonObject = {"requiredDuringSchedulingIgnoredDuringExecution": required}
    return {"nodeSelector": {**selector}, "affinity": {"nodeAffinity": affinity if terms else {}}}


def label(key: str, operator: str, *values: str) -> JsonObject:
    """Return one expression of an affinity."""
    return {"key": key, "operator": operator, "values": [*values]}


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        (pod(), [1, 2, 3]),
        (pod(pool="a"), [1, 2]),
        (pod(pool="a", zone="x"), [1]),
        (pod(pool="b"), []),
        (pod(pool="a", disk="nvme"), [1, 2]),
        (pod([label("zone", "In", "x", "y")]), [1, 3]),
        (pod([label("zone", "NotIn", "x")]), [2]),
        (pod([label("pool", "Exists")]), [1, 2]),
        (pod([label("pool", "DoesNotExist")]), [3]),
        (pod([label("zone", "Gt", "5")]), [1, 2, 3]),
        (pod([label("disk", "In", "nvme")]), [1, 2, 3]),
        (pod([label("pool", "Exists"), label("zone", "Exists")]), [1]),
        (pod([label("pool", "DoesNotExist")], [label("zone", "DoesNotExist")]), [2, 3]),
        (pod([label("zone", "Exists")], pool="a"), [1]),
    ],
)
def test_a_pod_goes_where_its_labels_are_or_are_not_known(
    asked: JsonObject, counts: list[int]
) -> None:
    assert counts == [group.count for group in matching(asked, SNAPSHOT)]


def test_the_keys_that_a_job_selects_by_are_those_of_selector_and_affinity() -> None:
    asked = pod([label("zone", "Exists")], [label("b", "In", "c")], pool="a")
    template: JsonObject = {"spec": asked}
    job: JsonObject = {"spec": {"pytorchReplicaSpecs": {"Master": {"template": template}}}}

    assert {"pool", "zone", "b"} == {*label_keys(job)}


TAINT = Taint(key="gpu", value="present", effect="NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "is_borne"),
    [
        ({"key": "gpu", "operator": "Exists"}, True),
        ({"operator": "Exists"}, True),
        ({"key": "gpu", "value": "present"}, True),
        ({"key": "gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}, True),
        ({"key": "gpu", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "gpu", "value": "true"}, False),
        ({"key": "gpu"}, False),
        ({"key": "gpus", "operator": "Exists"}, False),
        ({"key": "gpu", "operator": "Gt", "value": "3"}, True),
    ],
)
def test_a_toleration_bears_a_taint_by_key_value_and_effect(
    toleration: JsonObject, *, is_borne: bool
) -> None:
    group = NodeGroup(count=1, taints=[TAINT])

    assert ([] if is_borne else [TAINT]) == untolerated(group, [toleration])


@given(st.lists(st.builds(Taint, key=st.sampled_from("abc"), effect=st.sampled_from(EFFECTS))))
def test_a_pod_that_bears_everything_is_kept_away_by_nothing(taints: list[Taint]) -> None:
    """And one that bears nothing by all taints that keep pods away."""
    group = NodeGroup(count=1, taints=taints)
    hard = [taint for taint in taints if taint.effect != "PreferNoSchedule"]

    assert [] == untolerated(group, [{"operator": "Exists"}])
    assert hard == untolerated(group, [])


@pytest.mark.parametrize(
    ("requests", "short"),
    [
        ({"cpu": Fraction(8), "memory": Fraction(64 * 2**30)}, []),
        ({"cpu": Fraction(8001, 1000)}, ["cpu"]),
        ({"memory": Fraction(65 * 2**30 - 1)}, []),
        ({"memory": Fraction(65 * 2**30)}, ["memory"]),
        ({"rdma/ib": Fraction(1), "cpu": Fraction(9)}, ["rdma/ib", "cpu"]),
    ],
)
def test_a_node_has_less_than_a_whole_gi_more_than_it_says(
    requests: dict[str, Fraction], short: list[str]
) -> None:
    group = NodeGroup(count=1, allocatable={"cpu": "8", "memory": "64Gi"})

    assert short == short_of(group, requests)


def test_spread_pods_take_a_node_each() -> None:
    groups = [NodeGroup(count=3, allocatable={"cpu": "9"}), NodeGroup(count=1)]
    asked = {"cpu": Fraction(4)}

    assert 6 == pods_on(groups[:1], asked, spread=False)
    assert 4 == pods_on(groups, asked, spread=True)
