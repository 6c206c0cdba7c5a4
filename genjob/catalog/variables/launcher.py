"""torchrun and the training operator: their variables, one row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from genjob.catalog.variables.variable import CHOICE, FLAG01, INTEGER, LIST, TEXT, Grammar, Variable

_torchrun = partial(Variable, source="torchrun")

ROWS: Final[tuple[Variable, ...]] = (
    _torchrun(
        "LOCAL_RANK", INTEGER, "Rank of this process on its machine.", note="torchrun sets it."
    ),
    Variable(
        "LOGLEVEL",
        CHOICE,
        "How much torchrun logs.",
        source="torch-py",
        default="WARNING",
        choices=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
    ),
    _torchrun("MASTER_ADDR", TEXT, "Host of rank 0.", operator_sets=True),
    _torchrun(
        "MASTER_PORT",
        INTEGER,
        "Port of rank 0.",
        default="23456",
        minimum=1,
        maximum=65535,
        operator_sets=True,
        note="The operator's default; PyTorch's own is 29500.",
    ),
    _torchrun(
        "PET_LOCAL_ADDR",
        TEXT,
        "Address that this machine announces.",
        note="Needed with hostNetwork and an elastic job.",
    ),
    _torchrun("PET_LOG_DIR", TEXT, "Folder of the workers' logs.", grammar=Grammar.PATH),
    _torchrun(
        "PET_MASTER_ADDR",
        TEXT,
        "Host of rank 0, for the static rendezvous.",
        default="127.0.0.1",
        operator_sets=True,
    ),
    _torchrun(
        "PET_MASTER_PORT",
        INTEGER,
        "Port of rank 0, for the static rendezvous.",
        default="29500",
        operator_sets=True,
        note="The operator sets 23456.",
    ),
    _torchrun(
        "PET_MAX_RESTARTS",
        INTEGER,
        "How often torchrun starts the workers again.",
        default="0",
        minimum=0,
        operator_sets=True,
    ),
    _torchrun(
        "PET_MONITOR_INTERVAL", TEXT, "Seconds between two looks at the workers.", default="0.1"
    ),
    _torchrun(
        "PET_NNODES",
        TEXT,
        "Machines of the job, or least:most.",
        default="1:1",
        grammar=Grammar.NODES,
        operator_sets=True,
    ),
    _torchrun(
        "PET_NODE_RANK",
        INTEGER,
        "Rank of this machine, for the static rendezvous.",
        default="0",
        operator_sets=True,
    ),
    _torchrun(
        "PET_NPROC_PER_NODE",
        TEXT,
        "Processes on each machine: a number, auto, gpu, cpu or xpu.",
        default="1",
        grammar=Grammar.PROCESSES,
        operator_sets=True,
    ),
    _torchrun(
        "PET_RDZV_BACKEND",
        CHOICE,
        "How the machines find each other.",
        default="static",
        choices=("static", "c10d", "etcd", "etcd-v2"),
        operator_sets=True,
    ),
    _torchrun(
        "PET_RDZV_CONF",
        TEXT,
        "Settings of the rendezvous: key=value with commas between.",
        operator_sets=True,
    ),
    _torchrun("PET_RDZV_ENDPOINT", TEXT, "host:port where they meet.", operator_sets=True),
    _torchrun(
        "PET_RDZV_ID",
        TEXT,
        "Name of the job at the rendezvous.",
        default="none",
        operator_sets=True,
    ),
    _torchrun(
        "PET_REDIRECTS",
        TEXT,
        "Which workers' output goes to files: 3 for all, or rank:number pairs.",
        default="0",
    ),
    _torchrun(
        "PET_STANDALONE",
        INTEGER,
        "Run on this machine alone.",
        operator_sets=True,
        note="The operator writes an empty text, which torchrun cannot read.",
    ),
    _torchrun(
        "PET_START_METHOD",
        CHOICE,
        "How Python starts the workers.",
        default="spawn",
        choices=("spawn", "fork", "forkserver"),
    ),
    _torchrun(
        "PET_TEE", TEXT, "Which workers' output goes to files and to the console.", default="0"
    ),
    _torchrun(
        "RANK",
        INTEGER,
        "Rank of this process.",
        operator_sets=True,
        note="The operator writes the rank of the machine.",
    ),
    Variable(
        "TORCHELASTIC_ERROR_FILE",
        TEXT,
        "JSON file with the error of a worker.",
        source="torch-py",
        grammar=Grammar.PATH,
        note="torchrun sets it. As terminationMessagePath it shows in `kubectl describe`.",
    ),
    Variable(
        "TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE",
        TEXT,
        "What torchrun writes before a worker's lines; knows ${rank} and ${role_name}.",
        source="torch-py",
    ),
    Variable(
        "TORCHELASTIC_SIGNALS_TO_HANDLE",
        LIST,
        "Signals that torchrun passes on to its workers.",
        source="torch-py",
        default="SIGTERM,SIGINT,SIGHUP,SIGQUIT",
    ),
    Variable(
        "TORCH_DISABLE_SHARE_RDZV_TCP_STORE",
        FLAG01,
        "Give the workers a store of their own, not the one of the rendezvous.",
        source="torch-py",
        default="0",
    ),
    Variable(
        "TORCH_ELASTIC_SHUTDOWN_TIMEOUT",
        INTEGER,
        "How long torchrun lets workers end after SIGTERM before it kills them.",
        source="torch-py",
        default="30",
        unit="s",
        note="Keep it below terminationGracePeriodSeconds.",
    ),
    Variable("USE_LIBUV", FLAG01, "Run TCPStore on libuv.", source="torch-py", default="1"),
    _torchrun(
        "WORLD_SIZE",
        INTEGER,
        "Processes of the whole job.",
        operator_sets=True,
        note="The operator counts replicas times an integer nprocPerNode.",
    ),
)
