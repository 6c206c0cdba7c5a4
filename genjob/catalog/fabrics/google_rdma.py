"""The RDMA fabric of Google Cloud: RoCE through the plugin gIB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.fabrics.fabric import Fabric, Need, Part, PerSite, locked_memory, nccl
from genjob.catalog.fabrics.gke import (
    LIBRARIES,
    host_path,
    interfaces,
    libraries,
    network_parts,
    networks_fit,
)

if TYPE_CHECKING:
    from genjob.catalog.fabrics.fabric import Site, Value

_GIB: Final = "/usr/local/gib"
_RECIPES: Final = "from public recipes, not from the vendor's script; changes by release"


def _rdma(site: Site) -> Value:
    """Return the interfaces for RDMA, eth2 and up; one network more is the second gVNIC, eth1."""
    count = site.nics or 8
    names = site.networks or [f"rdma-{index}" for index in range(count)]
    return interfaces(names, first=1 if len(names) > count else 2)


def _rdma_networks_fit(site: Site) -> bool:
    count = site.nics or 8
    return networks_fit(count, count + 1)(site)


def _tuner(accelerator: str, file: str) -> Part:
    path = f"{_GIB}/configs/{file}"
    return Part(
        ("nccl", "tuner_config_path"),
        path,
        "gke-recipes",
        _RECIPES,
        is_certain=False,
        only_on=(accelerator,),
    )


GIB: Final = Fabric(
    "gcp-gib",
    "RoCE of a3-ultragpu, a4 and a4x through Google's plugin gIB",
    parts=(
        *network_parts(
            PerSite("eth0 in default, eth2 and up in rdma-0 and up or the pool's networks", _rdma)
        ),
        *libraries("/home/kubernetes/bin/nvidia", "/usr/local/nvidia", f"{_GIB}/lib64:{LIBRARIES}"),
        Part(("storage",), [host_path("gib", "/home/kubernetes/bin/gib", _GIB)], "gke-device"),
        locked_memory("nccl", "not in the vendor's samples", is_certain=False),
        *nccl(
            "gke-recipes",
            note=_RECIPES,
            is_certain=False,
            net="gIB",
            socket_ifname="eth0",
            cross_nic=0,
            net_gdr_level="PIX",
            p2p_net_chunksize=131072,
            nvls_chunksize=524288,
            ib_adaptive_routing=True,
            ib_qps_per_connection=4,
            ib_tc=52,
            ib_fifo_tc=84,
        ),
        _tuner("h200", "tuner_config_a3u.txtpb"),
        _tuner("b200", "tuner_config_a4.txtpb"),
    ),
    needs=(
        Need(
            "networks",
            "the RDMA networks of eth2 and up; with one more, the first is that of eth1",
            _rdma_networks_fit,
        ),
        Need("nccl.tuner_config_path", "of other machines than a3-ultragpu and a4"),
    ),
    forbids={
        "FI_*": "for the plugin of AWS",
        "NCCL_GPUDIRECTTCPX_*": "for TCPX of a3-highgpu",
        "NCCL_FASTRAK_*": "for TCPXO of a3-megagpu",
    },
)

ROWS: Final = (GIB,)
