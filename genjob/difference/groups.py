"""Changed runs → those of which the same is to be said, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.wording import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.difference.change import RunChange
    from genjob.difference.usage import Usage

_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Group:
    """Changes of one environment with one verdict, one set of notes and one set of fields."""

    changes: tuple[RunChange, ...]

    @property
    def first(self) -> RunChange:
        """The change that stands for all."""
        return self.changes[0]

    @property
    def others(self) -> list[str]:
        """The experiments of the other changes."""
        return [change.place.experiment for change in self.changes[1:]]

    @property
    def name(self) -> str:
        """The experiment of the first change, and how many there are besides."""
        more = f" and {len(self.changes) - 1} more" if self.others else ""
        return f"{self.first.place.experiment}{more}"

    @property
    def usages(self) -> tuple[list[Usage], list[Usage]]:
        """What the runs take, before and after."""
        both = [change.usage for change in self.changes]
        before, after = ([pair[side] for pair in both] for side in (0, 1))
        return [each for each in before if each], [each for each in after if each]

    @property
    def title(self) -> str:
        """What happens to whom."""
        return f"{self.name} in {self.first.place.environment}: {self.first.verdict}"


def grouped(changes: Iterable[RunChange]) -> list[Group]:
    """Return the groups, in the order of their first changes."""
    groups: dict[object, list[RunChange]] = {}
    for change in changes:
        fields = tuple((each.path, each.before, each.after, each.layer) for each in change.fields)
        key = (change.place.environment, change.verdict, tuple(change.notes), fields)
        groups.setdefault(key, []).append(change)
    return [Group(tuple(each)) for each in groups.values()]


def still_held(changes: Iterable[RunChange]) -> list[tuple[str, str, list[str]]]:
    """Return environment, what it holds back and from which experiments, of what was so before."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for change in changes:
        if change.still_held:
            key = (change.place.environment, change.still_held)
            groups.setdefault(key, []).append(change.place.experiment)
    return [(env, shortened(names, _SHOWN), runs) for (env, names), runs in groups.items()]
