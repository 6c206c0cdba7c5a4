"""Random sequences of commits and events, as hypothesis draws them."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.simulation.cluster import Phase
from tests.simulation.edits import (
    ENVIRONMENTS,
    EXPERIMENTS,
    OF_ENVIRONMENT,
    OF_METADATA,
    OF_OVERRIDE,
    OF_PODS,
)
from tests.simulation.laws import Changes
from tests.simulation.world import Guards, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import JsonObject


class Life(RuleBasedStateMachine):
    """The life of a repository and its two clusters, with every guard.

    There are few rules, each with a table of what can happen: a table is drawn from evenly.
    """

    guards = Guards()

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="genjob-simulation-")
        self.world = World(Path(self.folder.name), self.guards)
        self.lag, self.steps = 0, 0
        self.world.sync()

    @initialize(lag=st.sampled_from([0, 0, 1, 3]))
    def the_engines_are_slow(self, lag: int) -> None:
        """Let so many steps pass before each sync."""
        self.lag = lag

    @invariant()
    def the_engines_look_again(self) -> None:
        """Sync when it is time."""
        self.steps += 1
        if self.steps > self.lag:
            self.steps = 0
            self.world.sync()

    def teardown(self) -> None:
        """Clean up."""
        self.folder.cleanup()

    @rule(name=st.sampled_from(EXPERIMENTS), what=st.sampled_from([*OF_PODS, *OF_METADATA]))
    def a_researcher_edits(self, name: str, what: str) -> None:
        """Edit an experiment on the main branch."""
        edit_experiment(self.world, name, what, on_branch=False)

    @rule(
        what=st.sampled_from([*OF_ENVIRONMENT, "upgrade", "rollback"]),
        environment=st.sampled_from(ENVIRONMENTS),
    )
    def an_engineer_edits(self, what: str, environment: str) -> None:
        """Edit an environment, or take another version of the program, at any time."""
        edit_around(self.world, environment, what, on_branch=False)

    @rule(
        what=st.sampled_from(["override", "override", "rerun", "retire"]),
        name=st.sampled_from(EXPERIMENTS),
        environment=st.sampled_from(ENVIRONMENTS),
    )
    def a_researcher_runs(self, what: str, name: str, environment: str) -> None:
        """Change, repeat or end the run of one environment; a new one is one more."""
        match what:
            case "override":
                edit_override(self.world, name, environment)
            case "rerun":
                self.world.rerun(name)
            case _:
                retire(self.world, name, environment)

    @rule(
        what=st.sampled_from(
            [*OF_PODS, *OF_METADATA, *OF_ENVIRONMENT, "upgrade", "rerun", "merge"]
        ),
        name=st.sampled_from(EXPERIMENTS),
        environment=st.sampled_from(ENVIRONMENTS),
    )
    def a_branch_goes_on(self, what: str, name: str, environment: str) -> None:
        """Edit on a branch, which begins with its first edit; merge it after a few."""
        if self.world.branch is None:
            self.world.start_branch()
        elif what == "merge" or len(self.world.branch_edits) > 1:
            self.world.merge()
            return
        self.world.branch_edits.append(what)
        if what in OF_PODS or what in OF_METADATA:
            edit_experiment(self.world, name, what, on_branch=True)
        elif what in OF_ENVIRONMENT or what == "upgrade":
            edit_around(self.world, environment, what, on_branch=True)
        else:
            self.world.rerun(name, on_branch=True)

    @rule(
        what=st.sampled_from(["admit", "succeed", "fail", "expire"]),
        name=st.sampled_from(EXPERIMENTS),
    )
    def a_controller_acts(self, what: str, name: str) -> None:
        """Start what waits, end what runs, delete what has a time to live."""
        match what:
            case "admit":
                self.world.admit()
            case "expire":
                self.world.expire()
            case _:
                self.world.end(name, Phase.SUCCEEDED if what == "succeed" else Phase.FAILED)


def edit_experiment(world: World, name: str, what: str, *, on_branch: bool = False) -> None:
    """Edit an experiment; what reaches its pods starts a run wherever it is."""
    places = world.places(world.tip(on_branch=on_branch), name)
    edit = (OF_PODS | OF_METADATA)[what]
    did = Changes(restarts={name} if what in OF_PODS else set(), edits={name})
    did.reach(places)
    _edit(world, f"experiments/{name}/experiment.yaml", edit, did, on_branch=on_branch)


def edit_override(world: World, name: str, environment: str, what: str = "variable") -> None:
    """Edit what is different in one environment, where the experiment may be new."""
    place = (environment, name)
    is_new = place not in world.places(world.main, name)
    if is_new and not world.fits_its_claims(place):
        return

    def edit(data: JsonObject, number: int) -> None:
        override = _environments(data).setdefault(environment, {})
        assert isinstance(override, dict)
        OF_OVERRIDE[what](override, number)

    did = Changes(Counter([place]), Counter([place] if is_new else ()), {place})
    _edit(world, f"experiments/{name}/experiment.yaml", edit, did, on_branch=False)


def retire(world: World, name: str, environment: str) -> None:
    """Take a run out of Git."""
    did = Changes(left={(environment, name)})

    def edit(data: JsonObject, _: int) -> None:
        _environments(data).pop(environment, None)

    _edit(world, f"experiments/{name}/experiment.yaml", edit, did, on_branch=False)


def edit_around(world: World, environment: str, what: str, *, on_branch: bool = False) -> None:
    """Edit an environment, or render with another version of the program."""
    if what in OF_ENVIRONMENT:
        file = f"environments/{environment}.yaml"
        _edit(world, file, OF_ENVIRONMENT[what], Changes(), on_branch=on_branch)
    else:
        world.upgrade(newer=what == "upgrade", on_branch=on_branch)


def _environments(experiment: JsonObject) -> JsonObject:
    named = experiment.setdefault("environments", {})
    assert isinstance(named, dict)
    return named


def _edit(
    world: World,
    file: str,
    edit: Callable[[JsonObject, int], None],
    did: Changes,
    *,
    on_branch: bool,
) -> None:
    number = world.next_number()
    world.edit(file, lambda data: edit(data, number), did, on_branch=on_branch)
