"""UCX and SHARP: their variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import CHOICE, FLAG01, INTEGER, LIST, SHARP, Variable

_ucx = partial(Variable, source="ucx-src")

ROWS: Final[tuple[Variable, ...]] = (
    Variable(
        "SHARP_COLL_ENABLE_PCI_RELAXED_ORDERING",
        FLAG01,
        "Relaxed ordering on PCI, for SHARP.",
        source="coreweave",
        fabrics=SHARP,
    ),
    Variable(
        "SHARP_COLL_LOG_LEVEL",
        INTEGER,
        "How much SHARP logs, up to 5.",
        source="azure",
        default="2",
        minimum=0,
        maximum=5,
        fabrics=SHARP,
    ),
    _ucx(
        "UCX_IB_GID_INDEX",
        INTEGER,
        "Row of the GID table that UCX uses.",
        default="auto",
        choices=("auto",),
    ),
    _ucx(
        "UCX_IB_PCI_RELAXED_ORDERING",
        CHOICE,
        "Relaxed ordering on PCI, for UCX.",
        default="auto",
        choices=("on", "off", "auto", "try"),
        case_sensitive=False,
    ),
    _ucx(
        "UCX_IB_SL",
        INTEGER,
        "InfiniBand service level of UCX.",
        default="auto",
        minimum=0,
        maximum=15,
        choices=("auto",),
    ),
    _ucx(
        "UCX_IB_TRAFFIC_CLASS",
        INTEGER,
        "Traffic class of UCX's RoCE packets.",
        default="auto",
        minimum=0,
        maximum=255,
        choices=("auto",),
    ),
    _ucx(
        "UCX_LOG_LEVEL",
        CHOICE,
        "How much UCX logs.",
        default="warn",
        choices=("fatal", "error", "warn", "diag", "info", "debug", "trace"),
        case_sensitive=False,
    ),
    _ucx("UCX_MAX_RNDV_RAILS", INTEGER, "Devices that share one large message.", default="2"),
    _ucx(
        "UCX_MEMTYPE_CACHE",
        CHOICE,
        "Remember whether memory is of the host or of a GPU.",
        default="try",
        choices=("y", "n", "try"),
        case_sensitive=False,
    ),
    _ucx(
        "UCX_NET_DEVICES",
        LIST,
        "Network devices that UCX may use; mlx5_0:1 on InfiniBand, eth0 for TCP.",
        default="all",
    ),
    _ucx(
        "UCX_RNDV_SCHEME",
        CHOICE,
        "How UCX moves a message whose receiver is known.",
        default="auto",
        choices=("auto", "get_zcopy", "put_zcopy", "get_ppln", "put_ppln", "am", "rkey_ptr"),
        case_sensitive=False,
    ),
    _ucx(
        "UCX_TLS",
        LIST,
        "Transports that UCX may use; ^ first excludes.",
        default="all",
        note="NCCL itself does not use UCX: a UCX plugin, SHARP or MPI does.",
    ),
)
