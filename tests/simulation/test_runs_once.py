"""Proof by simulation: each run is created once, under Argo CD and under Flux.

Whatever people commit and whenever, whatever controllers do: no finished run comes again, a
running one is left alone unless its researcher changed it, no data is deleted, and Git and the
cluster agree at rest. Without a guard, the same laws are broken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.cluster import Phase
from tests.simulation.edits import OF_ENVIRONMENT, OF_METADATA, OF_PODS
from tests.simulation.laws import BrokenLawError
from tests.simulation.machine import (
    Life,
    edit_around,
    edit_experiment,
    edit_override,
    retire,
)
from tests.simulation.world import Guards, World

if TYPE_CHECKING:
    from pathlib import Path

STATES = ("waiting", "running", "over")
AROUND = [*OF_ENVIRONMENT, "upgrade"]


def world_in(state: str, root: Path, guards: Guards | None = None) -> World:
    """Return a world whose jobs all wait, run or are over."""
    world = World(root, guards or Guards())
    world.sync()
    if state != "waiting":
        world.admit()
    if state == "over":
        world.end("a", Phase.SUCCEEDED)
        world.end("b", Phase.FAILED)
    return world


def jobs(world: World) -> list[list[tuple[str, Phase | None]]]:
    """Return the jobs of each cluster, by name, and how far they are."""
    return [
        [(which.name, each.cluster.objects[which].phase) for which in each.cluster.jobs(*Phase)]
        for each in world.watched
    ]


def test_no_life_of_a_repository_breaks_a_law() -> None:
    run_state_machine_as_test(Life, settings=settings(max_examples=15, stateful_step_count=20))


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", AROUND)
def test_a_run_goes_on_when_something_changes_around_it(
    what: str, state: str, tmp_path: Path
) -> None:
    world = world_in(state, tmp_path)
    before = jobs(world)

    for environment in ("dev", "prod"):
        edit_around(world, environment, what)
        world.sync()

    assert before == jobs(world)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", OF_METADATA)
def test_a_run_goes_on_when_its_researcher_changes_no_pods(
    what: str, state: str, tmp_path: Path
) -> None:
    world = world_in(state, tmp_path)
    before = jobs(world)

    for name in ("a", "b"):
        edit_experiment(world, name, what)
        world.sync()

    assert before == jobs(world)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", OF_PODS)
def test_another_run_takes_the_place_of_one_whose_pods_its_researcher_changes(
    what: str, state: str, tmp_path: Path
) -> None:
    world = world_in(state, tmp_path)
    (before, *_) = jobs(world)

    edit_experiment(world, "b", what)
    world.sync()

    (after, flux) = jobs(world)
    assert after == flux
    assert len(before) == len(after)
    assert 1 == len({name for name, _ in after} - {name for name, _ in before})


def test_a_held_change_comes_with_a_rerun_and_once(tmp_path: Path) -> None:
    world = world_in("over", tmp_path)
    edit_around(world, "prod", "variable")
    world.sync()
    world.rerun("b")

    world.sync()
    world.sync()

    assert [1, 1] == [sum(phase is Phase.RUNNING for _, phase in each) for each in jobs(world)]


def test_a_retired_run_is_gone_and_its_data_is_not(tmp_path: Path) -> None:
    world = world_in("over", tmp_path)
    retire(world, "a", "prod")
    retire(world, "a", "dev")

    world.sync()

    assert [["b-1d97f5e3"], ["b-1d97f5e3"]] == [[name for name, _ in each] for each in jobs(world)]
    for watched in world.watched:
        kinds = [which.kind for which in watched.cluster.objects]
        assert 2 == kinds.count("PersistentVolumeClaim")


def test_a_branch_that_was_behind_starts_only_what_its_researcher_changed(tmp_path: Path) -> None:
    world = world_in("running", tmp_path)
    world.start_branch()
    edit_experiment(world, "b", "image", on_branch=True)
    for what in ("variable", "upgrade"):
        edit_around(world, "prod", what)
        world.sync()
    before = {name for name, _ in jobs(world)[0]}

    world.merge()
    world.sync()

    after = {name for name, _ in jobs(world)[0]}
    assert ["b"] == sorted(name.partition("-")[0] for name in after - before)


# without a guard


UNGUARDED: dict[str, tuple[Guards, str]] = {
    "edits of an environment start runs": (Guards(holds=False), "no researcher"),
    "an edit reaches the pods that run": (Guards(named_by_content=False), "pods changed"),
    "Argo CD deletes and creates again what differs": (
        Guards(replace=True),
        "no researcher|deleted",
    ),
    "a retired run takes its data along": (Guards(protects=False), "data was deleted"),
    "a job that its time to live deletes is missing": (Guards(ttl=True), "PyTorchJob"),
}
"""What goes wrong → without which guard, and what the law says."""


@pytest.mark.parametrize("what", UNGUARDED)
def test_random_lives_break_a_law_without_a_guard(what: str) -> None:
    guards, law = UNGUARDED[what]
    unguarded = type("Unguarded", (Life,), {"guards": guards})
    search = settings(
        max_examples=100,
        stateful_step_count=20,
        derandomize=True,
        database=None,
        phases=[Stage.generate],
        report_multiple_bugs=False,
        suppress_health_check=[*HealthCheck],
    )

    with pytest.raises(BrokenLawError, match=law):
        run_state_machine_as_test(unguarded, settings=search)


def finished_and_expired(world: World) -> None:
    world.end("b", Phase.SUCCEEDED)
    world.expire()


def test_flux_trains_again_what_a_time_to_live_deleted(tmp_path: Path) -> None:
    world = world_in("running", tmp_path, Guards(ttl=True))
    world.watched.pop(0)
    finished_and_expired(world)

    with pytest.raises(BrokenLawError, match=r"'ml-prod/b-.*': created, and no researcher"):
        world.sync()


def test_argo_cd_does_so_at_the_next_commit_whatever_it_is_about(tmp_path: Path) -> None:
    world = world_in("running", tmp_path, Guards(ttl=True))
    world.watched.pop()
    finished_and_expired(world)
    edit_experiment(world, "a", "label")

    with pytest.raises(BrokenLawError, match=r"'ml-prod/b-.*': created, and no researcher"):
        world.sync()


def test_argo_cd_with_self_heal_does_so_at_once(tmp_path: Path) -> None:
    world = world_in("running", tmp_path, Guards(ttl=True, self_heal=True))
    world.watched.pop()
    finished_and_expired(world)

    with pytest.raises(BrokenLawError, match=r"'ml-prod/b-.*': created, and no researcher"):
        world.sync()


def test_without_holding_an_environment_repeats_every_finished_run(tmp_path: Path) -> None:
    world = world_in("over", tmp_path, Guards(holds=False))
    edit_around(world, "prod", "variable")

    with pytest.raises(BrokenLawError, match="no researcher"):
        world.sync()


def test_a_stable_name_with_replace_trains_again_for_a_label(tmp_path: Path) -> None:
    world = world_in("over", tmp_path, Guards(named_by_content=False, replace=True))
    world.watched.pop()
    edit_experiment(world, "b", "label")

    with pytest.raises(BrokenLawError, match="no researcher asked for it"):
        world.sync()


def test_a_stable_name_gives_the_pods_that_run_two_versions(tmp_path: Path) -> None:
    world = world_in("running", tmp_path, Guards(named_by_content=False))
    edit_override(world, "b", "prod")

    with pytest.raises(BrokenLawError, match="'ml-prod/b': pods changed while it was running"):
        world.sync()


def test_claims_without_annotations_go_with_their_run(tmp_path: Path) -> None:
    world = world_in("over", tmp_path, Guards(protects=False))
    retire(world, "a", "prod")

    with pytest.raises(BrokenLawError, match="'ml-prod/a-data': data was deleted"):
        world.sync()
