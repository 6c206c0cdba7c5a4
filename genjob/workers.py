"""A function and names → what it returns for each, made on all cores where that pays.

Processes that are forked share what was read, so nothing is sent to them; where that cannot be,
this process does the work alone.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

FEW = 16
"""Experiments for which starting processes would take longer than it saves."""

Made = TypeVar("Made")

if TYPE_CHECKING:
    Receiving: TypeAlias = Connection[None, tuple[str, Made]]
    Sending: TypeAlias = Connection[tuple[str, Made], None]


def made(
    make: Callable[[str], Made], names: Sequence[str], *, few: int = FEW
) -> Iterator[tuple[str, Made]]:
    """Yield each name with what is made of it, in no certain order.

    Fewer names than `few` are not worth other processes.
    """
    if not is_shared(names, few=few):
        yield from ((name, make(name)) for name in names)
        return
    cores = min(_cores(), len(names))
    missing = dict.fromkeys(names)
    with ExitStack() as ended:
        shares = [names[first::cores] for first in range(cores)]
        channels = [ended.enter_context(_started(make, share)) for share in shares]
        for name, value in _received(channels):
            del missing[name]
            yield name, value
    # what a worker left: it was killed, or a tool is missing, which is an error of this process
    yield from ((name, make(name)) for name in missing)


def is_shared(names: Sequence[str], *, few: int = FEW) -> bool:
    """Return whether `made` shares these names between processes."""
    return len(names) >= few and len(names) > 1 and _cores() > 1 and can_fork()


def can_fork() -> bool:
    """Return whether this process may be copied: one of several threads would copy their locks."""
    return sys.platform == "linux" and len([*Path("/proc/self/task").iterdir()]) == 1


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _started(make: Callable[[str], Made], names: Sequence[str]) -> Receiving[Made]:
    """Return where the pairs of name and value arrive that a new process makes."""
    from multiprocessing import get_context  # noqa: PLC0415 # not for a few names

    fork = get_context("fork")
    receiving, sending = fork.Pipe(duplex=False)
    fork.Process(target=_work, args=(make, names, sending), daemon=True).start()
    sending.close()
    return receiving


def _work(make: Callable[[str], Made], names: Sequence[str], sending: Sending[Made]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    with suppress(ToolError, OSError):
        for name in names:
            sending.send((name, make(name)))
    sending.close()


def _received(channels: Sequence[Receiving[Made]]) -> Iterator[tuple[str, Made]]:
    """Yield what the processes send until all have ended."""
    from multiprocessing.connection import wait  # noqa: PLC0415 # not for a few names

    open_ones = [*channels]
    while open_ones:
        ready = wait(open_ones)
        for channel in [each for each in open_ones if each in ready]:
            try:
                yield channel.recv()
            except EOFError:
                open_ones.remove(channel)
