"""A node pool and its instance type → the layers of the catalogue and of the fabric."""

from __future__ import annotations

import pytest

from genjob.catalog.fabrics import FABRICS, PerSite
from genjob.document import value_of
from genjob.resolve.merge import value_at
from tests.written import job, resolved, winner

P5 = "node_pools: [{name: p5, instance_type: p5.48xlarge}]\n"
WHOLE = "resources: {accelerator: h100}\n"
EFA_TYPE = "instance type p5.48xlarge"


def asked(text: str, prod: str = P5) -> dict[str, object]:
    """Return the resources that a pod asks for, without those it leaves out."""
    return job(text, prod).experiment.resources.model_dump(
        exclude_none=True, exclude={"accelerator", "extended"}
    )


def test_an_accelerator_alone_is_a_whole_machine_less_some_headroom() -> None:
    assert {
        "gpus_per_node": 8,
        "cpu": "172",
        "memory": "1695Gi",
        "shm_size": "64Gi",
    } == asked(WHOLE)


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ("gpus_per_node: 8", {"cpu": "172", "memory": "1695Gi", "shm_size": "64Gi"}),
        ("gpus_per_node: 2", {"cpu": "43", "memory": "423Gi", "shm_size": "16Gi"}),
        ("gpus_per_node: 8, cpu: 4", {"cpu": "4", "memory": "1695Gi", "shm_size": "64Gi"}),
        ("gpus_per_node: 8, memory: 10Gi", {"cpu": "172", "memory": "10Gi", "shm_size": "5Gi"}),
        ("gpus_per_node: 8, shm_size: 1Gi", {"cpu": "172", "memory": "1695Gi", "shm_size": "1Gi"}),
        (
            "gpus_per_node: 1, memory_limit: 8Gi, cpu_limit: 4",
            {"memory_limit": "8Gi", "cpu_limit": "4", "shm_size": "4Gi"},
        ),
    ],
)
def test_what_is_not_said_is_the_share_of_the_gpus(
    resources: str, expected: dict[str, object]
) -> None:
    """A limit without a request is the request; a larger request would be refused."""
    found = asked(f"resources: {{{resources}}}\n")
    del found["gpus_per_node"]

    assert expected == found


@pytest.mark.parametrize(
    "text",
    ["resources: {gpus_per_node: 0, accelerator: h100}\n", "nodes: 1\n", "resources: {cpu: 4}\n"],
)
def test_a_job_without_gpus_gets_no_share(text: str) -> None:
    found = asked(text, "node_pools: [{name: p5, instance_type: p5.48xlarge}, {name: cpu}]\n")

    assert not {"memory", "shm_size"} & found.keys()


def test_a_pool_says_what_the_table_does_not_know_or_says_otherwise() -> None:
    pool = (
        "node_pools: [{name: p5, instance_type: p5.48xlarge, cpu: 100, memory: 1000Gi, "
        "gpus_per_node: 4}]\n"
    )
    assert {
        "gpus_per_node": 4,
        "cpu": "90",
        "memory": "900Gi",
        "shm_size": "32Gi",
    } == asked(WHOLE, pool)


def test_a_machine_of_unknown_size_gives_gpus_and_shared_memory_alone() -> None:
    pool = "node_pools: [{name: a, accelerator: h100, gpus_per_node: 8}]\n"

    assert {"gpus_per_node": 8, "shm_size": "64Gi"} == asked(WHOLE, pool)
    assert {} == asked(WHOLE, "node_pools: [{name: a, accelerator: h100}]\n")


MOUNTED = "{name: pytorch, volumeMounts: [{name: a, mountPath: /dev/shm}]}"


@pytest.mark.parametrize(
    "own",
    [
        "storage: [{name: shm, mount_path: /dev/shm/, empty_dir: {medium: memory}}]\n",
        "network: {host_ipc: true}\n",
        f"pod_overrides: {{containers: [{MOUNTED}]}}\n",
        "master: {storage: [{name: shm, mount_path: /dev/shm, empty_dir: {medium: memory}}]}\n",
    ],
)
def test_a_job_with_its_own_shared_memory_gets_no_other(own: str) -> None:
    assert "shm_size" not in asked(WHOLE + own)


