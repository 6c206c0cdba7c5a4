"""What workers make is what this process would make, also where one of them ends early."""

from __future__ import annotations

import os
import signal

import pytest

from genjob.diagnostics import ToolError
from genjob.workers import FEW, made

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

NAMES = [str(number) for number in range(4 * FEW)]


@pytest.fixture(autouse=True)
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork though a runner of tests may have threads: none of them holds a lock meanwhile."""
    monkeypatch.setattr("genjob.workers.can_fork", lambda: True)
    monkeypatch.setattr("genjob.workers._cores", lambda: 2)


def test_each_name_is_made_once() -> None:
    pairs = [*made(lambda name: name * 2, NAMES)]

    assert {name: name * 2 for name in NAMES} == dict(pairs)
    assert len(NAMES) == len(pairs)


def test_what_a_killed_worker_left_is_made_here() -> None:
    here = os.getpid()

    def make(name: str) -> int:
        if name == NAMES[FEW] and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return int(name)

    assert {name: int(name) for name in NAMES} == dict(made(make, NAMES))


def test_a_missing_tool_is_an_error_of_this_process() -> None:
    def make(name: str) -> str:
        if name == NAMES[-1]:
            raise ToolError("no 'kustomize' was found")
        return name

    with pytest.raises(ToolError, match="kustomize"):
        [*made(make, NAMES)]


def test_a_few_names_are_made_in_this_process() -> None:
    assert {os.getpid()} == {pid for _, pid in made(lambda _: os.getpid(), NAMES[: FEW - 1])}


def test_many_names_are_made_by_others() -> None:
    pids = {pid for _, pid in made(lambda _: os.getpid(), NAMES)}

    assert len(pids) == 2
    assert os.getpid() not in pids


def test_a_process_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("genjob.workers.can_fork", lambda: False)

    assert {os.getpid()} == {pid for _, pid in made(lambda _: os.getpid(), NAMES)}
