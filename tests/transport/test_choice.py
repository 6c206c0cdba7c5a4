"""Which network NCCL is going to choose, and what decided it: a table of pods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from genjob.catalog.fabrics import FABRICS
from genjob.catalog.transports import NETWORKS
from genjob.transport import Site, predicted_transports
from tests.hand_written import job, role

if TYPE_CHECKING:
    from genjob.transport import Transport

GPU = "nvidia.com/gpu: 8"
STOPS = "NCCL stops at its start, and does not fall back to TCP"
GOOGLE = "devices.gke.io/container"
IFNAME = "{name: NCCL_FASTRAK_IFNAME, value: eth1}"


@dataclass(frozen=True, slots=True)
class Pod:
    """Devices and variables of a container, more fields of it, and of the pod beside it."""

    devices: str = GPU
    env: str = ""
    more: str = ""
    beside: str = ""


def transport(pod: Pod, site: Site | None = None, *, pods: int = 2) -> Transport:
    """Return the transport of Workers that are such pods."""
    limits = f"resources: {{limits: {{{pod.devices}}}}}"
    container = f"{limits}, env: [{pod.env}], {pod.more}"
    policy = f"elasticPolicy: {{maxReplicas: {pods}}}"
    spec = f"{policy}\npytorchReplicaSpecs: {{Worker: {role(container, pods, pod.beside)}}}"
    return predicted_transports(job(spec), site)["Worker"]


def variable(name: str, value: str) -> str:
    return f"{{name: {name}, value: '{value}'}}"


@pytest.mark.parametrize(
    ("pod", "expected", "reason"),
    [
        (Pod(), "NET/Socket", "nothing puts an RDMA device into the pod"),
        (Pod(devices=f"{GPU}, rdma/ib: 8"), "NET/IB", "the pod asks for rdma/ib: 8"),
        (
            Pod(devices=f"{GPU}, nvidia.com/hostdev: 8"),
            "NET/IB",
            "the pod asks for nvidia.com/hostdev: 8",
        ),
        (
            Pod(devices=f"{GPU}, rdma/ib: 8", env=variable("NCCL_IB_DISABLE", "1")),
            "NET/Socket",
            "NCCL_IB_DISABLE is '1'",
        ),
        (
            Pod(devices=f"{GPU}, rdma/ib: 8", env=variable("NCCL_IB_DISABLE", "true")),
            "NET/IB",
            "NCCL_IB_DISABLE is 'true'",
        ),
        (
            Pod(beside="volumes: [{name: ib, hostPath: {path: /dev/infiniband/}}]"),
            "NET/IB",
            "the machine's '/dev/infiniband' is mounted",
        ),
        (
            Pod(
                env=variable("NCCL_IB_HCA", "=mlx5_0"),
                more="securityContext: {privileged: true}",
            ),
            "NET/IB",
            "the container is privileged: it sees the adapters of the machine",
        ),
        (Pod(more="securityContext: {privileged: true}"), "NET/Socket", "nothing puts"),
        (
            Pod(devices=f"{GPU}, vpc.amazonaws.com/efa: 32"),
            "NET/Libfabric",
            "the pod asks for vpc.amazonaws.com/efa: 32",
        ),
        (
            Pod(
                devices=f"{GPU}, vpc.amazonaws.com/efa: 32",
                env=variable("NCCL_NET_PLUGIN", "none"),
            ),
            "NET/Socket",
            "NCCL_NET_PLUGIN is 'none'",
        ),
        (
            Pod(devices=f"{GPU}, rdma/ib: 1", env=variable("NCCL_NET", "socket")),
            "NET/Socket",
            "NCCL_NET is 'socket'",
        ),
        (Pod(env=variable("NCCL_NET", "AWS Libfabric")), "NET/Libfabric", "NCCL_NET is 'AWS"),
        (Pod(env=variable("NCCL_NET", "IBext_v8")), "NET/IBext_v8", "NCCL_NET is 'IBext_v8'"),
        (
            Pod(env=f"{variable('NCCL_NET', 'IB')}, {variable('NCCL_IB_DISABLE', '1')}"),
            "none",
            "NCCL_NET is 'IB'",
        ),
        (
            Pod(beside="volumes: [{name: gib, hostPath: {path: /home/kubernetes/bin/gib}}]"),
            "NET/gIB",
            "the machine's '/home/kubernetes/bin/gib' is mounted",
        ),
        (
            Pod(more="command: [sh, -c, 'source /usr/local/gib/scripts/set_nccl_env.sh; x']"),
            "NET/gIB",
            "the command reads 'set_nccl_env.sh'",
        ),
        (
            Pod(beside="initContainers: [{name: tcpxo-daemon, restartPolicy: Always}]"),
            "NET/FasTrak",
            "container 'tcpxo-daemon' runs beside",
        ),
        (Pod(env=IFNAME), "NET/FasTrak", "NCCL_FASTRAK_IFNAME is set"),
        (
            Pod(env=variable("NCCL_GPUDIRECTTCPX_CTRL_DEV", "eth0")),
            "NET/GPUDirectTCPX_v7",
            "NCCL_GPUDIRECTTCPX_CTRL_DEV is set",
        ),
    ],
)
def test_the_network_between_machines(pod: Pod, expected: str, reason: str) -> None:
    found = transport(pod)

    assert (expected, "P2P") == (found.between, found.inside)
    assert found.reasons[0].startswith(reason) or reason in found.reasons


def test_an_annotation_of_google_speaks_for_its_daemon() -> None:
    own = f"metadata: {{annotations: {{{GOOGLE}.tcpx-daemon: x}}}}"
    worker = role(f"resources: {{limits: {{{GPU}}}}}", replicas=2)
    worker = worker.replace("template: {", f"template: {{{own}, ")
    found = predicted_transports(job(f"pytorchReplicaSpecs: {{Worker: {worker}}}"))["Worker"]

    assert ("NET/GPUDirectTCPX_v7", f"annotation '{GOOGLE}.tcpx-daemon' is there") == (
        found.between,
        found.reasons[0],
    )


def test_the_profile_gives_a_meaning_to_a_device_of_any_name() -> None:
    devices = f"{GPU}, example.com/nic: 4"

    assert "NET/Socket" == transport(Pod(devices)).between
    assert "NET/IB" == transport(Pod(devices), Site("roce")).between


def test_claimed_devices_are_those_of_the_profile() -> None:
    container = f"limits: {{{GPU}}}, claims: [{{name: mrdma}}]"
    spec = f"pytorchReplicaSpecs: {{Worker: {role(f'resources: {{{container}}}', replicas=2)}}}"
    found = predicted_transports(job(spec), Site("gcp-gib"))["Worker"]

    assert ("NET/gIB", "the container claims devices (resources.claims)") == (
        found.between,
        found.reasons[0],
    )


@pytest.mark.parametrize(
    ("env", "inside", "reasons"),
    [
        ("", "P2P", ()),
        (variable("NCCL_P2P_DISABLE", "1"), "SHM", ("NCCL_P2P_DISABLE is '1'",)),
        (variable("NCCL_P2P_LEVEL", "LOC"), "SHM", ("NCCL_P2P_LEVEL is 'LOC'",)),
        (variable("NCCL_P2P_DISABLE", "no"), "P2P", ()),
        (
            f"{variable('NCCL_P2P_DISABLE', '1')}, {variable('NCCL_SHM_DISABLE', '1')}",
            "NET",
            ("NCCL_P2P_DISABLE is '1'", "NCCL_SHM_DISABLE is '1'"),
        ),
    ],
)
def test_the_way_inside_one_machine(env: str, inside: str, reasons: tuple[str, ...]) -> None:
    found = transport(Pod(env=env), pods=1)

    assert ("", inside) == (found.between, found.inside)
    assert ("one pod: nothing leaves the machine", *reasons) == found.reasons


def test_one_process_in_one_machine_sends_nothing() -> None:
    found = transport(Pod("nvidia.com/gpu: 1"), pods=1)

    assert ("", "", ()) == (found.between, found.inside, found.log)


@pytest.mark.parametrize(
    ("pod", "backend", "expected", "reason"),
    [
        (Pod(), "gloo", "Gloo", "the back end is 'gloo'"),
        (Pod(), "mpi", "MPI", "the back end is 'mpi'"),
        (Pod(more="args: [--backend, gloo]"), None, "Gloo", "the back end is 'gloo'"),
        (Pod(more="args: [--dist-backend=MPI]"), None, "MPI", "the back end is 'mpi'"),
        (Pod(devices=""), None, "Gloo", "the pod has no GPU, and NCCL needs one"),
        (
            Pod(devices="aws.amazon.com/neuron: 16"),
            None,
            "unknown",
            "the pod asks for aws.amazon.com/neuron: 16, and for no GPU that NCCL knows",
        ),
    ],
)
def test_without_nccl_something_else_sends(
    pod: Pod, backend: str | None, expected: str, reason: str
) -> None:
    found = transport(pod, Site(backend=backend))

    assert (expected, (reason,)) == (found.between, found.reasons)


def test_gloo_needs_to_be_told_its_interface() -> None:
    told = transport(Pod(env=variable("GLOO_SOCKET_IFNAME", "eth0")), Site(backend="gloo"))

    assert ("the back end is 'gloo'", "GLOO_SOCKET_IFNAME is 'eth0'") == told.reasons
    assert () == told.caveats
    assert "without GLOO_SOCKET_IFNAME" in transport(Pod(), Site(backend="gloo")).caveats[0]


def test_nccl_falls_back_without_a_word_unless_a_network_is_forced() -> None:
    devices = f"{GPU}, rdma/ib: 8"
    free, forced = transport(Pod(devices)), transport(Pod(devices, variable("NCCL_NET", "IB")))

    assert "the image has no libibverbs" in free.falls_back
    assert "NCCL INFO Using network Socket" == free.bad_log
    assert ((), "NCCL WARN Failed to initialize any NET plugin") == (
        forced.falls_back,
        forced.bad_log,
    )
    assert "NCCL INFO Using network IB" == free.log[0] == forced.log[0]


@pytest.mark.parametrize(
    ("pod", "caveat"),
    [
        (
            Pod(devices=f"{GPU}, rdma/ib: 8", env=variable("NCCL_IB_DISABLE", "1")),
            "the pod asks for rdma/ib: 8 and does not use it",
        ),
        (Pod(env=variable("NCCL_IB_HCA", "mlx5")), "NCCL_IB_HCA has no effect on TCP"),
        (
            Pod(env=variable("NCCL_NET", "IB")),
            f"nothing puts its device into the pod: {STOPS}",
        ),
    ],
)
def test_what_the_manifest_shows_to_be_wrong(pod: Pod, caveat: str) -> None:
    assert (caveat,) == transport(pod).caveats


def test_it_says_what_no_manifest_shows() -> None:
    more = "envFrom: [{secretRef: {name: s}}], command: [sh, -c, 'NCCL_IB_TC=1 FI_LOG=x train']"
    node = "{name: NCCL_IB_HCA, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}"
    found = transport(Pod(f"{GPU}, rdma/ib: 8", node, more))

    assert (
        "NCCL_IB_HCA, which is looked up when the pod starts",
        "the variables of Secret 's'",
        "what the command sets itself: FI_LOG, NCCL_IB_TC",
        "variables of the image, and its /etc/nccl.conf",
    ) == found.unseen[-4:]
    assert any("nvidia-peermem" in each for each in found.unseen)


def test_a_config_map_that_is_known_is_read() -> None:
    more = "envFrom: [{configMapRef: {name: c}}]"
    known = Site(config_maps={"c": {"NCCL_NET": "Socket"}})

    assert ("NCCL_NET is 'Socket'",) == transport(Pod(more=more), known).reasons


def test_a_role_without_pods_has_no_transport() -> None:
    assert {} == predicted_transports(
        job(f"pytorchReplicaSpecs: {{Worker: {role('', replicas=0)}}}")
    )


def test_each_fabric_that_joins_machines_is_meant_by_one_network() -> None:
    meant = [name for network in NETWORKS for name in network.fabrics]
    joining = [name for name, fabric in FABRICS.items() if fabric.joins_machines]

    assert sorted(joining) == sorted(meant)


def test_each_network_has_a_proof_and_each_fast_one_a_way_to_fall_back() -> None:
    assert [] == [network.name for network in NETWORKS if not network.log]
    assert ["Socket"] == [network.name for network in NETWORKS if not network.falls_back]
