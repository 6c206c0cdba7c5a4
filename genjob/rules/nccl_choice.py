"""Variables by which a person takes a choice from NCCL → what it costs.

Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html (2.30.7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.diagnostics import Severity
from genjob.rules.fabric_machine import has_only_nvls, lacks_nvls
from genjob.rules.rule import Hit
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network

NO_FILE: Final = ("/dev/stdout", "/dev/stderr")


def p2p_switched_off(network: Network) -> Iterator[Hit]:
    """GPUs of a pod may not talk to each other directly.

    Symptom: they go through main memory; on machines with NVLink that is many times slower.
    Source: https://github.com/NVIDIA/nccl/issues/428
    """
    for role in network.roles:
        level = role.text("NCCL_P2P_LEVEL")
        name = "NCCL_P2P_DISABLE" if role.text("NCCL_P2P_DISABLE") == "1" else "NCCL_P2P_LEVEL"
        is_off = level == "LOC" or (name == "NCCL_P2P_DISABLE" and level is None)
        if is_off and role.gpus > 1:
            message = f"{name} {quoted(role.env[name].text)} keeps {role.gpus} GPUs from NVLink"
            yield Hit(role.env[name].path, message, "remove it")


def shm_switched_off(network: Network) -> Iterator[Hit]:
    """Processes of a pod may not use shared memory.

    Symptom: NCCL uses the network inside a machine.
    """
    for role, setting in network.of("NCCL_SHM_DISABLE"):
        if setting.text == "1" and role.gpus > 1 and not role.number("NCCL_MNNVL_ENABLE"):
            message = f"{role.gpus} GPUs of a pod may not use shared memory"
            yield Hit(setting.path, message, "remove it, and mount a volume on /dev/shm")


def verbose_log(network: Network) -> Iterator[Hit]:
    """NCCL logs more than warnings.

    Symptom: megabytes of log of each rank; TRACE slows every operation down.
    Source: https://github.com/aws-samples/awsome-distributed-training
    """
    for role, setting in network.of("NCCL_DEBUG"):
        level = setting.text.upper()
        is_all = "ALL" in (role.text("NCCL_DEBUG_SUBSYS") or "").upper().split(",")
        if level == "TRACE" or (level == "INFO" and is_all):
            message = "NCCL logs every operation" if level == "TRACE" else "NCCL logs all its parts"
            yield Hit(setting.path, message, "write 'WARN' when the search is over")
        elif level == "INFO":
            hint = "write 'WARN' when the search is over"
            yield Hit(
                setting.path, "NCCL logs its start-up on each rank", hint, severity=Severity.INFO
            )


def one_log_for_all(network: Network) -> Iterator[Hit]:
    """All processes write their log into one file.

    Symptom: each overwrites what the others wrote.
    """
    for role, setting in network.of("NCCL_DEBUG_FILE"):
        many = role.gpus > 1 or network.has_many_pods
        is_one = "%h" not in setting.text and "%p" not in setting.text
        if many and is_one and setting.text not in NO_FILE:
            message = f"every process writes {quoted(setting.text)}"
            yield Hit(setting.path, message, f"write {quoted(setting.text + '.%h.%p')}")


def algorithm_without_ring(network: Network) -> Iterator[Hit]:
    """The list of algorithms leaves Ring out, the only one of several collectives.

    Symptom: `no algorithm/protocol available` at a broadcast or a reduce-scatter.
    Source: https://github.com/NVIDIA/nccl/issues/1304
    """
    for role, setting in network.of("NCCL_ALGO"):
        words = setting.text.casefold().removeprefix("^").split(",")
        is_left_out = ("ring" in words) == setting.text.startswith("^")
        is_off = role.number("NCCL_NVLS_ENABLE") == 0 or lacks_nvls(role)
        is_said = has_only_nvls(setting.text) and is_off
        if ":" not in setting.text and is_left_out and not is_said:
            message = f"{quoted(setting.text)} leaves 'Ring' out, which some collectives need"
            yield Hit(setting.path, message, "add 'Ring', or name the collective: 'allreduce:Tree'")


def ll128_forced(network: Network) -> Iterator[Hit]:
    """The protocol LL128 is forced, which is safe only where NCCL chooses it itself.

    Symptom: wrong numbers, on paths that do not keep 128 bytes together.
    Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-proto
    """
    for role, setting in network.of("NCCL_PROTO"):
        words = setting.text.casefold().removeprefix("^").split(",")
        is_forced = "ll128" in words and not setting.text.startswith("^")
        is_documented = role.guess.is_any_of(("gcp-tcpxo",))
        if is_forced and not is_documented:
            message = f"{quoted(setting.text)} forces LL128, which may corrupt data on some paths"
            yield Hit(setting.path, message, "remove it: NCCL chooses")
