"""A program and its arguments → a process that runs until the tests are over, whatever happens."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

LOOPBACK = "127.0.0.1"

_PATIENCE_S = 180.0
"""How long a program may take to answer; on two busy cores the API server needs about 10."""

_LAST_LINES = 15


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback interface that nobody listens on, all different."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((LOOPBACK, 0))
        return [int(each.getsockname()[1]) for each in sockets]


@contextmanager
def running(
    argv: Sequence[str | Path], log: Path, environ: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in the background, its output in a file, and end it with the block.

    On Linux it also ends when this process is killed and no block is left in order.
    """
    leash = shutil.which("setpriv")
    tied = [leash, "--pdeathsig", "KILL", *argv] if leash else [*argv]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            tied, env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ) as process,
    ):
        try:
            yield process
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()


def until(
    holds: Callable[[], bool], what: str, process: subprocess.Popen[bytes], log: Path
) -> None:
    """Wait until something holds of a process.

    Raises:
        RuntimeError: with its last words, when the process ends or takes too long.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while not holds():
        if process.poll() is not None or time.monotonic() > deadline:
            words = log.read_text("utf-8", "replace").splitlines()[-_LAST_LINES:]
            ended = "ended" if process.poll() is not None else "took too long"
            raise RuntimeError("\n".join([f"{what}: it {ended}", *words]))
        time.sleep(0.05)
