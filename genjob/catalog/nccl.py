"""The NCCL variables that an experiment may set under `nccl:`, one row each.

The name of a field is the variable in lower case without its prefix, by rule and not by table:
`nccl.ib_hca` is `NCCL_IB_HCA`. A new variable is a new row here; the model, the JSON Schema, the
reference page and the rendered environment read this table.

NCCL parses integers with strtoll and ignores what follows: `true` is 0 and `8M` is 8. So booleans
are rendered 0/1 and sizes in plain bytes.
Source: NVIDIA NCCL user guide 2.30.7, chapter Environment Variables, and its source (param.cc).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

PREFIX = "NCCL_"

TOPOLOGY_LEVELS = ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS")
"""How far apart two devices may be, nearest first; NCCL compares them case-sensitively."""


class ValueType(StrEnum):
    """How a value is written in an experiment, and so how it is rendered."""

    FLAG = "flag"  # true/false → "1"/"0"
    INTEGER = "integer"
    CHOICE = "choice"
    LIST = "list"  # a list of words, or one text with its ^ or = → joined by commas
    SIZE = "size"  # 8Mi → "8388608"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: its type, what it may be, and one line of meaning."""

    field: str
    type: ValueType
    meaning: str
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The environment variable: `ib_hca` → `NCCL_IB_HCA`."""
        return variable_name(self.field)


def variable_name(field: str) -> str:
    """Return the environment variable of a field: `ib_hca` → `NCCL_IB_HCA`."""
    return PREFIX + field.upper()


_FLAG, _INTEGER, _CHOICE = ValueType.FLAG, ValueType.INTEGER, ValueType.CHOICE
_LIST, _SIZE, _TEXT = ValueType.LIST, ValueType.SIZE, ValueType.TEXT

VARIABLES: tuple[Variable, ...] = (
    Variable(
        "debug",
        _CHOICE,
        "How much NCCL logs; INFO says which network it chose, WARN is the sane default.",
        choices=("VERSION", "WARN", "INFO", "ABORT", "TRACE"),
    ),
    Variable("debug_subsys", _LIST, "Which parts log at INFO; NET shows the fabric in use."),
    Variable("debug_file", _TEXT, "File of the log; needs %h and %p to be unique per process."),
    Variable("socket_ifname", _LIST, "Interfaces for start-up and TCP; ^ excludes, = is exact."),
    Variable("socket_nthreads", _INTEGER, "CPU threads per TCP connection.", minimum=1, maximum=16),
    Variable("nsocks_perthread", _INTEGER, "Sockets per thread of a TCP connection.", minimum=1),
    Variable("net", _TEXT, "The network module that must be used: Socket, IB, Libfabric, gIB."),
    Variable("net_plugin", _TEXT, "Name of the network plugin to load, or none."),
    Variable(
        "net_gdr_level",
        _CHOICE,
        "Farthest GPU-NIC pair for GPUDirect RDMA.",
        choices=TOPOLOGY_LEVELS,
    ),
    Variable(
        "cross_nic",
        _INTEGER,
        "Whether a ring may change NICs between nodes: 0 never, 1 always, 2 prefer not.",
        minimum=0,
        maximum=2,
    ),
    Variable("ib_disable", _FLAG, "Keep NCCL off InfiniBand and RoCE; it then uses TCP."),
    Variable("ib_hca", _LIST, "The RDMA devices (HCAs), 32 at most; = is exact, ^ excludes."),
    Variable(
        "ib_timeout",
        _INTEGER,
        "Timeout of a verbs message: 4.096 µs times 2^value.",
        minimum=0,
        maximum=31,
    ),
    Variable("ib_retry_cnt", _INTEGER, "Retries of a verbs message.", minimum=0, maximum=7),
    Variable(
        "ib_gid_index",
        _INTEGER,
        "GID table entry for RoCE; unset is right from 2.21 on.",
        minimum=0,
        maximum=255,
    ),
    Variable("ib_sl", _INTEGER, "InfiniBand service level.", minimum=0, maximum=15),
    Variable(
        "ib_tc", _INTEGER, "Traffic class of RoCE packets: DSCP times 4.", minimum=0, maximum=255
    ),
    Variable(
        "ib_qps_per_connection",
        _INTEGER,
        "Queue pairs per connection, for ECMP entropy.",
        minimum=1,
        maximum=128,
    ),
    Variable("ib_split_data_on_qps", _FLAG, "Split each message over all queue pairs."),
    Variable(
        "ib_pci_relaxed_ordering",
        _INTEGER,
        "Relaxed ordering: 0 off, 1 on, 2 if possible.",
        minimum=0,
        maximum=2,
    ),
    Variable("ib_adaptive_routing", _FLAG, "Use adaptive routing; on by default on InfiniBand."),
    Variable("p2p_disable", _FLAG, "Keep GPUs of one node from NVLink and PCI peer access."),
    Variable(
        "p2p_level", _CHOICE, "Farthest pair of GPUs for peer access.", choices=TOPOLOGY_LEVELS
    ),
    Variable("shm_disable", _FLAG, "Use the network instead of shared memory in one node."),
    Variable(
        "nvls_enable", _INTEGER, "NVLink SHARP: 0 off, 1 on, 2 if possible.", minimum=0, maximum=2
    ),
    Variable("collnet_enable", _FLAG, "Use SHARP through the CollNet plugin."),
    Variable(
        "algo",
        _LIST,
        "Algorithms allowed: Ring, Tree, CollnetDirect, CollnetChain, NVLS, NVLSTree, PAT.",
    ),
    Variable("proto", _LIST, "Protocols allowed: LL, LL128, Simple."),
    Variable("buffsize", _SIZE, "Buffer per channel, in bytes.", minimum=1),
    Variable("topo_file", _TEXT, "Path of a topology file to load before detection."),
    Variable("ignore_cpu_affinity", _FLAG, "Place threads by the GPU and not by the job's CPUs."),
    Variable("pxn_disable", _FLAG, "Keep NCCL from the NIC of another GPU over NVLink."),
    Variable("min_ctas", _INTEGER, "Fewest CUDA blocks per collective.", minimum=1, maximum=64),
    Variable("max_ctas", _INTEGER, "Most CUDA blocks per collective.", minimum=1, maximum=64),
    Variable(
        "cumem_enable",
        _INTEGER,
        "cuMem allocation: 0 off, 1 on, -2 automatic.",
        minimum=-2,
        maximum=1,
    ),
)