def test_a_machine_is_selected_by_its_label_unless_the_pool_has_labels() -> None:
    label = "node.kubernetes.io/instance-type"
    labelled = "node_pools: [{name: a, instance_type: p5.48xlarge, node_selector: {pool: a}}]\n"

    by_type, by_pool = job(WHOLE, P5), job(WHOLE, labelled)

    assert {label: "p5.48xlarge"} == by_type.experiment.scheduling.node_selector
    assert {"pool": "a"} == by_pool.experiment.scheduling.node_selector
    assert EFA_TYPE == winner(by_type, ("scheduling", "node_selector", label))


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("instance_type: p5.48xlarge", "aws-efa"),
        ("instance_type: p5.48xlarge, fabric: ethernet", "ethernet"),
        ("instance_type: a2-ultragpu-8g, accelerator: h100", "ethernet"),
        ("accelerator: h100, gpus_per_node: 8", "ethernet"),
        ("accelerator: h100, gpus_per_node: 8, fabric: roce", "roce"),
    ],
)
def test_a_fabric_is_that_of_the_pool_else_of_its_type(pool: str, expected: str) -> None:
    fabric = job(f"nodes: 2\n{WHOLE}", f"node_pools: [{{name: a, {pool}}}]\n").fabric

    assert fabric is not None
    assert expected == fabric.name


@pytest.mark.parametrize("name", [name for name in FABRICS if name != "nvlink"])
def test_every_part_of_a_profile_comes_from_its_layer(name: str) -> None:
    pool = (
        f"node_pools: [{{name: a, accelerator: h100, gpus_per_node: 8, fabric: {name}, nics: 8, "
        "daemon_image: d}]\n"
    )
    found = job(f"nodes: 2\n{WHOLE}", pool)
    parts = [part for part in FABRICS[name].parts if not part.only_on]

    for part in parts:
        is_there = value_at(found.tree, part.path) is not None
        assert is_there or isinstance(part.value, PerSite), part.name
        assert not is_there or winner(found, part.path) == f"fabric {name}", part.name


OVERRIDES = (
    (("nccl", "ib_tc"), "nccl: {ib_tc: 7}", 7),
    (("env", "LD_LIBRARY_PATH"), "env: {LD_LIBRARY_PATH: /opt}", "/opt"),
    (("security", "privileged"), "security: {privileged: false}", False),
    (("network", "host_network"), "network: {host_network: false}", False),
    (
        ("resources", "extended", "rdma/ib"),
        "resources: {accelerator: h100, extended: {rdma/ib: 2}}",
        2,
    ),
    (("resources", "shm_size"), "resources: {accelerator: h100, shm_size: 1Gi}", "1Gi"),
    (
        ("pod_annotations", "networking.gke.io/default-interface"),
        "pod_annotations: {networking.gke.io/default-interface: eth1}",
        "eth1",
    ),
    (
        ("sidecars", 0, "image"),
        "sidecars: [{name: tcpxo-daemon, image: mine}]",
        "mine",
    ),
    (
        ("storage", 0, "mount_path"),
        "storage: [{name: nvidia-libraries, mount_path: /lib64, host_path: {path: /mine}}]",
        "/lib64",
    ),
)
POOLS_OF = {
    "pod_annotations": "gcp-tcpxo",
    "sidecars": "gcp-tcpxo",
    "storage": "gcp-tcpxo",
    "env": "gcp-gib",
    "resources": "coreweave-ib",
}


