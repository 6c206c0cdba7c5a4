"""How NCCL chooses and uses its network: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    CODE,
    FLAG01,
    INTEGER,
    SHARP,
    TEXT,
    Grammar,
    Section,
    Variable,
)

_system = partial(Variable, source="nccl-env", section=Section.SYSTEM)
_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _undocumented(
        "NCCL_CONNECT_ROUND_MAX_PEERS",
        INTEGER,
        "Peers that are connected in one round at start.",
        default="128",
    ),
    _system(
        "NCCL_CROSS_NIC",
        CODE,
        "May a ring use another NIC on the next machine: 0 never, 1 always, 2 if it pays.",
        default="2",
        choices=("0", "1", "2"),
        note="0 on a rail-optimised fabric.",
    ),
    _undocumented(
        "NCCL_GDR_FLUSH_DISABLE",
        FLAG01,
        "Never flush after a GPUDirect receive.",
        default="0",
        note="Data may be wrong on hardware that needs the flush.",
    ),
    _debugging(
        "NCCL_IGNORE_COLLNET_MISMATCH",
        FLAG01,
        "Carry on although ranks count different CollNet devices.",
        default="0",
        since="2.30",
        fabrics=SHARP,
    ),
    _debugging(
        "NCCL_IGNORE_NET_MISMATCH",
        FLAG01,
        "Carry on although ranks count different NICs; false stops at start instead.",
        default="1",
        since="2.30",
        note="false finds a machine with a missing NIC.",
    ),
    _undocumented("NCCL_MAX_P2P_NCHANNELS", INTEGER, "Most channels for send/recv.", default="64"),
    _undocumented("NCCL_MIN_P2P_NCHANNELS", INTEGER, "Fewest channels for send/recv.", default="1"),
    _undocumented(
        "NCCL_NCHANNELS_PER_NET_PEER",
        INTEGER,
        "Channels to one peer on another machine, for send/recv.",
    ),
    _system(
        "NCCL_NET",
        TEXT,
        "The network module that must be used: Socket, IB, or the name a plugin gives itself.",
        since="2.10",
        note=(
            "Turns a silent fall back to TCP into an error. aws-ofi-nccl says Libfabric (AWS "
            "Libfabric in old ones), Google's RDMA gIB."
        ),
    ),
    _system(
        "NCCL_NETDEVS_POLICY",
        TEXT,
        "NICs for each GPU: AUTO shares them out, MAX:N takes up to N, ALL takes all.",
        default="AUTO",
        grammar=Grammar.NICS_PER_GPU,
        since="2.28",
    ),
    _undocumented(
        "NCCL_NET_DISABLE_INTRA",
        FLAG01,
        "Keep traffic between GPUs of one machine off the network.",
        default="0",
    ),
    _undocumented(
        "NCCL_NET_FORCE_FLUSH",
        FLAG01,
        "Flush after each GPUDirect receive, also where the hardware has no need.",
        default="0",
    ),
    _undocumented(
        "NCCL_NET_FORCE_MERGE",
        TEXT,
        "NICs to merge, written out: commas within a group, semicolons between groups.",
        grammar=Grammar.NIC_GROUPS,
    ),
    _undocumented(
        "NCCL_NET_MERGE_LEVEL",
        CHOICE,
        "Farthest pair of NIC ports that become one virtual NIC; LOC merges none.",
        default="PORT",
        choices=("LOC", "PORT", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS"),
        case_sensitive=True,
    ),
    _debugging(
        "NCCL_NET_MERGE_POLICY",
        CHOICE,
        "Whether all NICs within reach may merge, or only those of one rail.",
        default="ALL",
        choices=("ALL", "RAIL"),
        case_sensitive=False,
        since="2.30.5",
    ),
    _undocumented(
        "NCCL_NET_OPTIONAL_RECV_COMPLETION",
        FLAG01,
        "Let a plugin skip the completion of LL and LL128 receives.",
        default="1",
    ),
    _undocumented(
        "NCCL_NET_OVERHEAD",
        INTEGER,
        "Nanoseconds that the cost model adds for the network; -2 lets NCCL decide.",
        default="-2",
    ),
    _debugging(
        "NCCL_NET_SHARED_BUFFERS",
        FLAG01,
        "Take buffers of send/recv between machines from one shared pool.",
        default="1",
        since="2.8",
    ),
    _debugging(
        "NCCL_NET_SHARED_COMMS",
        FLAG01,
        "Reuse network connections where PXN joins several GPUs.",
        default="1",
        since="2.12",
    ),
    _undocumented(
        "NCCL_P2P_PER_CHANNEL_NET_BW",
        INTEGER,
        "GB/s that the cost model expects of one channel over the network.",
        default="14",
    ),
)
