"""Layers → a job: who wins, which node pool is taken, when a fabric counts, and what is wrong."""

from __future__ import annotations

import pytest

from genjob.document import value_of
from genjob.resolve.job import resolve
from genjob.resolve.merge import value_at
from genjob.resolve.precedence import PRECEDENCE
from tests.written import HEAD, document, environment, job, resolved, winner

FABRIC_POOL = (
    "node_pools: [{name: ib, accelerator: h100, gpus_per_node: 8, fabric: infiniband, "
    "fabric_resources: {rdma/ib: 8}POOL}]\n"
)

# One field of each layer's, set by every layer from some rung on; the highest must win.
LADDER = (
    ("fabric infiniband", "", "", "false"),
    ("environment defaults", "defaults: {nccl: {ib_disable: true}}\n", "", "true"),
    (
        "node pool ib",
        "defaults: {nccl: {ib_disable: true}}\nPOOL: , nccl: {ib_disable: false}\n",
        "",
        "false",
    ),
    (
        "experiment",
        "POOL: , nccl: {ib_disable: false}\n",
        "nccl: {ib_disable: true}\n",
        "true",
    ),
    (
        "experiment, environment prod",
        "POOL: , nccl: {ib_disable: false}\n",
        "nccl: {ib_disable: true}\nenvironments: {prod: {nccl: {ib_disable: false}}}\n",
        "false",
    ),
)


@pytest.mark.parametrize(("layer", "prod", "experiment", "expected"), LADDER)
def test_each_layer_wins_over_those_below(
    layer: str, prod: str, experiment: str, expected: str
) -> None:
    own, _, in_pool = prod.partition("POOL: ")
    text = own + FABRIC_POOL.replace("POOL", in_pool.rstrip("\n"))

    found = job(f"nodes: 2\nresources: {{accelerator: h100}}\n{experiment}", text)

    value = value_of(value_at(found.tree, ("nccl", "ib_disable")) or "")
    assert (layer, expected) == (found.origins(("nccl", "ib_disable"))[0].layer, str(value).lower())


def test_the_layers_stand_in_the_documented_order() -> None:
    names = [make.__name__ for make in PRECEDENCE]

    assert ["_catalogue", "_fabric", "_labels", "_defaults", "_pool"] == names[:5]
    assert ["_experiment", "_override"] == names[5:]


def test_the_catalogue_lies_below_the_experiment() -> None:
    pool = "node_pools: [{name: h, instance_type: p5.48xlarge}]\n"

    by_table = job("resources: {accelerator: h100}\n", pool)
    by_hand = job("resources: {accelerator: h100, gpus_per_node: 4}\n", pool)

    assert (8, 4) == (
        by_table.experiment.resources.gpus_per_node,
        by_hand.experiment.resources.gpus_per_node,
    )
    assert winner(by_table, ("resources", "gpus_per_node")) == "instance type p5.48xlarge"


POOLS = (
    "node_pools:\n"
    "  - {name: cpu}\n"
    "  - {name: small, instance_type: g5.12xlarge}\n"
    "  - {name: big, accelerator: h100, gpus_per_node: 8}\n"
    "  - {name: big2, accelerator: h100}\n"
)


@pytest.mark.parametrize(
    ("experiment", "expected"),
    [
        ("", "cpu"),
        ("resources: {gpus_per_node: 0}\n", "cpu"),
        ("resources: {gpus_per_node: 1}\n", "small"),
        ("resources: {accelerator: h100}\n", "big"),
        ("resources: {accelerator: [a100, h100]}\n", "big"),
        ("resources: {accelerator: a10g}\n", "small"),
        ("scheduling: {node_pool: big2}\n", "big2"),
        ("environments: {prod: {resources: {accelerator: h100}}}\n", "big"),
    ],
)
def test_the_first_node_pool_that_fits_is_taken(experiment: str, expected: str) -> None:
    pool = job(experiment, POOLS).pool

    assert pool is not None
    assert expected == pool.name


def test_without_node_pools_a_job_lands_anywhere() -> None:
    assert job("resources: {accelerator: h100}\n", "").pool is None
    assert job("resources: {gpus_per_node: 1}\n", "node_pools: [{name: cpu}]\n").pool is None


