"""Diagnostics and the files that they point into → what every format is made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from posixpath import join, normpath
from typing import TYPE_CHECKING

from genjob.diagnostics import Severity, in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from genjob.diagnostics import Diagnostic, Location

_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


@dataclass(frozen=True, slots=True)
class Findings:
    """The diagnostics of one run; the texts of the files, by name, for the source lines.

    `colour` and `notes` are the caller's decisions: nothing here asks what kind of terminal there
    is. Without `notes`, a text for people counts the notes and does not show them; `verbose` is the
    command that does. `folder` is where the names of files start, from the top of the Git
    repository, such as `ml/`: a forge names files from there.
    """

    diagnostics: Sequence[Diagnostic]
    sources: Mapping[str, str] = field(default_factory=dict)
    colour: bool = False
    notes: bool = True
    verbose: str = "genjob validate --verbose"
    folder: str = ""

    def ordered(self) -> list[Diagnostic]:
        """Return the diagnostics by place, each once."""
        return in_order(self.diagnostics)

    def line(self, place: Location) -> str:
        """Return the source line of a place, empty when there is none; as YAML ends lines."""
        text = self.sources.get(place.file, "").replace("\r\n", "\n").replace("\r", "\n")
        lines = text.split("\n")
        return lines[place.line - 1] if place.line <= len(lines) else ""

    def file(self, place: Location) -> str:
        """Return the file of a place as a forge names it."""
        return normpath(join(self.folder, place.file))

    def counts(self) -> dict[str, int]:
        """Return how many errors, warnings and notes there are, and in how many files."""
        ordered = self.ordered()
        found = Counter(diagnostic.severity for diagnostic in ordered)
        files = len({diagnostic.location.file for diagnostic in ordered})
        return {f"{noun}s": found[severity] for severity, noun in _NOUNS.items()} | {"files": files}


def summary(counts: Mapping[str, int]) -> str:
    """Return the counts as a person says them: `2 errors, 1 warning in 2 files`."""
    said = [_counted(counts[f"{noun}s"], noun) for noun in _NOUNS.values() if counts[f"{noun}s"]]
    return f"{', '.join(said) or 'no problems'} in {_counted(counts['files'], 'file')}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
