"""What each run of a selection asks for → what an environment has too little of for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.demand import check_demand

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from genjob.diagnostics import Diagnostic
    from genjob.rules.demand import Declared
    from genjob.selection import Selection
    from genjob.workspace.loading import Loaded


def demand(
    loaded: Loaded, selection: Selection, runs: Mapping[str, Mapping[str, Declared]]
) -> Iterator[Diagnostic]:
    """Yield what all runs of an environment ask for and it does not have; some alone tell less.

    `runs` are those of each experiment, by environment.
    """
    for name, environment in loaded.environments.items():
        if not selection.names and name in (selection.environments or loaded.environments):
            there = [declared[name] for declared in runs.values() if name in declared]
            yield from check_demand(there, environment)
