"""The command and args of a container → the launcher that it starts and the flags that it passes.

A command may be words or a shell script, so this reads text, not a grammar: a flag is believed
only when its value is a constant, and comment lines are left out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from genjob.rules.walk import as_list, as_object, as_str, main_container, once, pod_specs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.walk import Part

OWN_RENDEZVOUS = re.compile(
    r"rdzv|master[-_]?(addr|host|ip)|main_process_ip|init[-_]method|coordinator|hostfile|ray start",
    re.IGNORECASE,
)
"""Words of a command that finds the other pods by its own means."""

OTHER_LAUNCHER = re.compile(
    r"torchrun|torch\.distributed|torch/distributed|accelerate|deepspeed|mpirun|horovod|colossalai"
)
TORCHRUN = re.compile(r"\btorchrun\b|torch\.distributed\.(run|launch)\b")
LAUNCH_MODULE = re.compile(r"-m\s+torch\.distributed\.launch\b")
PYTHON = re.compile(r"(?:\S*/)?python[0-9.]*")

_FLAG = re.compile(r"(?<![\w-])--?([a-z][\w-]*)(?:[=\s]+([^\s'\"\\;|&)]+))?", re.IGNORECASE)
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)


class Flag(NamedTuple):
    """A flag of a command, named with underscores, and the word after it; both as typed."""

    path: DocPath
    name: str
    value: str


def words(path: DocPath, container: JsonObject) -> list[tuple[DocPath, str]]:
    """Return the texts of command and args in their order, without comment lines."""
    return [
        ((*path, field, index), _COMMENT.sub("", word) if "#" in word else word)
        for field in ("command", "args")
        for index, word in enumerate(as_list(container.get(field)))
        if isinstance(word, str)
    ]


def command_text(container: JsonObject) -> str:
    """Return command and args as one line of words."""
    return " ".join(word for _, word in words((), container))


def flags(path: DocPath, container: JsonObject) -> Iterator[Flag]:
    """Yield the flags of torchrun's command line; none where it does not start torchrun."""
    typed = words(path, container)
    for index, name, value in _flags(tuple(word for _, word in typed)):
        yield Flag(typed[index][0], name, value)


@lru_cache(maxsize=64)  # several rules ask for those of one command
def _flags(typed: tuple[str, ...]) -> tuple[tuple[int, str, str], ...]:
    """Return the index of the word, the name and the value of each flag of torchrun."""
    if not TORCHRUN.search(" ".join(typed)):
        return ()
    return tuple(
        (index, match[1].replace("-", "_"), match[2] or (after if match.end() == len(word) else ""))
        for index, (word, after) in enumerate(zip(typed, (*typed[1:], ""), strict=True))
        for match in _FLAG.finditer(word)
    )


@once
def main_containers(job: JsonObject) -> Iterator[Part]:
    """Yield the container that trains, of each role that has one."""
    for path, pod in pod_specs(job):
        if (main := main_container(path, pod)) is not None:
            yield main


def has_own_rendezvous(job: JsonObject) -> bool:
    """Return whether a command or a variable says by itself where the other pods are."""
    return any(
        OWN_RENDEZVOUS.search(command_text(container) + " " + " ".join(_env_names(container)))
        for _, container in main_containers(job)
    )


def is_plain_python(container: JsonObject) -> bool:
    """Return whether the container runs one Python process, with no launcher in its command."""
    first = next((word for _, word in words((), container)), "")
    return PYTHON.fullmatch(first) is not None and not OTHER_LAUNCHER.search(
        command_text(container)
    )


def _env_names(container: JsonObject) -> Iterator[str]:
    for entry in as_list(container.get("env")):
        yield as_str(as_object(entry).get("name")) or ""
