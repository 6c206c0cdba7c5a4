"""A run whose topology changes → a Mermaid picture of its pods before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.difference.figures import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.difference.change import RunChange
    from genjob.difference.usage import Usage


def picture(change: RunChange) -> list[str]:
    """Return the lines of a flowchart; none where the topology is the same on both sides.

    GitHub and GitLab draw a code block of the language `mermaid`.
    """
    before, after = change.usage
    if before is None or after is None or _topology(before) == _topology(after):
        return []
    return [
        "flowchart LR",
        *_side("before", before),
        *_side("after", after),
        "  before ==> after",
    ]


def _topology(usage: Usage) -> tuple[object, ...]:
    return usage.pods, usage.gpus_per_pod, usage.pool, usage.fabric


def _side(name: str, usage: Usage) -> Iterator[str]:
    where = [
        *([f"node pool {usage.pool}"] if usage.pool else []),
        *([f"fabric {usage.fabric}"] if usage.fabric else []),
    ]
    total = f"{name}: {_counted(usage.nodes, 'node')}, {_counted(usage.gpus, 'GPU')}"
    yield f'  subgraph {name}["{text(", ".join([total, *where]))}"]'
    boxes = [
        f'    {name}_{role}["{text(_pods(role, count, usage.gpus_per_pod.get(role, 0)))}"]'
        for role, count in usage.pods.items()
    ]
    yield from boxes
    if len(boxes) > 1:
        yield "    " + " --- ".join(f"{name}_{role}" for role in usage.pods)
    yield "  end"


def _pods(role: str, count: int, gpus: int) -> str:
    pods = role if count == 1 else f"{count} {role}s"
    each = " each" if count > 1 else ""
    return f"{pods}, {_counted(gpus, 'GPU')}{each}" if gpus else pods


def _counted(number: int, noun: str) -> str:
    return f"{figure(number)} {noun}{'s' if number != 1 else ''}"


def text(words: str) -> str:
    """Return words as a label of Mermaid shows them: all but plain characters as entities.

    Source: https://mermaid.js.org/syntax/flowchart.html, "Entity codes to escape characters".
    """
    plain = " .,:/_-"
    return "".join(
        c if (c.isascii() and c.isalnum()) or c in plain else f"#{ord(c)};" for c in words
    )
