"""The pods of a job and its fabric → the network between their ranks, why, and how to see it.

NCCL says nothing when it takes TCP instead of the network that was paid for. So the answer names
what decided, what would make it fall back, and what a manifest cannot show.
Source: https://github.com/NVIDIA/nccl/blob/v2.30.7-1/src/plugin/net.cc: NCCL tries its plugin, then
its own verbs code, then TCP, and takes the first that finds a device; NCCL_NET leaves one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from genjob.catalog.transports import IB, INSIDE, NETWORKS, SOCKET, Network
from genjob.prediction import predicted_pods, predicted_scale
from genjob.transport.podview import PodView
from genjob.wording import quoted

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.prediction import Known, PredictedPod

_DISABLED: Final = "none"
_GLOO_INTERFACE: Final = "GLOO_SOCKET_IFNAME"
_NO_NETWORK: Final = "NCCL WARN Failed to initialize any NET plugin"
_OF_VERBS: Final = ("NCCL_IB_DISABLE", "NCCL_IB_HCA")
_STOPS: Final = "NCCL stops at its start, and does not fall back to TCP"


@dataclass(frozen=True, slots=True)
class Site:
    """What is known of a job beside its object.

    `fabric` is the name of a profile, `config_maps` the data of ConfigMaps by name, `backend` that
    of torch.distributed: None takes what the command says.
    """

    fabric: str | None = None
    backend: str | None = None
    config_maps: Known | None = None


@dataclass(frozen=True, slots=True)
class Transport:
    """The way from rank to rank: `between` machines, `inside` a machine; empty where there is none.

    `reasons` are what decided, `caveats` what the manifest shows to be wrong about it. `log` are
    the lines to look for with NCCL_DEBUG=INFO, `bad_log` the one that shows the fall back.
    """

    between: str
    inside: str
    meaning: str
    reasons: tuple[str, ...]
    caveats: tuple[str, ...] = ()
    falls_back: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    bad_log: str = ""
    unseen: tuple[str, ...] = ()


def predicted_transports(job: JsonObject, site: Site | None = None) -> dict[str, Transport]:
    """Return the transport of each role, the Master's first; all should be the same."""
    scale = predicted_scale(job)
    first = {pod.role: pod for pod in reversed(predicted_pods(job))}
    found: dict[str, Transport] = {}
    for role in scale.pods:
        if role in first:
            processes = scale.processes.get(role)
            count = processes.count if processes is not None else None
            found[role] = _of_pod(
                first[role], site or Site(), crosses=scale.most_nodes > 1, processes=count
            )
    return found


def _of_pod(pod: PredictedPod, site: Site, *, crosses: bool, processes: int | None) -> Transport:
    view = PodView(pod, site.config_maps)
    backend = site.backend or view.backend
    if backend != "nccl":
        return _without_nccl(view, backend, f"the back end is {quoted(backend)}")
    if not view.gpus:
        return _without_gpu(view)
    inside, why_inside = _inside(view, processes)
    if not crosses:
        return _in_one_machine(view, inside, why_inside)
    network, reasons = _between(view, site.fabric)
    chosen = _network(view, network, reasons)
    return replace(
        chosen,
        inside=inside,
        reasons=(*chosen.reasons, *why_inside),
        caveats=tuple(_caveats(view, network)),
        unseen=(*chosen.unseen, *view.unseen()),
    )


def _without_nccl(view: PodView, backend: str, reason: str) -> Transport:
    if backend == "mpi":
        return Transport("MPI", "", "what the MPI of the image chooses", (reason,))
    meaning = "TCP over the pod network"
    if view.text(_GLOO_INTERFACE):
        return Transport("Gloo", "", meaning, (reason, view.said(_GLOO_INTERFACE)))
    caveat = f"without {_GLOO_INTERFACE} it takes the interface that the pod's name resolves to"
    return Transport("Gloo", "", meaning, (reason,), (caveat,))


def _without_gpu(view: PodView) -> Transport:
    if others := view.other_devices:
        asked = ", ".join(f"{name}: {count}" for name, count in others.items())
        reason = f"the pod asks for {asked}, and for no GPU that NCCL knows"
        return Transport("unknown", "", "what the software of the accelerator chooses", (reason,))
    return _without_nccl(view, "gloo", "the pod has no GPU, and NCCL needs one")


