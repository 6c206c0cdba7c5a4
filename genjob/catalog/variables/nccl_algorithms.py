"""Algorithms, protocols, channels and buffers of NCCL: its variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import (
    CODE,
    FLAG01,
    INTEGER,
    LIST,
    SHARP,
    SIZE,
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
        "NCCL_ALGO",
        TEXT,
        "Algorithms that may be used, for all collectives or for one: allreduce:tree,ring.",
        choices=("Ring", "Tree", "CollnetChain", "CollnetDirect", "NVLS", "NVLSTree", "PAT"),
        case_sensitive=False,
        grammar=Grammar.PER_COLLECTIVE,
        since="2.5",
        note=(
            "From 2.24 on an unknown word stops the start, and a list without Ring leaves some "
            "collectives with nothing."
        ),
    ),
    _debugging(
        "NCCL_BUFFSIZE",
        SIZE,
        "Bytes of the buffer between two GPUs.",
        default="4194304",
        power_of_two=True,
    ),
    _debugging(
        "NCCL_CGA_CLUSTER_SIZE",
        INTEGER,
        "Blocks in a cluster on Hopper and newer; 0 forms none.",
        minimum=0,
        maximum=8,
        since="2.16",
    ),
    _undocumented(
        "NCCL_CHUNK_SIZE",
        SIZE,
        "Bytes of one piece, whatever the model says; 0 for none.",
        default="0",
    ),
    _system(
        "NCCL_COLLNET_ENABLE",
        FLAG01,
        "Let switches reduce the data, through a CollNet plugin such as SHARP.",
        default="0",
        since="2.6",
        fabrics=SHARP,
        note="Without the plugin it does nothing; algo must leave CollnetDirect or CollnetChain.",
    ),
    _system(
        "NCCL_COLLNET_NODE_THRESHOLD",
        INTEGER,
        "Machines from which CollNet is used.",
        default="2",
        minimum=1,
        since="2.9.9",
        fabrics=SHARP,
    ),
    _system(
        "NCCL_CTA_POLICY",
        TEXT,
        "How GPU blocks are spent: DEFAULT, EFFICIENCY or ZERO; several joined by a bar.",
        default="DEFAULT",
        choices=("DEFAULT", "EFFICIENCY", "ZERO"),
        grammar=Grammar.POLICIES,
        since="2.27",
        note="Names, and several of them, since 2.29; 0 to 2 before.",
    ),
    _debugging(
        "NCCL_GRAPH_STREAM_ORDERING",
        FLAG01,
        "Keep kernels of several graphs in order; false leaves that to the program.",
        default="1",
        since="2.30",
        note="false is not supported together with graph_mixing_support.",
    ),
    _undocumented(
        "NCCL_LL128_BUFFSIZE", SIZE, "Bytes of the buffer between two GPUs for the LL128 protocol."
    ),
    _undocumented("NCCL_LL128_NTHREADS", INTEGER, "CUDA threads in a block of the LL128 protocol."),
    _undocumented(
        "NCCL_LL_BUFFSIZE", SIZE, "Bytes of the buffer between two GPUs for the LL protocol."
    ),
    _debugging(
        "NCCL_LL_THRESHOLD",
        SIZE,
        "Size up to which LL was used, until 2.4.",
        default="16384",
        since="2.1",
        removed="2.5",
        note="proto: LL says that.",
    ),
    _debugging(
        "NCCL_MAX_CTAS",
        INTEGER,
        "Most CUDA blocks of a collective.",
        minimum=1,
        maximum=64,
        since="2.17",
        note="32 at most before 2.25.",
    ),
    _debugging(
        "NCCL_MAX_NCHANNELS",
        INTEGER,
        "Most channels, which also bounds the CUDA blocks.",
        minimum=1,
        maximum=64,
        since="2.5.0",
        deprecated="since NCCL 2.17",
        replaced_by="NCCL_MAX_CTAS",
    ),
    Variable(
        "NCCL_MAX_NRINGS",
        INTEGER,
        "First name of NCCL_MAX_NCHANNELS.",
        source="nccl-env",
        since="2.0.5",
        deprecated="since NCCL 2.5.0",
        replaced_by="NCCL_MAX_NCHANNELS",
        obsolete=True,
    ),
    _debugging(
        "NCCL_MIN_CTAS",
        INTEGER,
        "Fewest CUDA blocks of a collective.",
        minimum=1,
        maximum=64,
        since="2.17",
        note="Above max_ctas it is lowered to it, which only INFO tells.",
    ),
    _debugging(
        "NCCL_MIN_NCHANNELS",
        INTEGER,
        "Fewest channels.",
        minimum=1,
        maximum=64,
        since="2.5.0",
        deprecated="since NCCL 2.17",
        replaced_by="NCCL_MIN_CTAS",
    ),
    Variable(
        "NCCL_MIN_NRINGS",
        INTEGER,
        "First name of NCCL_MIN_NCHANNELS.",
        source="nccl-env",
        since="2.2.0",
        deprecated="since NCCL 2.5.0",
        replaced_by="NCCL_MIN_NCHANNELS",
        obsolete=True,
    ),
    _debugging(
        "NCCL_NTHREADS",
        CODE,
        "CUDA threads in a block.",
        default="512",
        choices=("64", "128", "256", "512"),
    ),
    _undocumented(
        "NCCL_NVLSTREE_MAX_CHUNKSIZE",
        SIZE,
        "Most bytes of one piece in the tree over NVLink SHARP.",
    ),
    _undocumented(
        "NCCL_NVLS_CHUNKSIZE", SIZE, "Bytes of one piece in NVLink SHARP.", default="131072"
    ),
    _debugging(
        "NCCL_NVLS_ENABLE",
        CODE,
        "NVLink SHARP: 0 off, 1 on, 2 where the machine can.",
        default="2",
        choices=("0", "1", "2"),
        since="2.17",
        note=(
            "Needs Hopper or newer, the fabric manager and cuMem. Start fails when its memory "
            "is missing."
        ),
    ),
    _undocumented("NCCL_NVLS_NCHANNELS", INTEGER, "Channels of NVLink SHARP."),
    _undocumented(
        "NCCL_PAT_ENABLE",
        CODE,
        "Parallel aggregated trees: 0 off, 1 on, 2 where it pays.",
        default="2",
        choices=("0", "1", "2"),
        since="2.23",
    ),
    _debugging(
        "NCCL_PROTO",
        TEXT,
        "Protocols that may be used, for all collectives or for one.",
        choices=("LL", "LL128", "Simple"),
        case_sensitive=False,
        grammar=Grammar.PER_COLLECTIVE,
        since="2.5",
        note=(
            "LL128 may corrupt data where NCCL did not choose it; LL alone halves the bandwidth."
        ),
    ),
    _debugging(
        "NCCL_SINGLE_RING_THRESHOLD",
        SIZE,
        "Size below which one ring was used, in 2.1 and 2.2.",
        default="262144",
        since="2.1",
        removed="2.3",
    ),
    _undocumented(
        "NCCL_THREAD_THRESHOLDS",
        LIST,
        "Sizes in the cost model at which more threads pay, with blanks between.",
        separator=" ",
    ),
    _debugging(
        "NCCL_TREE_THRESHOLD",
        SIZE,
        "Size up to which trees were used, in 2.4.",
        since="2.4",
        removed="2.5",
        note="It was 0 to say rings only; algo: Ring says that.",
    ),
)
