"""Gloo and TensorPipe: their variables, one row each."""

from __future__ import annotations

from typing import Final

from genjob.catalog.variables.variable import CHOICE, FLAG01, LIST, TEXT, Grammar, Variable

ROWS: Final[tuple[Variable, ...]] = (
    Variable(
        "GLOO_DEVICE_TRANSPORT",
        CHOICE,
        "How gloo moves data.",
        source="torch-3p",
        default="TCP",
        choices=("TCP", "TCP_TLS", "UV", "IBVERBS"),
        confidence="medium",
    ),
    Variable(
        "GLOO_LOG_LEVEL",
        CHOICE,
        "How much gloo logs.",
        source="torch-3p",
        choices=("ERROR", "WARN", "INFO", "DEBUG"),
        confidence="low",
    ),
    Variable(
        "GLOO_SOCKET_IFNAME",
        LIST,
        "Interfaces of gloo, exact names with commas between; no ^ and no =.",
        source="torch-docs",
        grammar=Grammar.EXACT_NAMES,
        note="Unset, gloo takes the interface of the host's name, which may be the loopback.",
    ),
    Variable(
        "TORCH_GLOO_LAZY_INIT",
        FLAG01,
        "Connect gloo's peers when they first talk.",
        source="torch-3p",
        default="0",
        confidence="medium",
    ),
    Variable("TP_SOCKET_IFNAME", TEXT, "Interface of TensorPipe, for RPC.", source="torch-3p"),
)
