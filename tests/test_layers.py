"""Every resolved value knows the layer, file, line and column that set it."""

from __future__ import annotations

import pytest

from genjob.document import Plain
from genjob.resolve.layers import Layer, Mount
from tests.written import document, job, winner

EXPERIMENT = """\
nodes: 2
resources: {gpus_per_node: 8, accelerator: h100}
labels: {team: nlp}
env:
  A: a
  HUB: {secret: hub, key: token}
storage:
  - {name: data, mount_path: /data, pvc: {size: 1Gi}}
  - {name: tmp, mount_path: /tmp2, empty_dir: {}}
scheduling:
  tolerations: [{key: spot}]
environments:
  prod:
    nodes: 4
    env: {HUB: {secret: hub2, key: token}}
    storage: [{name: data, read_only: true}]
    scheduling: {tolerations: [{key: night}]}
"""
PROD = """\
labels: {cost: gpu}
defaults:
  args: [--default]
  env: {D: d}
  storage: [{name: tmp, sub_path: x}]
node_pools:
  - name: ib
    accelerator: h100
    fabric: infiniband
    fabric_resources: {rdma/ib: 8}
    node_selector: {pool: ib}
    tolerations: [{key: gpu}]
    env: {P: p}
    nccl: {ib_hca: [mlx5_0]}
"""
EX, EN = "experiments/a/experiment.yaml", "environments/prod.yaml"
OVERRIDE = f"experiment, environment prod {EX}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("nodes",), f"{OVERRIDE}:18:12"),
        (("resources", "gpus_per_node"), f"experiment {EX}:6:28"),
        (("labels", "team"), f"experiment {EX}:7:16"),
        (("labels", "cost"), f"environment labels {EN}:4:16"),
        (("env", "A"), f"experiment {EX}:9:6"),
        (("env", "HUB", "secret"), f"{OVERRIDE}:19:25"),
        (("env", "D"), f"environment defaults {EN}:7:12"),
        (("env", "P"), f"node pool ib {EN}:16:14"),
        (("args", 0), f"environment defaults {EN}:6:10"),
        (("storage", 0, "sub_path"), f"environment defaults {EN}:8:35"),
        (("storage", 0, "mount_path"), f"experiment {EX}:13:29"),
        (("storage", 1, "read_only"), f"{OVERRIDE}:20:39"),
        (("storage", 1, "pvc", "size"), f"experiment {EX}:12:49"),
        (("scheduling", "node_selector", "pool"), f"node pool ib {EN}:14:27"),
        (("scheduling", "tolerations", 0, "key"), f"node pool ib {EN}:15:25"),
        (("scheduling", "tolerations", 1, "key"), f"experiment {EX}:15:23"),
        (("scheduling", "tolerations", 2, "key"), f"{OVERRIDE}:21:38"),
        (("resources", "extended", "rdma/ib"), f"node pool ib {EN}:13:33"),
        (("nccl", "ib_hca", 0), f"node pool ib {EN}:17:21"),
        (("nccl", "ib_disable"), "fabric infiniband"),
        (("security", "capabilities", 0), "fabric infiniband"),
    ],
)
def test_the_winning_layer_is_named_with_its_place(
    path: tuple[str | int, ...], expected: str
) -> None:
    assert expected == winner(job(EXPERIMENT, PROD), path)


def test_all_layers_that_set_a_value_are_named_the_winner_first() -> None:
    found = job(EXPERIMENT, PROD)

    assert ["experiment, environment prod", "experiment"] == [
        origin.layer for origin in found.origins(("nodes",))
    ]


def test_what_no_layer_sets_is_looked_for_in_the_experiment() -> None:
    found = job(EXPERIMENT, PROD)

    assert (EX, 1) == (found.locate(("module",)).file, found.locate(("module",)).line)
    assert (EX, 6) == (
        found.locate(("resources", "cpu")).file,
        found.locate(("resources", "cpu")).line,
    )


def test_a_finding_about_a_value_of_a_table_points_into_the_experiment() -> None:
    assert EX == job(EXPERIMENT, PROD).locate(("nccl", "ib_disable")).file


def test_a_value_of_a_table_is_typed_as_a_person_would_have() -> None:
    layer = Layer.of_values("t", {"a": True, "b": {"c": 4}, "d": ["e", 1.5], "f": "no"})

    assert layer.tree == {
        "a": Plain(value=True, text="true"),
        "b": {"c": Plain(4, "4")},
        "d": ["e", Plain(1.5, "1.5")],
        "f": "no",
    }


def test_a_table_holds_only_what_yaml_can_say() -> None:
    with pytest.raises(TypeError):
        Layer.of_values("t", {"a": b"bytes"})


def test_a_document_without_the_part_gives_no_layer() -> None:
    mounts = (Mount((), ("defaults",)),)

    assert Layer.of_document("l", document("name: a\n"), mounts) is None
    assert Layer.of_document("l", document("defaults: text\n"), mounts) is None


def test_a_part_is_mounted_without_what_it_must_not_say() -> None:
    read = document("defaults: {name: b, nodes: 2}\n")

    layer = Layer.of_document("l", read, (Mount((), ("defaults",)),), without=("name",))

    assert layer is not None
    assert ["nodes"] == [*layer.tree]
    assert ("defaults", "nodes") == layer.document_path(("nodes",))
