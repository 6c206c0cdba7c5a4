"""The TCP fabrics of Google Cloud, TCPX and TCPXO: a daemon moves data between GPUs and NICs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.fabrics.fabric import Fabric, Need, Part, PerSite, locked_memory, nccl
from genjob.catalog.fabrics.gke import (
    BY_RELEASE,
    LIBRARIES,
    host_path,
    interfaces,
    libraries,
    network_parts,
    networks_fit,
)

if TYPE_CHECKING:
    from genjob.catalog.fabrics.fabric import Site, Value

_GPUS: Final = tuple(f"/dev/nvidia{index}" for index in range(8))
_VERBS: Final = {"NCCL_IB_*": "for RDMA adapters only", "FI_*": "for the plugin of AWS"}


def _gvnics(count: int) -> PerSite:
    usual = [f"vpc{index}" for index in range(1, count + 1)]
    return PerSite(
        f"eth0 in default, eth1 to eth{count} in vpc1 to vpc{count} or the pool's networks",
        lambda site: interfaces(site.networks or usual, first=1),
    )


def _devices(container: str, *others: str) -> Part:
    """Return the annotation that gives a container the devices of all GPUs."""
    paths = (*_GPUS, "/dev/nvidiactl", "/dev/nvidia-uvm", *others)
    listed = "".join(f"- path: {path}\n" for path in paths)
    key = f"devices.gke.io/container.{container}"
    return Part(("pod_annotations", key), listed, "gke-device")


_FOR_DAEMON: Final = Part(
    ("pod_overrides", "volumes"),
    [
        {"name": "sys", "hostPath": {"path": "/sys"}},
        {"name": "proc-sys", "hostPath": {"path": "/proc/sys"}},
    ],
    "gke-device",
    "for the daemon only",
)


def _daemon(
    name: str, command: list[Value], capabilities: list[Value], *more: tuple[str, str]
) -> Part:
    """Return the side-car that moves data between GPUs and NICs.

    It is a native one: beside an ordinary one the pod would run for ever after the training.
    """
    mounts = (
        ("nvidia-libraries", LIBRARIES),
        ("sys", "/hostsysfs"),
        ("proc-sys", "/hostprocsysfs"),
        *more,
    )
    body: dict[str, Value] = {
        "name": name,
        "command": command,
        "env": [{"name": "LD_LIBRARY_PATH", "value": LIBRARIES}],
        "securityContext": {"capabilities": {"add": capabilities}},
        "volumeMounts": [{"name": volume, "mountPath": path} for volume, path in mounts],
    }

    def made(site: Site) -> Value | None:
        return [body | {"image": site.daemon_image}] if site.daemon_image else None

    shown = f"{name} with the pool's daemon_image: {' '.join(map(str, command))}"
    return Part(("sidecars",), PerSite(shown, made), "gke-device", BY_RELEASE, is_certain=False)


def _has_daemon(site: Site) -> bool:
    return bool(site.daemon_image)


TCPX: Final = Fabric(
    "gcp-tcpx",
    "GPUDirect-TCPX of a3-highgpu: four data NICs and a daemon",
    parts=(
        *network_parts(_gvnics(4)),
        _devices("tcpx-daemon"),
        _daemon(
            "tcpx-daemon",
            [
                "/tcpgpudmarxd/build/app/tcpgpudmarxd",
                "--gpu_nic_preset",
                "a3vm",
                "--gpu_shmem_type",
                "fd",
                "--uds_path",
                "/run/tcpx",
                "--setup_param",
                "--verbose 128 2 0",
            ],
            ["NET_ADMIN"],
            ("tcpx-socket", "/run/tcpx"),
        ),
        _FOR_DAEMON,
        locked_memory("gke-device"),
        *libraries("/home/kubernetes/bin/nvidia/lib64", LIBRARIES, LIBRARIES),
        Part(("storage",), [host_path("tcpx-socket", "/run/tcpx")], "gke-device"),
        *nccl(
            "gke-device",
            socket_ifname="eth0",
            gpudirecttcpx_ctrl_dev="eth0",
            gpudirecttcpx_socket_ifname=["eth1", "eth2", "eth3", "eth4"],
            gpudirecttcpx_unix_client_prefix="/run/tcpx",
            gpudirecttcpx_tx_bindings="eth1:8-21,112-125;eth2:8-21,112-125;"
            "eth3:60-73,164-177;eth4:60-73,164-177",
            gpudirecttcpx_rx_bindings="eth1:22-35,126-139;eth2:22-35,126-139;"
            "eth3:74-87,178-191;eth4:74-87,178-191",
            gpudirecttcpx_program_flow_steering_wait_micros=500000,
            algo=["Ring", "Tree"],
            proto=["Simple"],
            cross_nic=0,
            net_gdr_level="PIX",
            p2p_pxn_level=0,
            dynamic_chunk_size=524288,
            p2p_net_chunksize=524288,
            p2p_pci_chunksize=524288,
            p2p_nvl_chunksize=1048576,
            buffsize=4194304,
            nsocks_perthread=4,
            socket_nthreads=1,
        ),
    ),
    needs=(
        Need("daemon_image", "the image tcpgpudmarxd-dev that fits the plugin", _has_daemon),
        Need("networks", "the four networks of eth1 to eth4", networks_fit(4)),
    ),
    forbids=_VERBS | {"NCCL_FASTRAK_*": "for TCPXO of a3-megagpu"},
)

TCPXO: Final = Fabric(
    "gcp-tcpxo",
    "GPUDirect-TCPXO (FasTrak) of a3-megagpu: eight data NICs and a daemon",
    parts=(
        *network_parts(_gvnics(8)),
        _devices("tcpxo-daemon", "/dev/dmabuf_import_helper"),
        _daemon(
            "tcpxo-daemon",
            ["/fts/entrypoint_rxdm_container.sh", "--num_hops=2", "--num_nics=8"],
            ["NET_ADMIN", "NET_BIND_SERVICE"],
        ),
        _FOR_DAEMON,
        *libraries("/home/kubernetes/bin/nvidia/lib64", LIBRARIES, LIBRARIES),
        Part(("storage",), [host_path("aperture-devices", "/dev/aperture_devices")], "gke-device"),
        *nccl(
            "gke-device",
            note=BY_RELEASE,
            is_certain=False,
            socket_ifname="eth0",
            fastrak_ctrl_dev="eth0",
            fastrak_ifname=[f"eth{index}" for index in range(1, 9)],
            fastrak_num_flows=2,
            fastrak_use_snap=True,
            fastrak_use_llcm=True,
            fastrak_llcm_device_directory="/dev/aperture_devices",
            fastrak_enable_control_channel=False,
            fastrak_enable_hotpath_logging=False,
            fastrak_plugin_accept_timeout_ms=600000,
            proto=["Simple", "LL128"],
            cross_nic=0,
            net_gdr_level="PIX",
            min_ctas=4,
            nvls_enable=1,
            nvlstree_max_chunksize=131072,
            p2p_net_chunksize=524288,
            p2p_pci_chunksize=524288,
            p2p_nvl_chunksize=1048576,
            buffsize=8388608,
        ),
    ),
    needs=(
        Need("daemon_image", "the image tcpgpudmarxd-dev that fits the plugin", _has_daemon),
        Need("networks", "the eight networks of eth1 to eth8", networks_fit(8)),
        Need("nccl.tuner_plugin", "libnccl-tuner.so, together with tuner_config_path"),
        Need("nccl.tuner_config_path", "a3plus_tuner_config….textproto among the libraries"),
        Need(
            "nccl.shimnet_guest_config_checker_config_file",
            "a3plus_guest_config….textproto among the libraries",
        ),
    ),
    forbids=_VERBS | {"NCCL_GPUDIRECTTCPX_*": "for TCPX of a3-highgpu"},
)

ROWS: Final = (TCPX, TCPXO)
