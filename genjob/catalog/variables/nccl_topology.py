"""Topology, NVLink domains and plugins of NCCL: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CODE,
    FLAG01,
    INTEGER,
    TEXT,
    Grammar,
    Section,
    Variable,
)

_system = partial(Variable, source="nccl-env", section=Section.SYSTEM)
_debugging = partial(Variable, source="nccl-env", section=Section.DEBUGGING)
_undocumented = partial(Variable, source="nccl-src", section=Section.UNDOCUMENTED)

ROWS: Final[tuple[Variable, ...]] = (
    _system(
        "NCCL_CONF_FILE",
        TEXT,
        "File of KEY=VALUE lines, read before /etc/nccl.conf; the environment wins.",
        default="~/.nccl.conf",
        grammar=Grammar.PATH,
        since="2.23",
        note="No quotes around values, and ~ is not expanded.",
    ),
    _system(
        "NCCL_ENV_PLUGIN", TEXT, "Plugin that answers for environment variables.", since="2.28"
    ),
    _undocumented(
        "NCCL_GIN_PLUGIN", TEXT, "Library, or its suffix, for transfers that the GPU starts."
    ),
    _undocumented(
        "NCCL_GRAPH_FILE",
        TEXT,
        "XML of graphs to use instead of searching for them.",
        grammar=Grammar.PATH,
    ),
    _undocumented(
        "NCCL_HOSTID",
        TEXT,
        "Name of the machine by which ranks decide whether they share it.",
        note="The same text on two machines breaks shared memory and peer access.",
    ),
    _system(
        "NCCL_IGNORE_CPU_AFFINITY",
        FLAG01,
        "Place threads near the GPU, whatever CPUs the job was given.",
        default="0",
        since="2.4.6",
    ),
    _debugging(
        "NCCL_MNNVL_CLIQUE_ID",
        INTEGER,
        "Clique to believe in instead of the one reported; splits a domain.",
        default="-1",
        since="2.25",
    ),
    _undocumented(
        "NCCL_MNNVL_CROSS_CLIQUE", FLAG01, "Allow ranks of different cliques to join.", default="0"
    ),
    _debugging(
        "NCCL_MNNVL_ENABLE",
        CODE,
        "NVLink between machines: 0 off, 1 required, 2 where it exists.",
        default="2",
        choices=("0", "1", "2"),
        since="2.21",
        note=(
            "Needs an IMEX domain (a ComputeDomain) and cuMem; 1 on other machines stops the start."
        ),
    ),
    _debugging(
        "NCCL_MNNVL_UUID",
        INTEGER,
        "NVLink domain to believe in instead of the one reported, 64 bits.",
        default="-1",
        since="2.25",
    ),
    _system(
        "NCCL_NET_PLUGIN",
        TEXT,
        "Network plugin: a library, its suffix, or none for what is built in.",
        since="2.11",
        note="Unset loads any libnccl-net.so that the library path offers.",
    ),
    _system(
        "NCCL_PROFILER_PLUGIN",
        TEXT,
        "Profiler plugin: a library, its suffix, STATIC_PLUGIN or none.",
    ),
    _undocumented("NCCL_PROXY_CPUSET", TEXT, "CPUs for the proxy threads."),
    _undocumented("NCCL_RMA_PLUGIN", TEXT, "Library, or its suffix, for one-sided transfers."),
    _system(
        "NCCL_TOPO_DUMP_FILE",
        TEXT,
        "File that takes the topology NCCL found, as XML.",
        grammar=Grammar.PATH,
        since="2.6",
    ),
    _undocumented(
        "NCCL_TOPO_DUMP_FILE_RANK", INTEGER, "The rank whose topology is dumped.", default="0"
    ),
    _system(
        "NCCL_TOPO_FILE",
        TEXT,
        "XML of the machine that is read before NCCL looks for itself.",
        default="/var/run/nvidia-topologyd/virtualTopology.xml",
        grammar=Grammar.PATH,
        since="2.6",
        note="The path is in the container; a file of another machine type gives wrong graphs.",
    ),
    _undocumented(
        "NCCL_TUNER_CONFIG_FILE",
        TEXT,
        "Table (CSV) of the example tuner in NCCL's source.",
        grammar=Grammar.PATH,
    ),
    _system("NCCL_TUNER_PLUGIN", TEXT, "Tuner plugin: a library, its suffix, or none."),
)
