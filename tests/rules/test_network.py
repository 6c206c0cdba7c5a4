"""network.py and the rules on it: what is read of a job, and what a rule must not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from genjob.diagnostics import Severity
from genjob.rules import check_job
from genjob.rules.network import network_of
from tools.rule_examples import completed

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject


def job(snippet: str) -> JsonObject:
    """Return a job, completed from what matters of it."""
    (made,) = completed(yaml.safe_load(snippet) or {})
    return made


def env(**variables: str) -> str:
    """Return the snippet of a job whose containers have these variables."""
    entries = [f"{{name: {name}, value: '{value}'}}" for name, value in variables.items()]
    return f"container: {{env: [{', '.join(entries)}]}}"


def codes(snippet: str, *, fabric: str | None = None, backend: str | None = None) -> set[str]:
    """Return the codes of what the rules find, without the notes."""
    found = check_job(job(snippet), fabric=fabric, backend=backend)
    return {each.code for each in found if each.severity is not Severity.INFO}


def severity(code: str, snippet: str, fabric: str | None = None) -> Severity | None:
    """Return how much a finding weighs, None when there is none of this code."""
    found = check_job(job(snippet), fabric=fabric)
    return next((each.severity for each in found if each.code == code), None)


CHOICE_OF_ONE = """
pod:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: node.coreweave.cloud/type, operator: In, values: [gd-8xh100ib-i128]}
"""

SIGNS = [
    ("container: {resources: {limits: {vpc.amazonaws.com/efa: 4}}}", "aws-efa", "the device"),
    ("container: {resources: {limits: {nvidia.com/rdma-vf: 16}}}", "oci-roce", "the device"),
    ("pod: {initContainers: [{name: tcpx-daemon}]}", "gcp-tcpx", "the container"),
    ("pod: {containers: [{name: tcpxo-daemon}]}", "gcp-tcpxo", "the container"),
    (
        "pod: {volumes: [{name: gib, hostPath: {path: /home/kubernetes/bin/gib/}}]}",
        "gcp-gib",
        "the volume",
    ),
    (
        "pod: {nodeSelector: {node.kubernetes.io/instance-type: Standard_ND96isr_H100_v5}}",
        "azure-ib",
        "the machine",
    ),
    (
        "pod: {nodeSelector: {node.kubernetes.io/instance-type: ml.p5.48xlarge}}",
        "aws-efa",
        "the machine",
    ),
    (
        CHOICE_OF_ONE,
        "coreweave-ib",
        "the machine",
    ),
    ("container: {resources: {limits: {rdma/hca: 1}}}", "infiniband", "the device"),
    ("pod: {volumes: [{name: ib, hostPath: {path: /dev/infiniband}}]}", "infiniband", "the volume"),
]


@pytest.mark.parametrize(("snippet", "fabric", "sign"), SIGNS)
def test_the_fabric_of_a_job_is_told_by_a_sign(snippet: str, fabric: str, sign: str) -> None:
    master = network_of(job(snippet)).roles[0]

    assert fabric == master.guess.fabrics[0]
    assert master.guess.sign.startswith(sign)


@pytest.mark.parametrize(
    "snippet",
    [
        "",
        "container: {resources: {limits: {nvidia.com/gpu: 8, nvidia.com/mig-1g.5gb: 1}}}",
        "container: {resources: {limits: {rdma/hca: 0}}}",
        "pod: {nodeSelector: {node.kubernetes.io/instance-type: '$TYPE'}}",
    ],
)
def test_a_job_without_a_sign_may_be_on_any_fabric(snippet: str) -> None:
    assert () == network_of(job(snippet)).roles[0].guess.fabrics


def test_the_profile_of_a_rendered_job_is_believed_before_any_sign() -> None:
    efa = job("container: {resources: {limits: {vpc.amazonaws.com/efa: 4}}}")

    assert ("ethernet",) == network_of(efa, fabric="ethernet").roles[0].guess.fabrics


@pytest.mark.parametrize(
    ("fabric", "index", "expected"),
    [
        ("oci-roce", "3", None),
        ("gcp-gib", "3", None),
        ("oci-roce", "5", Severity.INFO),
        ("roce", "3", Severity.WARNING),
        ("roce", "0", Severity.WARNING),
        ("roce", "-1", None),
        ("infiniband", "3", Severity.INFO),
        ("aws-efa", "3", None),
        (None, "3", None),
        (None, "4", Severity.INFO),
        (None, "1", Severity.WARNING),
    ],
)
def test_the_fabric_decides_how_much_a_fixed_gid_index_weighs(
    fabric: str | None, index: str, expected: Severity | None
) -> None:
    assert expected == severity("GJ245", env(NCCL_IB_GID_INDEX=index), fabric)


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("mirror.example.com/hub/pytorch/pytorch:2.0.0-cuda11.7", None),
        ("pytorch/pytorch:2.4.1", None),
        ("pytorch/pytorch:2.5.0", Severity.WARNING),
        ("pytorch/pytorch:2.10.0", Severity.WARNING),
        ("example.com/train:2.0", Severity.WARNING),
    ],
)
def test_an_image_with_an_old_nccl_needs_the_gid_index(
    image: str, expected: Severity | None
) -> None:
    text = env(NCCL_IB_GID_INDEX="3").replace("{env", f"{{image: '{image}', env")

    assert expected == severity("GJ245", text, "roce")


@pytest.mark.parametrize(
    ("networks", "expected"),
    [
        ("vf,vf", None),
        ("ns/vf@net1, ns/vf@net2", None),
        ('[{"name": "vf"}, {"name": "vf"}]', None),
        ("vf,vf,vf", Severity.ERROR),
        ("vf,vf,other", Severity.WARNING),
        ("vf", Severity.WARNING),
        ("$NETWORKS", None),
        ("[not json", None),
    ],
)
def test_networks_beside_adapters_are_an_error_only_when_the_pod_cannot_be_made(
    networks: str, expected: Severity | None
) -> None:
    snippet = yaml.safe_dump(
        {
            "template": {"metadata": {"annotations": {"k8s.v1.cni.cncf.io/networks": networks}}},
            "container": {"resources": {"limits": {"nvidia.com/mlnxnics": 2}}},
        }
    )

    assert expected == severity("GJ229", snippet)


@pytest.mark.parametrize(
    "snippet",
    [
        env(NCCL_SOCKET_IFNAME="^lo"),
        env(NCCL_SOCKET_IFNAME="eth0,lo"),
        env(NCCL_SOCKET_IFNAME="et"),
        env(NCCL_SOCKET_IFNAME="$IFNAME"),
        "pod: {hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet}\n"
        + env(NCCL_SOCKET_IFNAME="ens5"),
        "template: {metadata: {annotations: {k8s.v1.cni.cncf.io/networks: ib}}}\n"
        + env(NCCL_SOCKET_IFNAME="net1"),
        "worker: null\n" + env(NCCL_SOCKET_IFNAME="lo"),
        "worker: null\n" + env(FI_PROVIDER="efa"),
        env(NCCL_DEBUG_FILE="/dev/stderr"),
        env(NCCL_PROTO="^LL128"),
        env(NCCL_ALGO="^Tree"),
        env(NCCL_ALGO="allreduce:Tree"),
        env(NCCL_P2P_LEVEL="NVL"),
        env(NCCL_DEBUG_SUBSYS="NET", NCCL_DEBUG="info"),
        env(NCCL_IB_DISABLE="1", NCCL_NET="Socket"),
        env(TORCH_NCCL_BLOCKING_WAIT="no", TORCH_NCCL_ASYNC_ERROR_HANDLING="3"),
        env(CUDA_DEVICE_MAX_CONNECTIONS="1"),
        "container: {securityContext: {privileged: true}}\n"
        + env(NCCL_NET="IB").replace("container: {", "master: {container: {")
        + "}",
    ],
)
def test_what_may_be_meant_is_not_reported(snippet: str) -> None:
    assert set() == codes(snippet) - {"GJ280"}


def test_a_name_that_stands_for_many_adapters_is_not_counted() -> None:
    text = (
        "container: {env: [{name: NCCL_IB_HCA, value: mlx5}], "
        "resources: {limits: {rdma/ib: 8}}, securityContext: {capabilities: {add: [IPC_LOCK]}}}"
    )

    assert set() == codes(text)


def test_rdma_by_a_resource_claim_counts_as_a_device() -> None:
    claimed = "container: {resources: {claims: [{name: rdma}]}, env: %s}"

    assert set() == codes(claimed % "[{name: NCCL_IB_HCA, value: mlx5}]")


def test_settings_from_a_config_map_are_not_taken_for_missing() -> None:
    text = (
        "container: {envFrom: [{configMapRef: {name: nccl}}], "
        "resources: {limits: {nvidia.com/rdma-vf: 16}}, "
        "securityContext: {capabilities: {add: [IPC_LOCK]}}}"
    )

    assert set() == codes(text)


def test_a_variable_that_is_misread_is_reported_once() -> None:
    snippet = env(NCCL_IB_TIMEOUT="1800") + "\n"
    snippet = snippet.replace("{env", "{resources: {limits: {vpc.amazonaws.com/efa: 4}}, env")

    found = [each for each in check_job(job(snippet)) if "Master" in each.path]

    assert ["GJ204", "GJ222"] == [each.code for each in found if each.code[:4] in ("GJ20", "GJ22")]
    assert found[0].path[:-1] == found[1].path[:-1]


def test_a_setting_for_another_environment_is_a_note_where_the_profile_is_known() -> None:
    text = env(NCCL_IB_TIMEOUT="22")

    assert Severity.INFO == severity("GJ222", text, "ethernet")
    assert Severity.INFO == severity("GJ222", text, "aws-efa")
    assert None is severity("GJ222", text, "roce")
    assert None is severity("GJ222", text)


def test_the_backend_of_an_experiment_says_what_its_command_does_not() -> None:
    assert {"GJ278"} == codes("", backend="gloo")
    assert set() == codes("", backend="nccl")


def test_a_machine_whose_adapters_nobody_looked_up_gives_a_warning() -> None:
    text = (
        "pod: {nodeSelector: {node.kubernetes.io/instance-type: %s}}\n"
        "container: {resources: {limits: {vpc.amazonaws.com/efa: 64, hugepages-2Mi: 5120Mi}}}"
    )

    assert Severity.ERROR == severity("GJ235", text % "p5.48xlarge")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("--master_addr=localhost", {"GJ625"}),
        ("--master-addr 127.0.0.1", {"GJ625"}),
        ("--rdzv_endpoint=localhost:29400", {"GJ625"}),
        ("--standalone", {"GJ625"}),
        ("--master_addr=$MASTER_ADDR", set()),
        ("--master_addr=train-master-0", set()),
    ],
)
def test_a_rendezvous_on_the_own_pod_is_read_from_the_command(
    flags: str, expected: set[str]
) -> None:
    assert expected == codes(f"container: {{command: [bash, -c, 'torchrun {flags} train.py']}}")
    assert set() == codes(
        f"worker: null\ncontainer: {{command: [bash, -c, 'torchrun {flags} train.py']}}"
    )
