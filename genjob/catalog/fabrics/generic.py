"""Fabrics that no cloud has for itself: NVLink in one machine, Ethernet, InfiniBand and RoCE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.fabrics.fabric import (
    OTHER_PLUGINS,
    Fabric,
    Need,
    Part,
    PerSite,
    attachments,
    locked_memory,
    nccl,
    pod_interface,
)

if TYPE_CHECKING:
    from genjob.catalog.fabrics.fabric import Site, Value

_ON_VERBS_ONLY: Final = "has an effect on RDMA adapters only"


def _exact_hcas(site: Site) -> Value | None:
    """Return the adapters of a machine that has others too; `=` means these and no others."""
    return ["=" + site.hcas[0], *site.hcas[1:]] if site.hcas else None


EXACT_HCAS: Final = PerSite("= and the adapters of the instance type, where known", _exact_hcas)

_HCAS: Final = Part(("nccl", "ib_hca"), EXACT_HCAS, "dgx", "those for training, not for storage")
_HCA_NEED: Final = Need("nccl.ib_hca", "the adapters that carry training; all when not given")
_DEVICES: Final = Need("fabric_resources", "the devices of the cluster's plugin: {rdma/ib: 8}")

ROWS: Final = (
    Fabric(
        "nvlink",
        "the GPUs of one machine; nothing leaves it",
        suits=None,
        joins_machines=False,
    ),
    Fabric(
        "ethernet",
        "TCP over the pod network; NCCL uses sockets",
        parts=(*nccl("nccl", ib_disable=True), pod_interface("nccl")),
        forbids=OTHER_PLUGINS
        | {
            "NCCL_IB_HCA": _ON_VERBS_ONLY,
            "NCCL_IB_GID_INDEX": _ON_VERBS_ONLY,
            "NCCL_NET_GDR_LEVEL": _ON_VERBS_ONLY,
        },
        needs=(
            Need("nccl.socket_nthreads", "threads of a connection; 4 on 100 Gbit/s"),
            Need("nccl.nsocks_perthread", "sockets of a thread; 4 on 100 Gbit/s"),
        ),
        suits=None,
    ),
    Fabric(
        "infiniband",
        "InfiniBand adapters through verbs, with GPUDirect RDMA",
        parts=(
            *nccl("nccl", ib_disable=False),
            pod_interface("nccl"),
            _HCAS,
            locked_memory("aks-rdma"),
            attachments("network-operator"),
        ),
        needs=(
            _DEVICES,
            _HCA_NEED,
            Need("networks", "names of NetworkAttachmentDefinitions, where the plugin needs them"),
        ),
        forbids=OTHER_PLUGINS | {"NCCL_IB_GID_INDEX": "has an effect on RoCE only"},
        suits=("azure-ib", "coreweave-ib"),
        takes_devices=True,
    ),
    Fabric(
        "roce",
        "RDMA over converged Ethernet (RoCE v2)",
        parts=(
            *nccl("nccl", ib_disable=False),
            *nccl(
                "nccl",
                note="the vendors' usual value; ECMP needs several flows",
                ib_qps_per_connection=4,
                ib_timeout=22,
            ),
            pod_interface("nccl"),
            _HCAS,
            locked_memory("aks-rdma"),
            attachments("network-operator"),
        ),
        needs=(
            _DEVICES,
            _HCA_NEED,
            Need("networks", "names of NetworkAttachmentDefinitions; without one there is no GID"),
            Need("nccl.ib_tc", "traffic class of the lossless queue: DSCP times 4"),
            Need("nccl.ib_gid_index", "for NCCL before 2.21 only: the row of `show_gids`"),
        ),
        forbids=OTHER_PLUGINS,
        suits=("oci-roce", "coreweave-ib"),
        takes_devices=True,
    ),
)
