"""What NCCL logs, checks and reports: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CHOICE,
    FLAG01,
    FLAG_WORD,
    INTEGER,
    LIST,
    TEXT,
    Grammar,
    Section,
    Variable,
)

_system = partial(Variable, source="nccl-env", section=Section.SYSTEM)
_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _debugging(
        "NCCL_CHECKS_DISABLE",
        FLAG01,
        "Skip the checks of arguments, in very old releases.",
        default="0",
        since="2.0.5",
        deprecated="since NCCL 2.2.12",
        obsolete=True,
    ),
    _debugging(
        "NCCL_CHECK_MODE",
        CHOICE,
        "How calls are verified: not at all, within the rank, or between ranks too.",
        default="DEFAULT",
        choices=("DEFAULT", "DEBUG_LOCAL", "DEBUG_GLOBAL"),
        since="2.29.7",
    ),
    _debugging(
        "NCCL_CHECK_POINTERS",
        FLAG01,
        "Let each call verify that its pointers belong to the right GPU.",
        default="0",
        since="2.2.12",
        deprecated="since NCCL 2.29.7",
        replaced_by="NCCL_CHECK_MODE=DEBUG_LOCAL",
    ),
    _system(
        "NCCL_DEBUG",
        CHOICE,
        "How much NCCL logs; unset says nothing, and errors still come back to the caller.",
        choices=("VERSION", "WARN", "INFO", "ABORT", "TRACE"),
        case_sensitive=False,
        note=(
            "WARN suits long runs: INFO prints rings and topology for each rank. TRACE needs a "
            "build with TRACE=1."
        ),
    ),
    _system(
        "NCCL_DEBUG_FILE",
        TEXT,
        "File that takes the log lines; %h becomes the host and %p the process.",
        default="stdout",
        grammar=Grammar.PATH,
        since="2.2.12",
        note=(
            "Use %h and %p, or processes overwrite each other's file; `kubectl logs` no longer "
            "shows the lines."
        ),
    ),
    _system(
        "NCCL_DEBUG_SUBSYS",
        LIST,
        "Parts of NCCL that log at INFO; NET shows which fabric was chosen.",
        default="INIT,BOOTSTRAP,ENV",
        choices=(
            "INIT",
            "COLL",
            "P2P",
            "SHM",
            "NET",
            "GRAPH",
            "TUNING",
            "ENV",
            "ALLOC",
            "ALLOC_HOST",
            "CALL",
            "PROXY",
            "NVLS",
            "BOOTSTRAP",
            "REG",
            "PROFILE",
            "RAS",
            "DESTROY",
            "ALL",
        ),
        case_sensitive=False,
        grammar=Grammar.SIGNED_WORDS,
        since="2.3.4",
        note="Needs debug INFO or TRACE. A single unknown word switches the whole list off.",
    ),
    _system(
        "NCCL_DEBUG_TIMESTAMP_FORMAT",
        TEXT,
        "Time stamp of a log line as strftime writes it; %3f adds milliseconds.",
        default="[%F %T] ",
        since="2.26",
        note="An empty text leaves the stamp out.",
    ),
    _system(
        "NCCL_DEBUG_TIMESTAMP_LEVELS",
        LIST,
        "Log levels whose lines carry a time stamp.",
        default="WARN",
        choices=("VERSION", "WARN", "INFO", "ABORT", "TRACE", "ALL"),
        case_sensitive=False,
        grammar=Grammar.SIGNED_WORDS,
        since="2.26",
    ),
    _undocumented(
        "NCCL_GRAPH_DUMP_FILE",
        TEXT,
        "File that takes the graphs NCCL decided on, as XML.",
        grammar=Grammar.PATH,
    ),
    _undocumented(
        "NCCL_GRAPH_DUMP_FILE_RANK", INTEGER, "The rank whose graphs are dumped.", default="0"
    ),
    _undocumented(
        "NCCL_NO_CACHE",
        LIST,
        "Parameters, or ALL, that NCCL looks up again each time instead of once.",
    ),
    _undocumented(
        "NCCL_NVTX_DISABLE",
        FLAG01,
        "Leave out the NVTX ranges that Nsight Systems shows.",
        default="0",
    ),
    _undocumented(
        "NCCL_PARAM_DUMP_ALL",
        FLAG_WORD,
        "List the value of each parameter at start.",
        default="false",
        note="Only releases with the new parameter framework.",
    ),
    _undocumented(
        "NCCL_PROXY_DUMP_SIGNAL",
        INTEGER,
        "Signal on which the proxy thread prints its state; -1 for none.",
        default="-1",
    ),
    _debugging(
        "NCCL_RAS_ADDR",
        TEXT,
        "Where the health service listens, as host:port, IPv6 in brackets.",
        default="localhost:28028",
        grammar=Grammar.ADDRESS,
        since="2.24",
        note=(
            "With hostNetwork two jobs on a node want the same port; another address than "
            "localhost is open to others."
        ),
    ),
    _debugging(
        "NCCL_RAS_ENABLE",
        FLAG01,
        "Run the health service that `ncclras` asks about a job that hangs.",
        default="1",
        since="2.24",
    ),
    _debugging(
        "NCCL_RAS_TIMEOUT_FACTOR",
        INTEGER,
        "Stretch every timeout of the health service by this factor.",
        default="1",
        minimum=1,
        since="2.24",
    ),
    _undocumented(
        "NCCL_REPORT_CONNECT_PROGRESS",
        FLAG01,
        "Report how far the connecting of peers has come.",
        default="0",
    ),
    _system(
        "NCCL_SET_THREAD_NAME",
        FLAG01,
        "Name the helper threads, so that `top` and a debugger tell them apart.",
        default="0",
        since="2.12",
    ),
    _undocumented(
        "NCCL_WARN_ENABLE_DEBUG_INFO",
        FLAG_WORD,
        "Switch to INFO once a warning was printed, to see what follows it.",
        default="false",
    ),
)
