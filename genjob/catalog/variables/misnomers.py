"""Names that people write and no program reads: name → what to write instead.

Cheat sheets and recipes hand them on. Source: public manifests and threads, compared with the NCCL
2.30.7 and PyTorch 2.14.1 sources.
"""

from __future__ import annotations

from typing import Final

_TIMEOUT = "pass timeout= to init_process_group"
_RETRIES = "write NCCL_SOCKET_RETRY_CNT and NCCL_SOCKET_RETRY_SLEEP_MSEC"

MISNOMERS: Final[dict[str, str]] = {
    "MASTER_IP": "write MASTER_ADDR",
    "NCCL_AVOID_RECORD_STREAMS": "write TORCH_NCCL_AVOID_RECORD_STREAMS",
    "NCCL_ENABLE_MONITORING": "write TORCH_NCCL_ENABLE_MONITORING",
    "NCCL_HIGH_PRIORITY": "write TORCH_NCCL_HIGH_PRIORITY",
    "NCCL_IB_NET_LATENCY": "write NCCL_NET_OVERHEAD",
    "NCCL_IB_QPS_PER_CONN": "write NCCL_IB_QPS_PER_CONNECTION",
    "NCCL_IFNAME": "write NCCL_SOCKET_IFNAME",
    "NCCL_LAUNCH_TIMEOUT": "remove it",
    "NCCL_MAX_CHANNELS": "write NCCL_MAX_CTAS, or NCCL_MAX_NCHANNELS before NCCL 2.17",
    "NCCL_MIN_CHANNELS": "write NCCL_MIN_CTAS, or NCCL_MIN_NCHANNELS before NCCL 2.17",
    "NCCL_NVLS_DISABLE": "write NCCL_NVLS_ENABLE with 0",
    "NCCL_PLUGIN_PATH": "write NCCL_NET_PLUGIN, and the folder into LD_LIBRARY_PATH",
    "NCCL_PROTOCOL": "write NCCL_PROTO",
    "NCCL_SHM_USE_CUDA_MEMCPY": "remove it: only older releases of NCCL know it",
    "NCCL_SOCKET_IFNAMES": "write NCCL_SOCKET_IFNAME",
    "NCCL_SOCKET_TIMEOUT": _RETRIES,
    "NCCL_SOCKET_TIMEOUT_MS": _RETRIES,
    "NCCL_TIMEOUT": _TIMEOUT,
    "TORCH_NCCL_DUMP_ON_TIMEOUT_SEC": "write TORCH_NCCL_DUMP_ON_TIMEOUT",
    "TORCH_NCCL_TIMEOUT": _TIMEOUT,
}
"""Misnomer → what to do about it, as a hint says it."""
