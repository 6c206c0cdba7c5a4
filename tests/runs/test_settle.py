"""A resolved job beside what is committed → the decision, the objects, the lock, what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.rendering import job_of
from genjob.runs.committed import Committed
from genjob.runs.decision import Decision
from genjob.runs.hold import HeldBack
from genjob.runs.identity import job_of as job_among
from genjob.runs.identity import objects_digest, run_hash
from genjob.runs.settle import Settled, settle
from genjob.workspace.loading import load
from tests.runs.a_workspace import EXPERIMENT, PROD, Workspace

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand


@pytest.fixture
def workspace(repo: MakesWorkspace, run_cli: RunsCommand) -> Workspace:
    """Give a workspace that was rendered once."""
    return Workspace.rendered(repo, run_cli)


def settled(workspace: Workspace, *, rerun: bool = False) -> Settled:
    """Settle the run of prod as the files say now."""
    loaded = load(workspace.root)
    job, problems = job_of(loaded, "a", "prod")
    own, _ = job_of(loaded, "a", "prod", alone=True)
    assert job is not None, problems
    assert own is not None
    return settle(job, own, Committed(workspace.root, "bases/a", "overlays/prod/a"), rerun=rerun)


def test_nothing_committed_is_a_first_run(workspace: Workspace) -> None:
    for path in (workspace.root / workspace.overlay()).iterdir():
        path.unlink()

    found = settled(workspace)

    assert (Decision.FIRST, None, []) == (found.decision, found.held, found.problems)
    assert found.objects == found.fresh


def test_nothing_changed_is_the_same_run_and_the_same_lock(workspace: Workspace) -> None:
    found = settled(workspace)

    assert (Decision.SAME, None, []) == (found.decision, found.held, found.problems)
    assert workspace.lock() == {"version": "genjob/v1"} | {
        key: getattr(found.lock, key) for key in workspace.lock() if key != "version"
    }


def test_a_held_run_has_its_old_objects_beside_the_fresh_ones(workspace: Workspace) -> None:
    before = workspace.built()
    workspace.edit(PROD, "REGION: eu", "REGION: us")

    found = settled(workspace)

    assert (Decision.HELD, HeldBack("a", "prod", ("REGION",))) == (found.decision, found.held)
    assert objects_digest(before) == objects_digest(m.body for m in found.objects)
    assert objects_digest(before) != objects_digest(m.body for m in found.fresh)
    assert workspace.lock()["hash"] == found.lock.hash


@pytest.mark.parametrize("rerun", [False, True])
def test_a_new_run_is_named_by_what_it_is(
    rerun: bool,  # noqa: FBT001 # a column of the table
    workspace: Workspace,
) -> None:
    workspace.edit(PROD, "REGION: eu", "REGION: us")
    if not rerun:
        workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")

    found = settled(workspace, rerun=rerun)

    digits = run_hash(job_among(m.body for m in found.objects))
    assert (Decision.NEW, None, []) == (found.decision, found.held, found.problems)
    assert (f"a-{digits}", digits) == (found.lock.run, found.lock.hash)
    assert objects_digest(m.body for m in found.objects) == found.lock.objects


def test_a_lock_that_cannot_be_used_is_an_error_unless_a_run_is_started(
    workspace: Workspace,
) -> None:
    (workspace.root / workspace.overlay() / "run.lock").unlink()

    assert ["GJ711"] == [found.code for found in settled(workspace).problems]
    assert [] == settled(workspace, rerun=True).problems


def test_what_is_settled_and_written_is_settled_again_in_the_same_way(
    workspace: Workspace,
) -> None:
    workspace.edit(PROD, "REGION: eu", "REGION: us")
    workspace.edit(EXPERIMENT, "nodes: 2", "nodes: 2\nlabels: {team: nlp}")
    first = settled(workspace)
    workspace.render()

    second = settled(workspace)

    assert first.lock == second.lock
    assert objects_digest(m.body for m in first.objects) == objects_digest(
        m.body for m in second.objects
    )
