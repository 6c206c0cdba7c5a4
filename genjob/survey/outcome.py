"""One experiment → what is to be said and written of it, small enough to hand on and to keep."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from genjob.diagnostics import Severity, has_errors
from genjob.memory.snapshot import digest
from genjob.rendering import files_of, render_one
from genjob.runs.decision import Decision
from genjob.tree.plan import Plan, compare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.diagnostics import Diagnostic
    from genjob.rendering import Rendering
    from genjob.rules.demand import Declared
    from genjob.runs.hold import HeldBack
    from genjob.selection import Selection
    from genjob.together import Footprint
    from genjob.workspace.loading import Loaded


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment comes to.

    `made` and `declared` are empty, and `is_rendered` False, when it could not be resolved.
    `claims` are those of experiments that it refers to, None when it misses one. With
    `is_planned`, `files` are the planned texts that are not on the disk, and `in_place` the paths
    of those that are.
    """

    name: str
    is_rendered: bool = False
    is_planned: bool = False
    made: Mapping[str, Footprint] = field(default_factory=dict)
    declared: Mapping[str, Declared] = field(default_factory=dict)
    claims: frozenset[str] | None = frozenset()
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    held: tuple[HeldBack, ...] = ()
    gone: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    in_place: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether nothing is to be written."""
        return self.is_planned and not self.files and not self.gone

    def as_found(self) -> Outcome:
        """Return what it comes to again while nothing changes on the disk; texts are not kept."""
        return self if self.is_done else replace(self, is_planned=False, files={}, in_place=())

    def as_written(self, files: Mapping[str, bytes]) -> Outcome | None:
        """Return what it comes to now that it is written, None when that is not certain.

        A run that was written is the same run from then on. What depended on the disk before, a
        held run or a claim that cannot change, is found anew.
        """
        is_there = all(
            files.get(path) == digest(text.encode()) for path, text in self.files.items()
        )
        is_plain = all(each.severity is Severity.INFO for each in self.diagnostics)
        if not (self.is_planned and is_there and is_plain) or self.held or self.gone:
            return None
        decisions = dict.fromkeys(self.decisions, Decision.SAME)
        in_place = (*self.in_place, *self.files)
        return replace(self, decisions=decisions, files={}, in_place=in_place)


def outcome_of(loaded: Loaded, selection: Selection, *, planned: bool, name: str) -> Outcome:
    """Render an experiment; with `planned`, compare its files with the disk too."""
    return outcome_from(loaded, render_one(loaded, selection, name), planned=planned, name=name)


def outcome_from(loaded: Loaded, rendering: Rendering, *, planned: bool, name: str) -> Outcome:
    """Return what an experiment comes to that was rendered alone."""
    outcome = Outcome(
        name,
        diagnostics=tuple(rendering.diagnostics),
        held=tuple(rendering.held),
        gone=tuple(rendering.gone),
    )
    for one in rendering.experiments:
        outcome = replace(
            outcome,
            is_rendered=True,
            made=one.made,
            declared=one.declared,
            claims=one.claims,
            decisions=one.decisions,
        )
        if planned and not has_errors(rendering.diagnostics):
            outcome = _planned(loaded, outcome, files_of(loaded, one))
    return outcome


def _planned(loaded: Loaded, outcome: Outcome, texts: Mapping[str, str]) -> Outcome:
    found = compare(loaded.root, Plan(texts))
    other = {change.path for change in found.changes}
    if found.problems:
        other = {*texts}
    files = {path: text for path, text in texts.items() if path in other}
    in_place = tuple(path for path in texts if path not in other)
    return replace(outcome, is_planned=True, files=files, in_place=in_place)
