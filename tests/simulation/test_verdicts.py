"""What `genjob diff` says of a change is what a cluster then sees, under Argo CD and under Flux."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.difference.effect import Verdict, remaining, worst
from genjob.difference.side import Place, Run
from genjob.difference.verdict import effects_of
from genjob.manifest import identity
from tests.simulation.cluster import Phase, What
from tests.simulation.edits import OF_ENVIRONMENT, OF_METADATA, OF_PODS
from tests.simulation.engines import Argo, Flux
from tests.simulation.machine import edit_around, edit_experiment, edit_override, retire
from tests.simulation.world import Guards, World, without_annotations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from genjob.jsontypes import JsonObject
    from tests.simulation.engines import Engine

    Desired = Mapping[str, Sequence[JsonObject]]

ENGINES: dict[str, Callable[[], Engine]] = {"argocd": Argo, "flux": Flux}

SEEN: dict[Verdict, set[What]] = {
    Verdict.NO_EFFECT: set(),
    Verdict.METADATA: set(),
    Verdict.NEW_RUN: {What.CREATED, What.STOPPED},
    Verdict.NEW_EXPERIMENT: {What.CREATED},
    Verdict.RETIRED: {What.STOPPED},
    Verdict.MIXES: {What.PODS},
    Verdict.EVICTS: {What.PODS},
    Verdict.REFUSED: {What.REFUSED},
}
"""Verdict → what a cluster must see of the jobs of a run that is running."""


def verdicts(before: Desired, after: Desired, engine: str) -> dict[str, Verdict]:
    """Return the verdict of each overlay."""
    declared = {identity(body) for objects in after.values() for body in objects}
    return {
        overlay: worst(
            remaining(
                effects_of(as_run(before.get(overlay)), as_run(after.get(overlay)), engine=engine),
                declared,
            )
        )
        for overlay in {*before, *after}
    }


def as_run(objects: Sequence[JsonObject] | None) -> Run | None:
    if objects is None:
        return None
    ordered = sorted(objects, key=lambda body: body["kind"] != "PyTorchJob")
    return Run(Place("prod", "x"), tuple(ordered), None)


def seen(before: Desired, after: Desired, engine: Engine) -> dict[str, set[What]]:
    """Return what the jobs of each overlay see when all of them run."""
    engine.reconcile(1, before)
    for queued in engine.cluster.jobs(Phase.QUEUED):
        engine.cluster.admit(queued)
    engine.cluster.take_events()
    engine.reconcile(2, after)
    events = [each for each in engine.cluster.take_events() if each.what is not What.POLICY]
    owners = {
        identity(body): overlay
        for side in (before, after)
        for overlay, objects in side.items()
        for body in objects
    }
    return {
        overlay: {
            each.what
            for each in events
            if owners[each.which] == overlay and each.which.kind == "PyTorchJob"
        }
        for overlay in {*before, *after}
    }


def agree(world: World, before: Desired) -> set[Verdict]:
    """See that verdicts and events agree; return the verdicts that are not `no effect`."""
    found: set[Verdict] = set()
    for name, engine in ENGINES.items():
        said = verdicts(before, world.main.desired, name)
        happened = seen(before, world.main.desired, engine())
        assert {overlay: SEEN[verdict] for overlay, verdict in said.items()} == happened
        found |= {*said.values()} - {Verdict.NO_EFFECT}
    return found


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("what", [*OF_PODS, *OF_METADATA])
def test_an_edit_of_an_experiment(what: str, name: str, tmp_path: Path) -> None:
    world = World(tmp_path)
    before = world.main.desired
    edit_experiment(world, name, what)

    found = agree(world, before)

    assert found <= ({Verdict.NEW_RUN} if what in OF_PODS else {Verdict.METADATA})


@pytest.mark.parametrize("what", [*OF_ENVIRONMENT, "upgrade"])
def test_an_edit_around_experiments(what: str, tmp_path: Path) -> None:
    world = World(tmp_path)
    before = world.main.desired
    edit_around(world, "prod", what)

    assert agree(world, before) <= {Verdict.METADATA}


def test_an_override_and_a_rerun(tmp_path: Path) -> None:
    world = World(tmp_path)
    edit_around(world, "prod", "variable")
    before = world.main.desired
    edit_override(world, "a", "dev")
    world.rerun("b")

    assert {Verdict.NEW_RUN} == agree(world, before)


def test_a_retired_run_and_its_return(tmp_path: Path) -> None:
    world = World(tmp_path)
    first = world.main.desired
    retire(world, "a", "prod")
    second = world.main.desired

    assert {Verdict.RETIRED} == agree(world, first)
    edit_override(world, "a", "prod")
    assert {Verdict.NEW_EXPERIMENT} == agree(world, second)


@pytest.mark.parametrize("name", ["a", "b"])
def test_pods_under_a_stable_name(name: str, tmp_path: Path) -> None:
    world = World(tmp_path, Guards(named_by_content=False))
    before = world.main.desired
    edit_override(world, name, "prod")

    assert {Verdict.EVICTS if name == "a" else Verdict.MIXES} == agree(world, before)


@pytest.mark.parametrize("engine", ENGINES)
def test_data_is_deleted_exactly_where_it_is_said(engine: str, tmp_path: Path) -> None:
    world = World(tmp_path)
    protected = world.main.desired
    retire(world, "a", "prod")
    after = world.main.desired
    for before in (protected, without_annotations(protected)):
        applied = ENGINES[engine]()
        applied.reconcile(1, before)
        applied.cluster.take_events()
        applied.reconcile(2, after)
        lost = [each for each in applied.cluster.take_events() if "Claim" in each.which.kind]

        said = verdicts(before, after, engine)["prod/a"]

        assert (Verdict.DELETES_DATA if lost else Verdict.RETIRED) is said
