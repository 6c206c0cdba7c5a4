"""What the ranks of a job will find → a picture of its pods, in plain text of 100 columns at most.

Pods of one role are one box, so that 64 of them are as easy to read as two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.prediction.devices import devices_of, gpus_of
from genjob.rules.walk import as_object, as_str, get, parts
from genjob.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.explanation.network import NetworkView, Role
    from genjob.jsontypes import JsonObject

WIDTH: Final = 45
"""Columns inside a box; two of them stand side by side."""

_SYMBOLS: Final = 16
"""GPUs and NICs that are drawn one by one; more are only counted."""

_MOST_VOLUMES: Final = 6
_GAP: Final = "  "

_SOURCES: Final = (
    ("persistentVolumeClaim", "claim", "claimName"),
    ("hostPath", "the machine's", "path"),
    ("nfs", "NFS", "server"),
    ("configMap", "ConfigMap", "name"),
    ("secret", "Secret", "secretName"),
    ("projected", "projected"),
)
"""Kind of volume, what a person calls it, and the route to its name."""


def picture(view: NetworkView) -> list[str]:
    """Return the lines of the picture."""
    contents = [_contents(view, role) for role in view.roles]
    height = max(map(len, contents))
    boxes = [
        _box(_title(role), lines + [""] * (height - len(lines)))
        for role, lines in zip(view.roles, contents, strict=True)
    ]
    rows = [_GAP.join(row) for row in zip(*boxes, strict=True)]
    return [*rows, *_wire(view, len(boxes))]


def _title(role: Role) -> str:
    count = len(role.pods)
    return role.name if count == 1 else f"{count} {role.name}s"


def _contents(view: NetworkView, role: Role) -> list[str]:
    pod = role.pods[0]
    kind = f" {view.accelerator}" if view.accelerator else ""
    lines = [*_names(role), *_ranks(view, role)]
    if gpus := gpus_of(pod.main):
        lines.append(f"GPU {_drawn('■', gpus)}{gpus}{kind}")
    devices = [
        f"NIC {_drawn('◆', int(count) if count.isdecimal() else 0)}{count} {name}"
        for name, count in devices_of(pod.main).items()
    ]
    lines += devices or [f"NIC {_drawn('◆', 1)}the {_network_of(pod.spec)} network"]
    return lines + _volumes(pod.spec, pod.main)


def _names(role: Role) -> list[str]:
    first, last = role.pods[0].name, role.pods[-1].name
    return [first] if first == last else [first, f"… {last}"]


def _ranks(view: NetworkView, role: Role) -> Iterator[str]:
    ends = [view.ranks[pod.name] for pod in role.pods if pod.name in view.ranks]
    if ends:
        first, last = ends[0][0], ends[-1][1]
        yield f"rank {first}" if first == last else f"ranks {first} to {last}"
    elif view.scale.is_elastic:
        yield "ranks as the rendezvous deals them out"


def _drawn(symbol: str, count: int) -> str:
    return f"{symbol * count} " if 0 < count <= _SYMBOLS else ""


def _network_of(spec: JsonObject) -> str:
    return "machine's" if spec.get("hostNetwork") is True else "pod"


def _volumes(spec: JsonObject, container: JsonObject) -> list[str]:
    sources = {as_str(volume.get("name")): volume for _, volume in parts((), spec.get("volumes"))}
    mounted = [
        f"{mount.get('mountPath')} ← {_source(sources.get(as_str(mount.get('name')), {}))}"
        + (", read only" if mount.get("readOnly") is True else "")
        for _, mount in parts((), container.get("volumeMounts"))
    ]
    more = len(mounted) - _MOST_VOLUMES
    return mounted if more <= 0 else [*mounted[:_MOST_VOLUMES], f"… and {more} more volumes"]


def _source(volume: JsonObject) -> str:
    """Return what a volume is, in a few words: the name of the thing that it holds."""
    memory = as_object(volume.get("emptyDir"))
    if "emptyDir" in volume:
        size = f" {memory['sizeLimit']}" if "sizeLimit" in memory else ""
        return f"{'memory' if memory.get('medium') == 'Memory' else 'scratch'}{size}"
    for kind, words, *route in _SOURCES:
        if kind in volume:
            return f"{words} {as_str(get(volume, kind, *route)) or ''}".rstrip()
    return next((kind for kind in volume if kind != "name"), "nothing")


def _box(title: str, lines: list[str]) -> list[str]:
    head = f"┌─ {title} {'─' * (WIDTH - len(title) - 1)}┐"
    body = [f"│ {printable(line, WIDTH):<{WIDTH}} │" for line in lines]
    return [head, *body, f"└{'─' * (WIDTH + 2)}┘"]


def _wire(view: NetworkView, boxes: int) -> list[str]:
    """Return the lines that join the boxes, with the network's name on them."""
    transport = next(iter(view.transports.values()), None)
    if transport is None or view.scale.most_nodes == 1:
        return []
    name = f" {transport.between} "
    middle = (WIDTH + 4) // 2
    if boxes == 1:
        return [" " * middle + "│", " " * middle + f"└─{name}between all of them"]
    span = WIDTH + 4 + len(_GAP) - 1
    ends = " " * middle + "│" + " " * span + "│"
    return [ends, " " * middle + "└" + name.center(span, "─") + "┘"]
