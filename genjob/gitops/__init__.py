"""A workspace's repository and environments → the files that Argo CD or Flux reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.gitops import argocd, flux
from genjob.gitops.source import FOLDER, KINDS, Destination, Kind, Source, source_name
from genjob.gitops.substitution import NO_SUBSTITUTION, needs_no_substitution

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Files: TypeAlias = Callable[[Source, Sequence[Destination]], dict[str, str]]

ENGINES: dict[str, Files] = {"argocd": argocd.files, "flux": flux.files}
"""Each GitOps engine → what renders its files: their paths in the workspace, and their texts."""

__all__ = [
    "ENGINES",
    "FOLDER",
    "KINDS",
    "NO_SUBSTITUTION",
    "Destination",
    "Kind",
    "Source",
    "needs_no_substitution",
    "source_name",
]
