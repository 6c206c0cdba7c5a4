"""A resolved job → the Kubernetes objects of one run, as plain mappings.

The only place that knows how our fields become Kubernetes'. There is one renderer: the base is the
job without an environment, and an overlay is the difference to the job with one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifests.claims import claims
from genjob.manifests.configuration import config_maps
from genjob.manifests.pytorchjob import pytorchjob

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.manifest import Manifest
    from genjob.resolve.job import Job

JOB_KINDS: dict[str, Callable[[Job], Manifest]] = {"PyTorchJob": pytorchjob}
"""Kind of job → what renders it. A new kind is a new file and a row here."""


def manifests(job: Job, kind: str = "PyTorchJob") -> list[Manifest]:
    """Return the objects of a job, the job itself first."""
    return [JOB_KINDS[kind](job), *config_maps(job), *claims(job)]
