"""A command → how long it took, how much of the processors, how much memory; medians of runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True)
class Sample:
    """One run, or the medians of several.

    `cpu_s` counts every process that the command waited for, `memory_mib` is that of its largest.
    """

    wall_s: float
    cpu_s: float
    memory_mib: float

    def __str__(self) -> str:
        """Return it as a cell of a table."""
        wall_ms, cpu_ms = 1000 * self.wall_s, 1000 * self.cpu_s
        return f"{wall_ms:9.0f} ms {cpu_ms:9.0f} ms {self.memory_mib:6.0f} MiB"


def run(argv: Sequence[str], environ: Mapping[str, str], *, most: int = 0) -> Sample:
    """Run a command once; it fails with an exit code above `most`.

    Compiled bytecode is used and written, as it is where people work.

    Raises:
        subprocess.CalledProcessError: when it fails.
    """
    inherited = {key: it for key, it in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    with subprocess.Popen(
        [*argv], env={**inherited, **environ}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        said = process.stderr.read() if process.stderr else b""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = time.perf_counter() - began
    if not 0 <= process.returncode <= most:
        raise subprocess.CalledProcessError(process.returncode, [*argv], stderr=said)
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Sample(wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss / unit)


def medians(samples: Sequence[Sample]) -> Sample:
    """Return the median of each figure."""
    return Sample(
        statistics.median(sample.wall_s for sample in samples),
        statistics.median(sample.cpu_s for sample in samples),
        statistics.median(sample.memory_mib for sample in samples),
    )


def timed(work: Callable[[], object]) -> Sample:
    """Run a function of this process once."""
    began, cpu = time.perf_counter(), time.process_time()
    work()
    return Sample(time.perf_counter() - began, time.process_time() - cpu, 0.0)
