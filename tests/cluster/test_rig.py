"""The rig itself: what it starts ends with it, whatever happens, and says why when it fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cluster.control_plane import MARKER
from tests.cluster.processes import free_ports, running, until

if TYPE_CHECKING:
    from tests.cluster.api import Cluster

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
RUNS_ONE = f"""
import os, time
from pathlib import Path
from tests.cluster.processes import running, until
log = Path("log")
with running({SLEEPER!r}, log, os.environ) as process:
    until(lambda: log.read_text() == "up\\n", "sleeper", process, log)
    print(process.pid, flush=True)
    time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that ended and was not waited for yet does not."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.is_file() and stat.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"


def test_a_program_ends_with_the_block_that_fails(tmp_path: Path) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        running(SLEEPER, tmp_path / "log", os.environ) as process,
    ):
        _ = 1 / 0

    assert process.poll() is not None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_program_ends_with_a_test_run_that_is_killed(tmp_path: Path) -> None:
    checkout = str(Path(__file__).parent.parent.parent)
    environ = {**os.environ, "PYTHONPATH": checkout}
    with subprocess.Popen(
        [sys.executable, "-c", RUNS_ONE], cwd=tmp_path, env=environ, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert not is_alive(child)


def test_a_program_that_does_not_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", "import sys; sys.exit('no such flag')"]
    log = tmp_path / "log"
    with (
        running(argv, log, os.environ) as process,
        pytest.raises(RuntimeError, match="etcd: it ended\nno such flag"),
    ):
        until(lambda: False, "etcd", process, log)


def test_free_ports_differ() -> None:
    assert len({*free_ports(20)}) == 20


def test_the_cluster_leaves_nothing_at_the_place_that_the_operator_insists_on(
    cluster: Cluster,
) -> None:
    assert cluster.is_ready()
    assert not MARKER.exists()
