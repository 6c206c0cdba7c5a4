"""The objects of two runs → which were made, changed or left, with the lines that differ."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.manifest import identity
from genjob.patch import json_equal
from genjob.runs.claims import CLAIM
from genjob.yamltext import UnwritableError, to_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject
    from genjob.manifest import Identity

_CONTEXT: Final = 3
"""Lines that are the same and shown around those that are not; the others are folded."""


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """An object that differs; None on the side where it is not.

    `lines` are a unified diff of its YAML, without line ends.
    """

    before: Identity | None
    after: Identity | None
    lines: tuple[str, ...]

    @property
    def title(self) -> str:
        """How people call the object."""
        old, new = self.before, self.after
        if old is not None and new is not None and old != new:
            return f"{old} → '{new.namespace}/{new.name}'"
        return str(new or old)

    @property
    def added(self) -> int:
        """How many lines are new."""
        return sum(line.startswith("+") for line in self.lines)

    @property
    def removed(self) -> int:
        """How many lines are gone."""
        return sum(line.startswith("-") for line in self.lines)


def changed_objects(
    before: Sequence[JsonObject], after: Sequence[JsonObject]
) -> list[ObjectChange]:
    """Return what differs between the objects of two runs, the job first."""
    return [
        _compared(old, new)
        for old, new in _paired(before, after)
        if old is None or new is None or not json_equal(old, new)
    ]


def _paired(
    before: Sequence[JsonObject], after: Sequence[JsonObject]
) -> list[tuple[JsonObject | None, JsonObject | None]]:
    """Pair objects by identity, then those that take the place of each other; a claim never does.

    In a renamed experiment the names say nothing, so what is left is paired by its kind.
    """
    pairs: list[tuple[JsonObject | None, JsonObject | None]] = []
    old, new = [*before], [*after]
    for alike in (_is_same, _is_successor, _is_of_its_kind):
        for body in [*new]:
            found = next((each for each in old if alike(each, body)), None)
            if found is not None:
                pairs.append((found, body))
                old = [each for each in old if each is not found]
                new = [each for each in new if each is not body]
    pairs += [(None, body) for body in new]
    pairs += [(body, None) for body in old]
    return sorted(pairs, key=_order)


def _is_same(one: JsonObject, other: JsonObject) -> bool:
    return identity(one) == identity(other)


def _is_successor(one: JsonObject, other: JsonObject) -> bool:
    """Return whether two objects have one name but for the hash at its end."""
    stems = [identity(body).name.rpartition("-")[0] for body in (one, other)]
    return _is_of_its_kind(one, other) and stems[0] == stems[1]


def _is_of_its_kind(one: JsonObject, other: JsonObject) -> bool:
    return identity(one).kind == identity(other).kind != CLAIM


def _order(pair: tuple[JsonObject | None, JsonObject | None]) -> tuple[bool, str, str]:
    body = pair[1] or pair[0] or {}
    named = identity(body)
    return named.kind != "PyTorchJob", named.kind, named.name


def _text(body: JsonObject) -> str:
    """Return an object as YAML, or as JSON what no YAML carries: a finding says so."""
    try:
        return to_yaml(body)
    except UnwritableError:
        return json.dumps(body, indent=2, sort_keys=True)


def _compared(old: JsonObject | None, new: JsonObject | None) -> ObjectChange:
    was, now = (_text(body).splitlines() if body is not None else [] for body in (old, new))
    lines = [*difflib.unified_diff(was, now, lineterm="", n=_CONTEXT)][2:]
    before, after = (identity(body) if body is not None else None for body in (old, new))
    return ObjectChange(before, after, tuple(lines))
