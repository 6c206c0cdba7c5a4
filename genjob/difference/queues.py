"""What runs take → the GPUs that each queue is asked for, before and after, beside its quota."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from genjob.difference.usage import Usage


@dataclass(frozen=True, slots=True)
class QueueUse:
    """The GPUs that all declared runs of a LocalQueue ask for; no quota is None."""

    name: str
    before: int
    after: int
    quota: int | None

    @property
    def is_over(self) -> bool:
        """Whether the runs ask for more than the quota, so that some of them wait."""
        return self.quota is not None and self.after > self.quota


def queue_uses(
    before: Iterable[Usage], after: Iterable[Usage], quotas: Mapping[str, int | None]
) -> tuple[QueueUse, ...]:
    """Return the use of each queue that a run names, by name."""
    old, new = _asked(before), _asked(after)
    return tuple(
        QueueUse(name, old[name], new[name], quotas.get(name)) for name in sorted({*old, *new})
    )


def _asked(usages: Iterable[Usage]) -> Counter[str]:
    asked: Counter[str] = Counter()
    for usage in usages:
        if usage.queue is not None:
            asked[usage.queue] += usage.gpus
    return asked
