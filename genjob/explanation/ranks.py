"""What the ranks of a job will find → the sentence that counts them, and the table of the pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.explanation.table import in_columns
from genjob.prediction import effective_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.explanation.network import NetworkView
    from genjob.prediction import PredictedPod, Scale

MOST_PODS: Final = 8
"""Pods that have a line of their own; the rest is counted."""

READ: Final = (
    "WORLD_SIZE",
    "RANK",
    "PET_NODE_RANK",
    "PET_NNODES",
    "PET_NPROC_PER_NODE",
    "PET_RDZV_ENDPOINT",
)
"""Variables that tell a process where it stands; those that no pod has are left out."""


def summary(view: NetworkView) -> str:
    """Return the counts: `4 nodes, 8 processes each, 32 ranks; WORLD_SIZE … will read 32`."""
    counts = [_nodes(view.scale), *_processes(view.scale), *_ranks(view.scale)]
    return f"{', '.join(counts)}; {_world_size(view)}"


def rank_table(view: NetworkView) -> list[str]:
    """Return the table of what each pod reads, for the first pods, and a word about the rest."""
    read = [(pod, _read(pod)) for pod in view.pods[:MOST_PODS]]
    names = [name for name in READ if any(name in texts for _, texts in read)]
    rows = [("pod", *names, *(["its ranks"] if view.ranks else []))]
    for pod, texts in read:
        own = [_span(*view.ranks[pod.name])] if pod.name in view.ranks else []
        short = f"{pod.role.lower()}-{pod.index}"
        rows.append((short, *(texts.get(name, "") for name in names), *own))
    more = len(view.pods) - MOST_PODS
    lines = in_columns(rows, [0] * len(rows[0]))
    return [*lines, *([f"… and {more} more"] if more > 0 else []), *_notes(view)]


def _nodes(scale: Scale) -> str:
    least, most = scale.least_nodes, scale.most_nodes
    return _count(most, "node") if least == most else f"{least} to {most} nodes"


def _processes(scale: Scale) -> Iterator[str]:
    counts = {each.count for each in scale.processes.values()}
    each = " each" if scale.most_nodes > 1 else ""
    if None in counts:
        reasons = dict.fromkeys(each.reason for each in scale.processes.values())
        yield f"an unknown number of processes{each} ({'; '.join(reasons)})"
    elif len(counts) > 1:
        for role, processes in scale.processes.items():
            yield f"{_count(processes.count or 0, 'process')} in the {role}"
    else:
        yield f"{_count(next(iter(counts)) or 0, 'process')}{each}"


def _ranks(scale: Scale) -> Iterator[str]:
    if scale.ranks is not None:
        least, most = scale.ranks
        yield _count(most, "rank") if least == most else f"{least} to {most} ranks"


def _world_size(view: NetworkView) -> str:
    if view.world_size is None:
        return "torchrun sets WORLD_SIZE, not the operator"
    text = f"WORLD_SIZE in the pod will read {view.world_size}"
    ranks = view.scale.ranks
    return text if ranks is None or str(ranks[1]) == view.world_size else f"{text}, which is wrong"


def _notes(view: NetworkView) -> Iterator[str]:
    if view.ranks and any(each.count != 1 for each in view.scale.processes.values()):
        yield "RANK in the pod is that of the node; torchrun gives each process its own"
    if view.scale.is_elastic:
        yield "RANK and WORLD_SIZE come from the rendezvous, and change with the number of nodes"


def _read(pod: PredictedPod) -> dict[str, str]:
    settings = effective_settings(pod.main)
    return {name: settings[name].text or "" for name in READ if name in settings}


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _count(number: int, noun: str) -> str:
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}{plural if number != 1 else ''}"
