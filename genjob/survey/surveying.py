"""A workspace → the outcome of every selected experiment, remembered or made, and all findings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from genjob.allowances import remaining_together
from genjob.demand import demand
from genjob.diagnostics import in_order
from genjob.memory.memory import Asked, Found
from genjob.rendering import plan_of
from genjob.selection import relevant, selected, unknown_names
from genjob.survey.outcome import Outcome, outcome_of
from genjob.workers import made

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from genjob.diagnostics import Diagnostic
    from genjob.memory.memory import Memorable, Memory, Reading
    from genjob.runs.hold import HeldBack
    from genjob.selection import Selection
    from genjob.tree.plan import Plan
    from genjob.workspace.loading import Loaded


@dataclass(frozen=True)
class Survey:
    """What a selection comes to, in the order of the experiments; `found` may be remembered."""

    loaded: Loaded
    outcomes: tuple[Outcome, ...]
    diagnostics: list[Diagnostic]
    found: Found

    @property
    def rendered(self) -> int:
        """How many experiments could be resolved."""
        return sum(outcome.is_rendered for outcome in self.outcomes)

    @property
    def held(self) -> list[HeldBack]:
        """What is held back from runs."""
        return [held for outcome in self.outcomes for held in outcome.held]


def survey(
    loaded: Loaded,
    selection: Selection,
    memory: Memory,
    *,
    planned: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Survey:
    """Say what each selected experiment comes to; with `planned`, which files are to be written."""
    asked = Asked(selection.environments, loaded.claims)
    outcomes = _remembered(memory, asked, selection, planned=planned)
    names = selected(loaded, selection)
    for name in names:
        if name in outcomes:
            progress(name)
    fresh = {}
    make = partial(_made, loaded, selection, planned)
    for name, outcome in made(make, [name for name in names if name not in outcomes]):
        progress(name)
        fresh[name] = outcome
    every = tuple(fresh.get(name) or outcomes[name] for name in names)
    asked_again = {name: it for name, it in fresh.items() if name not in selection.rerun}
    found = found_in(loaded, asked, asked_again)
    return Survey(loaded, every, findings_of(loaded, selection, every), found)


def _made(loaded: Loaded, selection: Selection, planned: bool, name: str) -> Outcome:  # noqa: FBT001 # for partial
    return outcome_of(loaded, selection, planned=planned, name=name)


def _remembered(
    memory: Memory, asked: Asked, selection: Selection, *, planned: bool
) -> dict[str, Outcome]:
    """Return the outcomes that are known; a run that is to be made anew is not."""
    return {
        name: outcome
        for name, outcome in memory.outcomes(asked).items()
        if isinstance(outcome, Outcome)
        and name not in selection.rerun
        and (outcome.is_done or not planned)
    }


def findings_of(
    loaded: Loaded, selection: Selection, outcomes: Sequence[Outcome]
) -> list[Diagnostic]:
    """Return what is wrong with a selection, of which all outcomes are known."""
    of_files = [*relevant(loaded, selection), *unknown_names(loaded, selection)]
    of_experiments = [found for outcome in outcomes for found in outcome.diagnostics]
    made = {outcome.name: outcome.made for outcome in outcomes}
    runs = {outcome.name: outcome.declared for outcome in outcomes}
    together = [*remaining_together(loaded, made), *demand(loaded, selection, runs)]
    return in_order([*of_files, *of_experiments, *together])


def found_in(loaded: Loaded, asked: Asked, fresh: Mapping[str, Memorable]) -> Found:
    """Return what may be remembered."""
    wrong = {diagnostic.location.file for diagnostic in loaded.diagnostics}
    folder = loaded.settings.paths.experiments
    readings: dict[str, Reading] = {
        name: loaded.reading(name)
        for name in loaded.experiments
        if f"{folder}/{name}/experiment.yaml" not in wrong
    }
    return Found(asked, fresh, readings)


def planned_files(surveyed: Survey, selection: Selection) -> Plan:
    """Return the files of all outcomes, and the folders in which nothing else of ours may be."""
    files: dict[str, str] = {}
    for outcome in surveyed.outcomes:
        files.update(outcome.files)
    in_place = [path for outcome in surveyed.outcomes for path in outcome.in_place]
    gone = [folder for outcome in surveyed.outcomes for folder in outcome.gone]
    return plan_of(surveyed.loaded, selection, files, gone, in_place)