@pytest.mark.parametrize(("path", "written", "expected"), OVERRIDES)
def test_defaults_win_over_a_profile_and_an_experiment_over_both(
    path: tuple[str | int, ...], written: str, expected: object
) -> None:
    fabric = POOLS_OF.get(str(path[0]), "oci-roce")
    machine = "accelerator: h100, gpus_per_node: 8, daemon_image: d"
    pool = f"node_pools: [{{name: a, {machine}, fabric: {fabric}}}]\n"
    text = "nodes: 2\n" + ("" if written.startswith("resources") else WHOLE)
    by_default = job(f"nodes: 2\n{WHOLE}", f"defaults: {{{written}}}\n{pool}")
    by_experiment = job(f"{text}{written}\n", f"defaults: {{{written}}}\n{pool}")

    for found, layer in ((by_default, "environment defaults"), (by_experiment, "experiment")):
        value = value_at(found.tree, path)
        assert value is not None
        assert expected == value_of(value)
        assert winner(found, path).startswith(f"{layer} ")


def test_capabilities_of_a_profile_add_up_with_those_of_the_experiment() -> None:
    text = f"nodes: 2\n{WHOLE}security: {{capabilities: [SYS_NICE]}}\n"

    assert ["IPC_LOCK", "SYS_NICE"] == job(text, P5).experiment.security.capabilities


@pytest.mark.parametrize("text", [f"nodes: 2\nnetwork: {{backend: gloo}}\n{WHOLE}", WHOLE])
def test_a_gloo_job_and_one_machine_get_no_part_of_the_fabric(text: str) -> None:
    pool = "node_pools: [{name: p5, instance_type: p5.48xlarge, nccl: {net: Libfabric}}]\n"
    found = job(text, pool)

    assert {} == found.experiment.resources.extended
    assert {} == found.experiment.nccl
    assert [] == found.experiment.security.capabilities
    assert "64Gi" == found.experiment.resources.shm_size


def test_the_host_s_network_has_no_eth0() -> None:
    on_host = job(f"nodes: 2\n{WHOLE}network: {{host_network: true}}\n", P5)

    assert "socket_ifname" not in on_host.experiment.nccl


def test_what_a_fabric_lacks_stands_at_the_pool() -> None:
    _, found = resolved(
        f"nodes: 2\n{WHOLE}",
        "node_pools:\n  - {name: a, accelerator: h100, gpus_per_node: 8, fabric: gcp-tcpxo}\n",
    )

    assert [("GJ504", "environments/prod.yaml", 5, 12)] == [
        (each.code, each.location.file, each.location.line, each.location.column) for each in found
    ]


def test_a_base_does_without_what_only_a_pool_knows() -> None:
    found = job("nodes: 2\nresources: {gpus_per_node: 8}\nnetwork: {fabric: gcp-tcpxo}\n")

    assert [] == found.experiment.sidecars
    assert "eth0" == found.experiment.nccl["socket_ifname"]


HALF = "resources: {accelerator: h100, gpus_per_node: 4}\n"
HOLDING = (
    "node_pools:\n"
    "  - {name: one, instance_type: p5.4xlarge, nodes: 9}\n"
    "  - {name: few, instance_type: p5.48xlarge, nodes: 2}\n"
    "  - {name: many, instance_type: p5.48xlarge, nodes: 32}\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WHOLE, "one"),
        ("resources: {accelerator: h100, gpus_per_node: 2}\n", "few"),
        ("nodes: 4\nresources: {accelerator: h100, gpus_per_node: 8}\n", "many"),
        (f"nodes: 4\n{HALF}", "few"),
        (f"nodes: 4\nscheduling: {{spread: required}}\n{HALF}", "many"),
        ("nodes: 3\nresources: {accelerator: h100, gpus_per_node: 4, memory: 1500Gi}\n", "many"),
        ("nodes: 64\nresources: {accelerator: h100, gpus_per_node: 8}\n", "many"),
        ("resources: {accelerator: h100, gpus_per_node: 16}\n", "few"),
    ],
)
def test_the_first_pool_that_holds_a_request_is_taken_else_the_nearest(
    text: str, expected: str
) -> None:
    pool = job(text, HOLDING).pool

    assert pool is not None
    assert expected == pool.name