@pytest.mark.parametrize(
    ("experiment", "expected"),
    [
        ("nodes: 2\nresources: {accelerator: h100}\n", "infiniband"),
        ("nodes: 1\nresources: {accelerator: h100}\n", "nvlink"),
        ("nodes: 2\nresources: {accelerator: h100}\nnetwork: {backend: gloo}\n", None),
        ("nodes: 2\n", None),
        ("nodes: 2\nresources: {accelerator: h100}\nnetwork: {fabric: roce}\n", "roce"),
        (
            "elastic: {min_nodes: 1, max_nodes: 2}\nresources: {accelerator: h100}\n",
            "infiniband",
        ),
    ],
)
def test_a_fabric_joins_machines_only_when_nccl_crosses_them(
    experiment: str, expected: str | None
) -> None:
    fabric = job(experiment, FABRIC_POOL.replace("POOL", "")).fabric

    assert expected == (fabric.name if fabric else None)


def test_a_pool_without_fabric_is_ethernet_and_a_base_has_none() -> None:
    text = "nodes: 2\nresources: {gpus_per_node: 1}\n"

    in_prod = job(text, "node_pools: [{name: a, accelerator: h100}]\n").fabric

    assert in_prod is not None
    assert (in_prod.name, job(text).fabric) == ("ethernet", None)


def test_devices_of_the_fabric_come_only_with_rdma() -> None:
    text = "nodes: 2\nresources: {accelerator: h100}\n"

    rdma = job(text, FABRIC_POOL.replace("POOL", ""))
    ethernet = job(f"{text}network: {{fabric: ethernet}}\n", FABRIC_POOL.replace("POOL", ""))

    assert {"rdma/ib": "8"} == rdma.experiment.resources.extended
    assert {} == ethernet.experiment.resources.extended


def test_the_master_sees_its_own_section_over_everything() -> None:
    found = job(
        "env: {A: a, B: b}\nresources: {cpu: 8, memory: 1Gi}\n"
        "master: {env: {A: c}, resources: {cpu: 2}, image: eval:1}\n"
    )

    assert (found.master.env, found.experiment.env) == ({"A": "c", "B": "b"}, {"A": "a", "B": "b"})
    assert (found.master.resources.cpu, found.master.resources.memory) == ("2", "1Gi")
    assert (found.master.image, found.experiment.image) == ("eval:1", "train:1.0")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("image",), ("master", "image")),
        (("env", "A"), ("master", "env", "A")),
        (("env", "B"), ("env", "B")),
        (("scheduling", "tolerations", 0, "key"), ("scheduling", "tolerations", 0, "key")),
        (("scheduling", "tolerations", 1), ("master", "scheduling", "tolerations", 0)),
        (("storage", 1, "mount_path"), ("master", "storage", 0, "mount_path")),
    ],
)
def test_a_value_that_the_master_sees_is_found_where_it_was_written(
    path: tuple[str | int, ...], expected: tuple[str | int, ...]
) -> None:
    found = job(
        "env: {A: a, B: b}\nscheduling: {tolerations: [{key: a}]}\n"
        "storage: [{name: a, mount_path: /a, empty_dir: {}}, "
        "{name: b, mount_path: /b, empty_dir: {}}]\n"
        "master: {image: b, env: {A: c}, scheduling: {tolerations: [{key: b}]}, "
        "storage: [{name: b, mount_path: /c}]}\n"
    )

    assert expected == found.from_master(path)


def test_what_is_wrong_for_the_master_alone_is_said_beside_the_rest() -> None:
    _, diagnostics = resolved("nodes: four\nmaster: {resources: {cpu: many}, imge: b}\n")

    assert {(5, 8), (6, 27), (6, 34)} == {
        (found.location.line, found.location.column) for found in diagnostics
    }


def test_a_mistake_that_both_roles_see_is_said_once() -> None:
    _, diagnostics = resolved("resources: {cpu: many}\nmaster: {resources: {memory: 1Gi}}\n")

    assert [(5, 18)] == [(d.location.line, d.location.column) for d in diagnostics]


def test_the_fields_for_an_environment_without_a_file_are_checked_too() -> None:
    text = HEAD + "environments: {prod: {nodes: many}}\n"

    found, diagnostics = resolve(document(text), override="prod")

    assert found is None
    assert ["found 'many' (string); expected an integer"] == [d.message for d in diagnostics]


def test_the_name_of_an_experiment_cannot_come_from_another_layer() -> None:
    text = HEAD + "environments: {prod: {name: b}}\n"

    found, _ = resolve(document(text), environment("defaults: {name: c}\n"), override="prod")

    assert found is not None
    assert found.experiment.name == "a"
