"""NCCL on InfiniBand and RoCE: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    CODE,
    FLAG01,
    INTEGER,
    LIST,
    ROCE,
    SIZE,
    TEXT,
    VERBS,
    Grammar,
    Section,
    Variable,
)

_system = partial(Variable, source="nccl-env", section=Section.SYSTEM, fabrics=VERBS)
_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING, fabrics=VERBS)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED, fabrics=VERBS)

ROWS: Final[tuple[Variable, ...]] = (
    _undocumented(
        "NCCL_IBVERBS_LIB",
        TEXT,
        "Path of the verbs library, when it is not the system's.",
        grammar=Grammar.PATH,
    ),
    _debugging(
        "NCCL_IB_ADAPTIVE_ROUTING",
        FLAG01,
        "Send in a way that adaptive routing can use; InfiniBand does so unless told, RoCE not.",
        since="2.16",
    ),
    _system(
        "NCCL_IB_ADDR_FAMILY",
        CHOICE,
        "Address family of the GID that NCCL picks.",
        default="AF_INET",
        choices=("AF_INET", "AF_INET6"),
        since="2.21",
        fabrics=ROCE,
        note="Ignored once ib_gid_index is set.",
    ),
    _system(
        "NCCL_IB_ADDR_RANGE",
        TEXT,
        "Subnet, as CIDR, from which NCCL picks a GID.",
        grammar=Grammar.SUBNET,
        since="2.21",
        fabrics=ROCE,
        note="Ignored once ib_gid_index is set.",
    ),
    _debugging(
        "NCCL_IB_AR_THRESHOLD",
        SIZE,
        "Message size from which adaptive routing may move the data.",
        default="8192",
        since="2.6",
        note="Above buffsize it never happens.",
    ),
    _undocumented(
        "NCCL_IB_DATA_DIRECT",
        FLAG01,
        "Take the direct PCI path of ConnectX-8 and newer where it exists.",
        default="1",
    ),
    _undocumented(
        "NCCL_IB_DEVICE_PCI_ORDER", FLAG01, "Number the devices by their PCI address.", default="1"
    ),
    _debugging(
        "NCCL_IB_DISABLE",
        FLAG01,
        "Keep NCCL off InfiniBand and RoCE; another plugin or TCP carries the data.",
        default="0",
        fabrics=(),
        note=(
            "true on machines with RDMA NICs wastes them; false without an RDMA device in the "
            "pod ends in TCP, silently."
        ),
    ),
    _debugging(
        "NCCL_IB_ECE_ENABLE",
        FLAG01,
        "Negotiate enhanced connection establishment with the peer's NIC.",
        default="1",
        since="2.23",
    ),
    _system(
        "NCCL_IB_FIFO_TC",
        INTEGER,
        "Traffic class of control messages; ib_tc unless set.",
        minimum=0,
        maximum=255,
        since="2.22.3",
    ),
    _system(
        "NCCL_IB_GID_INDEX",
        INTEGER,
        "Row of the GID table that RoCE uses; -1 lets NCCL pick one (2.21 and newer).",
        default="-1",
        minimum=-1,
        maximum=255,
        since="2.1.4",
        fabrics=ROCE,
        note=(
            "NVIDIA advises to leave it unset from 2.21 on; 3 is a habit and no promise. "
            "InfiniBand ignores it."
        ),
    ),
    _system(
        "NCCL_IB_HCA",
        LIST,
        "RDMA devices to use, 32 at most, each with an optional :port:rail:plane.",
        grammar=Grammar.HCAS,
        max_items=32,
        note=(
            "Without = first, mlx5_1 also takes mlx5_10. ^ and = stand once, before the first "
            "name. Leave storage NICs out."
        ),
    ),
    _debugging(
        "NCCL_IB_MERGE_NICS",
        FLAG01,
        "Treat the two ports of a NIC as one device.",
        default="1",
        since="2.20",
    ),
    _undocumented(
        "NCCL_IB_MERGE_VFS", FLAG01, "Let virtual functions of one card merge too.", default="1"
    ),
    _undocumented(
        "NCCL_IB_MQP_RETRY_ALL",
        FLAG01,
        "Repeat a change of a queue pair's state after any error.",
        default="0",
    ),
    _undocumented(
        "NCCL_IB_MQP_RETRY_CNT",
        INTEGER,
        "How often a change of a queue pair's state is repeated.",
        default="34",
    ),
    _undocumented(
        "NCCL_IB_MQP_RETRY_SLEEP_MSEC",
        INTEGER,
        "Pause between two tries to change a queue pair's state.",
        default="100",
        unit="ms",
    ),
    _debugging(
        "NCCL_IB_OOO_RQ",
        FLAG01,
        "Let receive requests complete in another order than posted.",
        default="0",
        since="2.30",
    ),
    _debugging(
        "NCCL_IB_PCI_RELAXED_ORDERING",
        CODE,
        "Relaxed ordering on PCI: 0 off, 1 on, 2 where it is offered.",
        default="2",
        choices=("0", "1", "2"),
        since="2.12",
        note="1 on virtual machines of Azure.",
    ),
    _undocumented("NCCL_IB_PKEY", INTEGER, "Index of the partition key.", default="0", minimum=0),
    _debugging(
        "NCCL_IB_QPS_PER_CONNECTION",
        INTEGER,
        "Queue pairs of one connection; several spread over ECMP paths.",
        default="1",
        minimum=1,
        maximum=128,
        since="2.10",
    ),
    _undocumented(
        "NCCL_IB_QUERY_PORT_SPEED", FLAG01, "Ask a port for its extended speed.", default="1"
    ),
    _undocumented(
        "NCCL_IB_RESILIENCY_PORT_FAILOVER",
        FLAG01,
        "Move the traffic of a failed port to another one.",
        default="0",
    ),
    _undocumented(
        "NCCL_IB_RESILIENCY_PORT_RECOVERY",
        FLAG01,
        "Go back to a port that works again.",
        default="0",
    ),
    _system(
        "NCCL_IB_RETRY_CNT",
        INTEGER,
        "How often the NIC sends a message again; its field has 3 bits.",
        default="7",
        minimum=0,
        maximum=7,
        since="2.1.15",
    ),
    _system(
        "NCCL_IB_RETURN_ASYNC_EVENTS",
        FLAG01,
        "Stop the traffic when the NIC reports a fatal event.",
        default="1",
        since="2.23",
    ),
    _system(
        "NCCL_IB_ROCE_VERSION_NUM",
        CODE,
        "RoCE version of the GID that NCCL picks.",
        default="2",
        choices=("1", "2"),
        since="2.21",
        fabrics=ROCE,
        note="Ignored once ib_gid_index is set.",
    ),
    _undocumented(
        "NCCL_IB_ROUTABLE_FLID_GID_INDEX",
        INTEGER,
        "GID row of subnets with routable FLIDs.",
        default="1",
    ),
    _system(
        "NCCL_IB_SL",
        INTEGER,
        "Service level on InfiniBand; on RoCE the priority of the Ethernet frame.",
        default="0",
        minimum=0,
        maximum=15,
        since="2.1.4",
    ),
    _debugging(
        "NCCL_IB_SPLIT_DATA_ON_QPS",
        FLAG01,
        "Cut each message over all queue pairs instead of taking turns.",
        default="0",
        since="2.18",
        note="The default was true in 2.18 and 2.19.",
    ),
    _undocumented(
        "NCCL_IB_SUBNET_AWARE_ROUTING",
        FLAG01,
        "Choose the local device by the subnet of the peer.",
        default="0",
    ),
    _undocumented(
        "NCCL_IB_SUBNET_PREFIX_LEN",
        INTEGER,
        "Bits of the prefix that subnet-aware routing compares.",
        default="24",
        minimum=0,
        maximum=128,
    ),
    _system(
        "NCCL_IB_TC",
        INTEGER,
        "Traffic class of the packets; on RoCE it is DSCP times 4.",
        default="0",
        minimum=0,
        maximum=255,
        since="2.1.15",
        note=(
            "Must be the switches' lossless class. Seen: OCI 41, Google gIB 52, CoreWeave GB300 "
            "96, many sites 106."
        ),
    ),
    _system(
        "NCCL_IB_TIMEOUT",
        INTEGER,
        "Exponent of the acknowledge timeout: 4.096 µs times 2 to this power.",
        default="20",
        minimum=0,
        maximum=31,
        note=(
            "0 waits for ever. 22 is usual on large fabrics. The default was 18 from 2.14 and "
            "14 before."
        ),
    ),
    _undocumented(
        "NCCL_IB_USE_INLINE", FLAG01, "Put small sends into the work request itself.", default="0"
    ),
    _undocumented(
        "NCCL_IB_WARN_RAIL_LOCAL", FLAG01, "Warn when data crosses to another rail.", default="0"
    ),
)
