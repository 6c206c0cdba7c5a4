"""The RDMA fabrics of AWS, Azure, Oracle Cloud and CoreWeave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.fabrics.fabric import (
    OTHER_PLUGINS,
    Fabric,
    Need,
    Part,
    PerSite,
    attachments,
    devices,
    locked_memory,
    nccl,
    nics_are_known,
    pod_interface,
)

if TYPE_CHECKING:
    from genjob.catalog.fabrics.fabric import Site, Value

_OWNED: Final = "the plugin sets it for each type of machine"
_GRACE: Final = ("gb200", "gb300")
_COUNT: Final = "how many devices a machine has"


def _huge_pages(site: Site) -> Value | None:
    return "5120Mi" if site.has_memory else None


def _no_huge_pages(site: Site) -> Value | None:
    return None if site.has_memory else "0"


AWS_EFA: Final = Fabric(
    "aws-efa",
    "Elastic Fabric Adapters through libfabric and the plugin aws-ofi-nccl",
    parts=(
        Part(("env", "FI_PROVIDER"), "efa", "efa-plugin", "needed by aws-ofi-nccl up to 1.5 only"),
        pod_interface("efa-samples"),
        devices("vpc.amazonaws.com/efa", "karpenter", shown="one for each EFA of the machine"),
        Part(
            ("resources", "hugepages_2mi"),
            PerSite("5120Mi, when cpu or memory is asked for", _huge_pages),
            "efa-samples",
            "buffers of libfabric; the machine must have set huge pages aside",
        ),
        Part(
            ("env", "FI_EFA_USE_HUGE_PAGE"),
            PerSite("0, when neither cpu nor memory is asked for", _no_huge_pages),
            "efa-plugin",
            "no huge pages without cpu or memory",
        ),
        locked_memory("skypilot", "not in the vendor's samples", is_certain=False),
    ),
    needs=(
        Need("nics", _COUNT, nics_are_known),
        Need("nccl.net", "Libfabric (older plugins: AWS Libfabric) forbids a fall back to TCP"),
        Need("env.LD_LIBRARY_PATH", "the folders of EFA and the plugin, where the image lacks it"),
    ),
    forbids={
        "NCCL_IB_*": "EFA is no adapter that NCCL's own verbs code knows",
        "NCCL_SOCKET_NTHREADS": "for TCP only",
        "NCCL_NSOCKS_PERTHREAD": "for TCP only",
        "RDMAV_*": "for verbs only",
        "FI_EFA_FORK_SAFE": "obsolete",
        "FI_EFA_ENABLE_SHM_TRANSFER": "has no effect on NCCL",
        "NCCL_BUFFSIZE": _OWNED,
        "NCCL_P2P_NET_CHUNKSIZE": _OWNED,
        "NCCL_NVLSTREE_MAX_CHUNKSIZE": _OWNED,
        "NCCL_NVLS_CHUNKSIZE": _OWNED,
        "NCCL_NET_FORCE_FLUSH": _OWNED,
        "NCCL_NETDEVS_POLICY": _OWNED,
        "NCCL_TOPO_FILE": _OWNED,
        "NCCL_TUNER_PLUGIN": _OWNED,
        "NCCL_GPUDIRECTTCPX_*": "for TCPX of Google Cloud",
        "NCCL_FASTRAK_*": "for TCPXO of Google Cloud",
    },
    takes_devices=True,
)

_AZURE_H100: Final = tuple(
    Part(("nccl", name), value, "azure-ai", not_on=_GRACE)
    for name, value in {
        "ib_pci_relaxed_ordering": 1,
        "ib_qps_per_connection": 4,
        "ignore_cpu_affinity": True,
        "p2p_net_chunksize": 524288,
        "pxn_disable": True,
        "min_ctas": 32,
    }.items()
)

AZURE_IB: Final = Fabric(
    "azure-ib",
    "InfiniBand of Azure, through virtual functions",
    parts=(
        *nccl("azure-ai", ib_disable=False),
        pod_interface("azure-ai"),
        Part(
            ("nccl", "ib_hca"),
            ["^mlx5_an"],
            "azure-images",
            "all but the Ethernet port mlx5_an0; images name the others mlx5_ib0 or mlx5_0",
            is_certain=False,
        ),
        *_AZURE_H100,
        Part(("env", "CUDA_DEVICE_ORDER"), "PCI_BUS_ID", "azure-ai"),
        Part(("env", "UCX_TLS"), "rc", "azure-ai", "for SHARP and MPI", not_on=_GRACE),
        devices("rdma/ib", "aks-rdma", shown="one for each adapter, of the SR-IOV plugin"),
        locked_memory("aks-rdma"),
        attachments("azure-ai", "for IP over InfiniBand only, when the pool has networks"),
    ),
    needs=(
        Need("nics", _COUNT, nics_are_known),
        Need(
            "fabric_resources",
            "{rdma/shared_ib: 1} with the shared plugin, {nvidia.com/mlnxnics: 8} on old clusters",
        ),
        Need("nccl.topo_file", "path of ndv4-topo.xml or ndv5-topo.xml in the image"),
        Need("env.UCX_NET_DEVICES", "mlx5_ib0:1 or mlx5_0:1, for SHARP and MPI"),
        Need("networks", "the attachment for IP over InfiniBand: aks-infiniband"),
    ),
    forbids=OTHER_PLUGINS | {"NCCL_IB_GID_INDEX": "has an effect on RoCE only"},
    takes_devices=True,
)


def _is_on_host(site: Site) -> Value | None:
    return None if site.networks else True


def _oci_hcas(site: Site) -> Value | None:
    on_host = site.hcas and not site.networks
    return ["=" + site.hcas[0], *site.hcas[1:]] if on_host else ["mlx5"]


def _virtual_functions(site: Site) -> Value | None:
    return site.nics if site.networks and not site.has_devices else None


def _oci(only_on: tuple[str, ...], **fields: Value) -> tuple[Part, ...]:
    return tuple(
        Part(("nccl", name), value, "oke", only_on=only_on) for name, value in fields.items()
    )


OCI_ROCE: Final = Fabric(
    "oci-roce",
    "RoCE of the bare-metal machines, in the host's network or through virtual functions",
    parts=(
        Part(
            ("network", "host_network"),
            PerSite("true, unless the pool has networks", _is_on_host),
            "oke",
            "the DNS policy follows it",
        ),
        Part(("security", "privileged"), value=True, source="oke"),
        locked_memory("oke"),
        Part(
            ("storage",),
            [
                {
                    "name": "infiniband",
                    "mount_path": "/dev/infiniband",
                    "host_path": {"path": "/dev/infiniband"},
                }
            ],
            "oke",
        ),
        *nccl("oke", ib_disable=False),
        Part(
            ("nccl", "ib_hca"),
            PerSite("= and the adapters of the instance type; mlx5 when not known", _oci_hcas),
            "oke",
            "mlx5 may take front-end ports too",
        ),
        *nccl(
            "oke",
            note="the vendor's documented value; NVIDIA advises against it from NCCL 2.21 on",
            is_certain=False,
            ib_gid_index=3,
        ),
        *nccl("oke", ib_tc=41, ib_sl=0, ib_timeout=22, ib_split_data_on_qps=False),
        *_oci(("a100",), ib_qps_per_connection=4),
        *_oci(
            ("h100", "h200", "b200", "b300"),
            cumem_enable=0,
            socket_ifname="eth0",
            ignore_cpu_affinity=True,
        ),
        *_oci(("gb200",), net_plugin="sys"),
        *_oci(("gb300",), net_plugin="none", net_gdr_c2c=True),
        *_oci(("rtx-pro-6000",), algo=["Tree"], min_ctas=8),
        *_oci(("mi355x",), ib_gid_index=1, ib_fifo_tc=185),
        attachments("oke", "virtual functions, when the pool has networks"),
        Part(
            ("resources", "extended", "nvidia.com/rdma-vf"),
            PerSite("one for each NIC, when the pool has networks", _virtual_functions),
            "oke",
        ),
    ),
    needs=(
        Need("networks", "[default/rdma-vf] takes virtual functions instead of the host's network"),
        Need(
            "nics",
            "how many virtual functions a machine has",
            lambda site: not site.networks or nics_are_known(site),
        ),
    ),
    forbids=OTHER_PLUGINS,
    takes_devices=True,
)


def _ucx_devices(site: Site) -> Value | None:
    return ",".join(f"ibp{index}:1" for index in range(site.nics)) if site.nics else None


COREWEAVE_IB: Final = Fabric(
    "coreweave-ib",
    "InfiniBand of CoreWeave; one device stands for all adapters",
    parts=(
        *nccl("coreweave", ib_disable=False),
        pod_interface("coreweave"),
        *nccl("coreweave", ib_hca=["ibp"], collnet_enable=False, net_plugin="none"),
        Part(("nccl", "net_gdr_c2c"), value=True, source="coreweave", only_on=("gb200",)),
        Part(
            ("env", "UCX_NET_DEVICES"),
            PerSite("ibp0:1, ibp1:1 and so on, one for each NIC", _ucx_devices),
            "coreweave",
            "for SHARP and MPI",
        ),
        Part(("env", "SHARP_COLL_ENABLE_PCI_RELAXED_ORDERING"), "1", "coreweave"),
        Part(
            ("resources", "extended", "rdma/ib"),
            PerSite("1, which stands for all", lambda site: None if site.has_devices else 1),
            "coreweave",
        ),
        locked_memory("skypilot", "not in the vendor's samples", is_certain=False),
        attachments("coreweave", "GB300 on RoCE only, when the pool has networks"),
    ),
    needs=(
        Need("networks", "GB300 on RoCE: cw-multus/ibs0p0-macvlan and so on, 16 of them"),
        Need("nccl", "GB300 on RoCE: ib_addr_family: AF_INET6, ib_addr_range, ib_tc: 96"),
    ),
    forbids=OTHER_PLUGINS,
    takes_devices=True,
)

ROWS: Final = (AWS_EFA, AZURE_IB, OCI_ROCE, COREWEAVE_IB)
