"""The networks that NCCL can send over: what makes it choose each, and how the log proves it.

Lines of the log: NVIDIA/nccl 2.30.7, src/init.cc and src/transport; aws/aws-ofi-nccl 1.17;
https://cloud.google.com/ai-hypercomputer/docs/nccl (gIB); google/nccl-plugin-gpudirecttcpx.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from genjob.catalog.variables.variable import EFA, TCPX, TCPXO, VERBS


@dataclass(frozen=True, slots=True)
class Network:
    """One network: the name that the log prints, and what in a pod speaks for it.

    `aliases` are what NCCL_NET may call it besides. `fabrics` are the profiles that mean it.
    `devices` are those of a plugin; any other network device is one of IB. `falls_back` says when
    NCCL takes TCP instead and logs no error, `unseen` what no manifest shows.
    """

    name: str
    meaning: str
    aliases: tuple[str, ...] = ()
    is_plugin: bool = False
    fabrics: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    host_paths: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    log: str = ""
    falls_back: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()


_NO_PLUGIN: Final = "NCCL does not find the plugin: libnccl-net.so is not on LD_LIBRARY_PATH"

LIBFABRIC: Final = Network(
    "Libfabric",
    "Elastic Fabric Adapters of AWS, through libfabric and the plugin aws-ofi-nccl",
    aliases=("AWS Libfabric",),
    is_plugin=True,
    fabrics=EFA,
    devices=("vpc.amazonaws.com/efa",),
    log="NET/OFI Selected provider is efa",
    falls_back=(_NO_PLUGIN, "libfabric finds no EFA, or FI_PROVIDER is not efa"),
    unseen=("whether the image holds libfabric and aws-ofi-nccl, and that they fit its NCCL",),
)

GIB: Final = Network(
    "gIB",
    "RDMA over Ethernet on Google Cloud, through the plugin gIB",
    is_plugin=True,
    fabrics=("gcp-gib",),
    host_paths=("/home/kubernetes/bin/gib",),
    scripts=("set_nccl_env.sh",),
    log="NET/gIB : Initializing gIB",
    falls_back=(_NO_PLUGIN, "the machine has no plugin installed in /home/kubernetes/bin/gib"),
    unseen=("whether the installer has put the plugin onto the machine",),
)

FASTRAK: Final = Network(
    "FasTrak",
    "GPUDirect-TCPXO of Google Cloud, through the plugin FasTrak and its daemon",
    is_plugin=True,
    fabrics=TCPXO,
    containers=("tcpxo-daemon",),
    annotations=("devices.gke.io/container.tcpxo-daemon",),
    scripts=("nccl-env-profile.sh",),
    variables=("NCCL_FASTRAK_",),
    log="NET/FasTrak",
    falls_back=(_NO_PLUGIN,),
    unseen=("whether plugin, daemon and installer have the same version",),
)

GPUDIRECT_TCPX: Final = Network(
    "GPUDirectTCPX_v7",
    "GPUDirect-TCPX of Google Cloud, through its plugin and daemon",
    is_plugin=True,
    fabrics=TCPX,
    containers=("tcpx-daemon",),
    annotations=("devices.gke.io/container.tcpx-daemon",),
    variables=("NCCL_GPUDIRECTTCPX_",),
    log="NET/GPUDirectTCPX",
    falls_back=(_NO_PLUGIN, "the daemon does not answer at /run/tcpx"),
    unseen=("whether plugin and daemon fit the NCCL of the image",),
)

IB: Final = Network(
    "IB",
    "InfiniBand or RoCE, through verbs",
    fabrics=tuple(name for name in VERBS if name != "gcp-gib"),
    host_paths=("/dev/infiniband",),
    variables=("NCCL_IB_",),
    log="NET/IB : Using [0]mlx5_0:1/IB, or /RoCE on Ethernet",
    falls_back=(
        "the image has no libibverbs",
        "no adapter of the pod matches NCCL_IB_HCA, or none of them has an active port",
    ),
    unseen=(
        "GPUDirect RDMA: the machine needs nvidia-peermem or DMA-BUF, else no '/GDRDMA' in the log",
        "whether IPC_LOCK reaches a process that is not root",
    ),
)

SOCKET: Final = Network(
    "Socket",
    "TCP over the pod network",
    fabrics=("ethernet",),
    log="NET/Socket : Using [0]eth0 and its address",
)

NETWORKS: Final = (LIBFABRIC, GIB, FASTRAK, GPUDIRECT_TCPX, IB, SOCKET)
"""The networks in the order in which NCCL tries them: a plugin, its own verbs code, TCP.

Source: https://github.com/NVIDIA/nccl/blob/v2.30.7-1/src/plugin/net.cc, ncclNetInit.
"""

INSIDE: Final[dict[str, tuple[str, str]]] = {
    "P2P": ("NVLink or PCIe where they join the GPUs, else shared memory", "via P2P/"),
    "SHM": ("shared memory of the machine", "via SHM/direct"),
    "NET": ("the network, even inside a machine", "via NET/"),
}
"""Way between the GPUs of one machine → what it is, and the words of the log.

Source: https://github.com/NVIDIA/nccl/tree/v2.30.7-1/src/transport, p2p.cc and shm.cc.
"""