def _inside(view: PodView, processes: int | None) -> tuple[str, tuple[str, ...]]:
    """Return the way between the GPUs of one machine, and what decided."""
    if view.gpus == 1 or processes == 1:
        return "", ()
    if view.number("NCCL_P2P_DISABLE"):
        shut = view.said("NCCL_P2P_DISABLE")
    elif view.text("NCCL_P2P_LEVEL") in {"LOC", "0"}:
        shut = view.said("NCCL_P2P_LEVEL")
    else:
        return "P2P", ()
    if view.number("NCCL_SHM_DISABLE") == 1:
        return "NET", (shut, view.said("NCCL_SHM_DISABLE"))
    return "SHM", (shut,)


def _in_one_machine(view: PodView, inside: str, reasons: tuple[str, ...]) -> Transport:
    alone = "one pod: nothing leaves the machine"
    if not inside:
        meaning = "nothing is sent: one process"
        return Transport("", "", meaning, (alone, "one process drives all that the pod has"))
    meaning, log = INSIDE[inside]
    link = ["what joins the GPUs of the machine"] if inside == "P2P" else []
    return Transport(
        "",
        inside,
        meaning,
        (alone, *reasons),
        log=(f"NCCL INFO Channel 00/0 : 0[0] -> 1[1] {log}",),
        unseen=(*link, *view.unseen()),
    )


def _between(view: PodView, fabric: str | None) -> tuple[Network | None, tuple[str, ...]]:
    """Return the network between the machines, None when none can start, and what decided."""
    forced = view.text("NCCL_NET")
    if forced:
        return _forced(view, forced)
    no_plugin = (view.text("NCCL_NET_PLUGIN") or "").casefold() == _DISABLED
    against: list[str] = []
    for network in NETWORKS[:-1]:
        signs = view.signs(network, fabric)
        if not signs:
            continue
        if network.is_plugin and no_plugin:
            against.append(view.said("NCCL_NET_PLUGIN"))
        elif network is IB and view.number("NCCL_IB_DISABLE"):
            continue
        else:
            own = [view.said(name) for name in _OF_VERBS if network is IB and view.text(name)]
            return network, (*against, *signs, *own)
    return SOCKET, (*against, *_why_tcp(view))


def _forced(view: PodView, name: str) -> tuple[Network | None, tuple[str, ...]]:
    said = view.said("NCCL_NET")
    if name.casefold() == IB.name.casefold() and view.number("NCCL_IB_DISABLE"):
        return None, (said, view.said("NCCL_IB_DISABLE"))
    for network in NETWORKS:
        if name.casefold() in {each.casefold() for each in (network.name, *network.aliases)}:
            return network, (said,)
    return Network(name, "a plugin of this name", is_plugin=True), (said,)


def _why_tcp(view: PodView) -> list[str]:
    if view.number("NCCL_IB_DISABLE"):
        return [view.said("NCCL_IB_DISABLE")]
    return ["nothing puts an RDMA device into the pod"]


def _network(view: PodView, network: Network | None, reasons: tuple[str, ...]) -> Transport:
    if network is None:
        return Transport("none", "", _STOPS, reasons, bad_log=_NO_NETWORK)
    may_fall = network is not SOCKET and not view.text("NCCL_NET")
    bad = "NCCL INFO Using network Socket" if may_fall else _NO_NETWORK
    lines = (f"NCCL INFO Using network {network.name}", *([network.log] if network.log else ()))
    return Transport(
        f"NET/{network.name}",
        "",
        network.meaning,
        reasons,
        falls_back=network.falls_back if may_fall else (),
        log=lines,
        bad_log="" if network is SOCKET else bad,
        unseen=network.unseen,
    )


def _caveats(view: PodView, network: Network | None) -> list[str]:
    found: list[str] = []
    unused = [
        f"{name}: {count}"
        for other in NETWORKS
        if other is not network
        for name, count in view.devices_of(other).items()
    ]
    if unused:
        found.append(f"the pod asks for {', '.join(unused)} and does not use it")
    if network is SOCKET and (idle := view.first_variable("NCCL_IB_", but=("NCCL_IB_DISABLE",))):
        found.append(f"{idle} has no effect on TCP")
    if view.text("NCCL_NET") and network is not None and network is not SOCKET:
        has_signs = bool(view.signs(network, None)) or not (network.devices or network.host_paths)
        if not has_signs:
            found.append(f"nothing puts its device into the pod: {_STOPS}")
    return found
