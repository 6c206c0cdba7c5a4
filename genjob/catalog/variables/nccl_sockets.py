"""How NCCL starts up and talks TCP: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    FLAG01,
    INTEGER,
    LIST,
    SIZE,
    TCP,
    TEXT,
    Grammar,
    Section,
    Variable,
)

_system = partial(Variable, source="nccl-env", section=Section.SYSTEM)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _undocumented(
        "NCCL_COMM_ID",
        TEXT,
        "Fixed host:port of the root, instead of one that is agreed at start.",
        grammar=Grammar.ADDRESS,
        note="torch.distributed agrees on one itself; leave this unset.",
    ),
    _system(
        "NCCL_NSOCKS_PERTHREAD",
        INTEGER,
        "TCP sockets that each thread of a connection opens.",
        default="1",
        minimum=1,
        maximum=64,
        since="2.4.8",
        fabrics=TCP,
        note="Times socket_nthreads at most 64. AWS starts with 8.",
    ),
    _system(
        "NCCL_OOB_NET_ENABLE",
        FLAG01,
        "Let start-up traffic take the fast network instead of IP sockets.",
        default="0",
        since="2.23",
    ),
    _system(
        "NCCL_OOB_NET_IFNAME",
        LIST,
        "Devices for start-up traffic over the fast network; the first match is taken.",
        grammar=Grammar.HCAS,
        since="2.23",
        note="Needs oob_net_enable: true.",
    ),
    _system(
        "NCCL_SOCKET_FAMILY",
        CHOICE,
        "Use IPv4 alone or IPv6 alone.",
        choices=("AF_INET", "AF_INET6"),
        case_sensitive=True,
    ),
    _system(
        "NCCL_SOCKET_IFNAME",
        LIST,
        "IP interfaces for start-up and for TCP; ^ first excludes, = first means exact names.",
        grammar=Grammar.INTERFACES,
        max_items=32,
        note=(
            "A name is a prefix unless = comes first. All that match are used; start-up runs "
            "here on every fabric, EFA and InfiniBand too."
        ),
    ),
    _undocumented(
        "NCCL_SOCKET_INLINE",
        SIZE,
        "Payload up to which data travels with its header.",
        default="128",
        fabrics=TCP,
    ),
    _system(
        "NCCL_SOCKET_MAGIC",
        INTEGER,
        "Number of 64 bits that both ends must share, so that jobs do not mix.",
    ),
    _undocumented(
        "NCCL_SOCKET_MIN_TASKSIZE",
        SIZE,
        "Least share of a message that a socket thread takes.",
        default="65536",
        fabrics=TCP,
    ),
    _system(
        "NCCL_SOCKET_NTHREADS",
        INTEGER,
        "CPU threads that feed one TCP connection.",
        default="1",
        minimum=1,
        maximum=16,
        since="2.4.8",
        fabrics=TCP,
        note=(
            "Times nsocks_perthread at most 64; 4 by 4 is usual at 100 Gbit/s. AWS starts with "
            "2, gVNIC with 4."
        ),
    ),
    _system(
        "NCCL_SOCKET_POLL_TIMEOUT_MSEC",
        INTEGER,
        "How long start-up sleeps in poll; 0 spins, which costs a CPU.",
        default="0",
        minimum=0,
        unit="ms",
        since="2.28",
    ),
    _undocumented(
        "NCCL_SOCKET_RCVBUF",
        SIZE,
        "Receive buffer of a data socket; -1 leaves it to the kernel.",
        default="-1",
        fabrics=TCP,
    ),
    _system(
        "NCCL_SOCKET_RETRY_CNT",
        INTEGER,
        "How often a refused or unreachable connection is tried again.",
        default="34",
        minimum=1,
        since="2.24",
    ),
    _system(
        "NCCL_SOCKET_RETRY_SLEEP_MSEC",
        INTEGER,
        "First pause between two tries; each further pause is longer.",
        default="100",
        minimum=1,
        unit="ms",
        since="2.24",
    ),
    _undocumented(
        "NCCL_SOCKET_SNDBUF",
        SIZE,
        "Send buffer of a data socket; -1 leaves it to the kernel.",
        default="-1",
        fabrics=TCP,
    ),
    _system(
        "NCCL_UID_STAGGER_RATE",
        INTEGER,
        "Messages a second at which first connections are spread out.",
        default="7000",
        minimum=1,
        since="2.23",
    ),
    _system(
        "NCCL_UID_STAGGER_THRESHOLD",
        INTEGER,
        "Ranks of one root from which their first connections are spread out.",
        default="256",
        minimum=1,
        since="2.23",
    ),
)
