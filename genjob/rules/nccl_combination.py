"""Two variables of a container → what one of them takes from the other.

Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html (2.30.7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.rule import Hit
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

IB_DISABLE: Final = "NCCL_IB_DISABLE"
MOST_SOCKETS: Final = 64
COLLNET: Final = frozenset({"collnet", "collnetdirect", "collnetchain"})
NVLS: Final = frozenset({"nvls", "nvlstree"})
VERBOSE: Final = frozenset({"INFO", "ABORT", "TRACE"})
CHANNELS: Final = (("NCCL_MIN_CTAS", "NCCL_MAX_CTAS"), ("NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS"))


def ib_settings_while_disabled(network: Network) -> Iterator[Hit]:
    """InfiniBand is switched off, and other variables set it up.

    Symptom: none; they are read by nobody, and mislead whoever reads them.
    """
    for role in network.roles:
        others = [name for name in role.env if name.startswith("NCCL_IB_") and name != IB_DISABLE]
        known = role.guess.fabrics  # where the fabric is known not to be this, that is said already
        if role.number(IB_DISABLE) == 1 and others and not known:
            message = f"{others[0]} means nothing while {IB_DISABLE} is 1"
            at = (*role.env[others[0]].path[:-1], "name")
            yield Hit(at, message, f"remove {', '.join(others)}, or {IB_DISABLE}")


def net_ib_while_disabled(network: Network) -> Iterator[Hit]:
    """The only network that NCCL may use is switched off.

    Symptom: `Failed to initialize any NET plugin`.
    """
    for role, setting in network.of("NCCL_NET"):
        if role.number(IB_DISABLE) == 1 and setting.text == "IB":
            message = f"{quoted(setting.text)} is the network that {IB_DISABLE} switches off"
            yield Hit(setting.path, message, "remove one of the two")


def too_many_sockets(network: Network) -> Iterator[Hit]:
    """Threads times sockets of each are more than NCCL takes.

    Symptom: a warning; NCCL cuts the sockets of each thread.
    """
    threads_name, each_name = "NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD"
    for role in network.roles:
        threads, each = role.number(threads_name), role.number(each_name)
        if threads and each and threads * each > MOST_SOCKETS:
            message = f"{threads} threads of {each} sockets; NCCL takes {MOST_SOCKETS} in all"
            hint = f"write at most {MOST_SOCKETS // threads}" if threads <= MOST_SOCKETS else ""
            yield Hit(role.env[each_name].path, message, hint)


def channels_crossed(network: Network) -> Iterator[Hit]:
    """The least number of channels is above the greatest.

    Symptom: NCCL takes the greatest for both, and says so only at INFO.
    """
    for role in network.roles:
        for low_name, high_name in CHANNELS:
            low, high = role.number(low_name), role.number(high_name)
            if low is not None and high is not None and low > high > 0:
                message = f"{low_name} {low} is above {high_name} {high}"
                yield Hit(role.env[low_name].path, message, f"write at most {high}")


def cumem_needed(network: Network) -> Iterator[Hit]:
    """Memory handles of CUDA are switched off, and something that needs them is switched on.

    Symptom: NVLink SHARP, or NVLink between machines, is not used or fails at the start.
    """
    for role in network.roles:
        needs = [n for n in ("NCCL_NVLS_ENABLE", "NCCL_MNNVL_ENABLE") if role.number(n) == 1]
        if role.number("NCCL_CUMEM_ENABLE") == 0 and needs:
            message = f"{needs[0]} needs what NCCL_CUMEM_ENABLE switches off"
            yield Hit(role.env["NCCL_CUMEM_ENABLE"].path, message, f"write 1, or remove {needs[0]}")


def collnet_excluded(network: Network) -> Iterator[Hit]:
    """In-network reduction is switched on, and the list of algorithms leaves it out.

    Symptom: SHARP is not used.
    """
    for role, setting in network.of("NCCL_ALGO"):
        words = _words(setting.text)
        if role.number("NCCL_COLLNET_ENABLE") == 1 and words and not words & COLLNET:
            message = f"{quoted(setting.text)} leaves out what NCCL_COLLNET_ENABLE switches on"
            yield Hit(setting.path, message, "add 'CollnetDirect', or remove one of the two")


def nvls_algorithm_switched_off(network: Network) -> Iterator[Hit]:
    """The only algorithms that NCCL may use are switched off.

    Symptom: `no algorithm/protocol available` at the first collective.
    Source: https://github.com/NVIDIA/nccl/issues/976
    """
    for role, setting in network.of("NCCL_ALGO"):
        words = _words(setting.text)
        if role.number("NCCL_NVLS_ENABLE") == 0 and words and words <= NVLS:
            message = f"{quoted(setting.text)} is what NCCL_NVLS_ENABLE switches off"
            yield Hit(setting.path, message, "remove one of the two")


def graph_mixing_unordered(network: Network) -> Iterator[Hit]:
    """CUDA graphs are mixed with other work, and their order is not kept.

    Symptom: results that differ from run to run, or a hang: NCCL does not support the pair.
    """
    mixing, ordering = "NCCL_GRAPH_MIXING_SUPPORT", "NCCL_GRAPH_STREAM_ORDERING"
    for role, setting in network.of(ordering):
        if role.number(ordering) == 0 and role.number(mixing) == 1:
            message = f"{ordering} is 0 beside {mixing}"
            yield Hit(setting.path, message, f"write 1, or {mixing} 0")


def adaptive_routing_unreachable(network: Network) -> Iterator[Hit]:
    """Messages are sent by adaptive routing from a size on that none of them has.

    Symptom: adaptive routing is not used.
    """
    threshold, most = "NCCL_IB_AR_THRESHOLD", "NCCL_BUFFSIZE"
    for role in network.roles:
        from_size, size = role.number(threshold), role.number(most)
        if from_size is not None and size is not None and from_size > size:
            message = f"{threshold} {from_size} is above {most} {size}"
            yield Hit(role.env[threshold].path, message, f"write at most {size}")


def debug_subsystem_without_debug(network: Network) -> Iterator[Hit]:
    """Parts of the log are chosen, and the log is off.

    Symptom: nothing is logged.
    """
    for role, setting in network.of("NCCL_DEBUG_SUBSYS"):
        level = role.text("NCCL_DEBUG")
        if (level or "").upper() not in VERBOSE and not (level is None and _reads_more(role)):
            message = f"NCCL_DEBUG_SUBSYS {quoted(setting.text)} means nothing below INFO"
            yield Hit(
                (*setting.path[:-1], "name"), message, "set NCCL_DEBUG to 'INFO', or remove it"
            )


def p2p_level_while_disabled(network: Network) -> Iterator[Hit]:
    """GPUs do not talk to each other directly, and a variable says how far apart they may.

    Symptom: the level is passed over.
    """
    for role, setting in network.of("NCCL_P2P_LEVEL"):
        if role.text("NCCL_P2P_DISABLE") == "1":
            message = "NCCL_P2P_LEVEL means nothing while NCCL_P2P_DISABLE is 1"
            yield Hit((*setting.path[:-1], "name"), message, "remove one of the two")


def _reads_more(role: Role) -> bool:
    return bool(role.container.get("envFrom"))


def _words(text: str) -> set[str]:
    """Return the algorithms of a list that is for all collectives, none of another one."""
    return set() if text.startswith("^") or ":" in text else set(text.casefold().split(","))
