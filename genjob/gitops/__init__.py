"""A workspace's repository and environments → the files that Argo CD or Flux reads."""

from __future__ import annotations

from genjob.gitops.marks import AUTOSCALED, marked
from genjob.gitops.source import FOLDER, KINDS, Destination, Kind, Source, source_name
from genjob.gitops.substitution import NO_SUBSTITUTION, needs_no_substitution
from genjob.gitops.wiring import ENGINES, Wiring, wiring

__all__ = [
    "AUTOSCALED",
    "ENGINES",
    "FOLDER",
    "KINDS",
    "NO_SUBSTITUTION",
    "Destination",
    "Kind",
    "Source",
    "Wiring",
    "marked",
    "needs_no_substitution",
    "source_name",
    "wiring",
]
