"""What a change does to a run, as a value: a verdict, and a sentence for whoever asks why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from genjob.manifest import Identity


class Verdict(StrEnum):
    """What a change does, the worst first."""

    DELETES_DATA = "deletes data"
    REFUSED = "refused by the API server"
    EVICTS = "evicts a running job"
    MIXES = "mixes two versions"
    UNKNOWN = "cannot be compared"
    NEW_RUN = "new run"
    NEW_EXPERIMENT = "new experiment"
    RETIRED = "retired"
    HELD = "held"
    METADATA = "metadata only"
    NO_EFFECT = "no effect"

    @property
    def rank(self) -> int:
        """The place in the order, 0 for the worst."""
        return [*Verdict].index(self)


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a change does; an empty sentence where the verdict says all.

    It is so unless Git has the object `unless` all the same, for another run.
    """

    verdict: Verdict
    sentence: str = ""
    unless: Identity | None = None


def remaining(effects: Iterable[Effect], declared: Collection[Identity]) -> list[Effect]:
    """Return the effects that there are when `declared` are all objects that Git then has."""
    return [effect for effect in effects if effect.unless not in declared]


def worst(effects: list[Effect]) -> Verdict:
    """Return the verdict of all effects together."""
    verdicts = [effect.verdict for effect in effects]
    return min(verdicts, key=lambda verdict: verdict.rank, default=Verdict.NO_EFFECT)
