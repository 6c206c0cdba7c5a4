"""Parameters that stand in NCCL's source and in no manual: known names, one row each.

What they do may change with any release: a row says the name, so that it is no misspelling, and
the default.
Source: the NCCL 2.30.7 source, as `SOURCES["nccl-src"]`.
"""

from __future__ import annotations

from typing import Final

from genjob.catalog.variables.variable import INTEGER, Section, Variable

MEANING: Final = "A parameter of the source without a word of documentation."

DEFAULTS: Final[dict[str, str | None]] = {
    "NCCL_ALLGATHERV_ENABLE": "1",
    "NCCL_DEV_API_JIT": "0",
    "NCCL_DISABLE_MEM_MANAGER": "0",
    "NCCL_ELASTIC_BUFFER_REGISTER": "1",
    "NCCL_ENABLE_VERSION_CHECK": "1",
    "NCCL_GDAKI_USE_RELIABLE_DB": "0",
    "NCCL_GDRCOPY_FIFO_ENABLE": "1",
    "NCCL_GDRCOPY_FLUSH_ENABLE": "0",
    "NCCL_GDRCOPY_SYNC_ENABLE": "1",
    "NCCL_GIN_ERROR_QUERY_SEC": "10",
    "NCCL_GIN_GDAKI_MAX_DEST_RD_ATOMIC": None,
    "NCCL_GIN_GDAKI_MAX_QP_RD_ATOMIC": None,
    "NCCL_GIN_GDAKI_NIC_HANDLER": "0",
    "NCCL_GIN_GDAKI_QP_DEPTH": "128",
    "NCCL_GIN_IB_TC": "-1",
    "NCCL_GIN_NCONNECTIONS": None,
    "NCCL_GIN_PLUGIN_REF_COUNT": "0",
    "NCCL_GIN_PROXY_QUEUE_SIZE": "-1",
    "NCCL_GRAPH_HELPER_DISABLE": "0",
    "NCCL_GROUP_CUDA_STREAM": "0",
    "NCCL_IB_PREPOST_RECEIVE_WORK_REQUESTS": None,
    "NCCL_IB_RECEIVER_SIDE_MATCHING_SCHEME": None,
    "NCCL_IB_RESILIENCY_PORT_FAILOVER_MAX_ATTEMPTS": "1",
    "NCCL_IB_RESILIENCY_PORT_FAILOVER_PROBE_DELAY": "10",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_ACK_TIMEOUT": "5000",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_ALIVE_MSG_BATCH_INTERVAL": "500",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_ALIVE_MSG_BATCH_SIZE": "5",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_ALIVE_MSG_SEQUENCE_SIZE": "5",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_ALIVE_MSG_TIMEOUT": "4000",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_ATTEMPTS_MAX": "5",
    "NCCL_IB_RESILIENCY_PORT_RECOVERY_START_DELAY": "200",
    "NCCL_L1_SHARED_MEMORY_CARVEOUT": "0",
    "NCCL_LL128_C2C": "1",
    "NCCL_LSA_TEAM_SIZE": "0",
    "NCCL_MLOPART_RDMA_ENABLE": "0",
    "NCCL_MNNVL_RAIL_PER_HOST": "0",
    "NCCL_MNNVL_SCATTER_NETS_ENABLE": "1",
    "NCCL_MULTI_SEGMENT_REGISTER": "1",
    "NCCL_NET_GDR_MLOPART": "0",
    "NCCL_NET_PLUGIN_REF_COUNT": "0",
    "NCCL_NUM_RMA_CTX": None,
    "NCCL_NVB_PRECONNECT": "1",
    "NCCL_NVLINK_UTIL_CENTRIC_SCHED_ENABLE": None,
    "NCCL_P2P_EPOCH_ENABLE": "1",
    "NCCL_P2P_MAX_PEERS": None,
    "NCCL_P2P_SCHEDULE_GROUP_SIZE": "8",
    "NCCL_PROGRESS_APPENDOP_FREQ": "8",
    "NCCL_PROXY_APPEND_BATCH_SIZE": "16",
    "NCCL_RMA_DISABLE": "0",
    "NCCL_RMA_PLUGIN_REF_COUNT": "0",
    "NCCL_RMA_PROXY_DUMP_SIGNAL": "-1",
    "NCCL_RMA_PROXY_QUEUE_SIZE": "-1",
    "NCCL_SET_CPU_STACK_SIZE": "1",
    "NCCL_SHADOW_MEMPOOL_MAX_SIZE": "1073741824",
    "NCCL_SINGLE_PROC_MEM_REG_ENABLE": "0",
    "NCCL_SYM_CE_THRESHOLD": "8388608",
    "NCCL_SYM_CTAS": "0",
    "NCCL_SYM_NOWIN_ENABLE": "0",
    "NCCL_SYM_REUSE_SYSMEM_HANDLES": "0",
    "NCCL_SYM_RS_GIN_CHUNK_SIZE": "-1",
    "NCCL_SYM_TMA_ENABLE": "0",
    "NCCL_TOPO_SPLIT_MLOPART": "1",
    "NCCL_UNPACK_DOUBLE_NCHANNELS": "1",
    "NCCL_WIN_STRIDE": "-1",
    "NCCL_WORK_ARGS_BYTES": None,
}
"""Name → default; None where it is chosen at run time."""

ROWS: Final[tuple[Variable, ...]] = tuple(
    Variable(
        name, INTEGER, MEANING, source="nccl-src", default=default, section=Section.UNDOCUMENTED
    )
    for name, default in DEFAULTS.items()
)
