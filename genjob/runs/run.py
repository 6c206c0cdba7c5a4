"""An experiment in an environment → its resolved job, and the run that Git shall declare of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from genjob.resolve.job import Job, resolve
from genjob.runs.committed import Committed
from genjob.runs.settle import settle
from genjob.workspace.beside import read_beside

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from genjob.runs.settle import Settled
    from genjob.workspace.loading import Loaded


def job_of(
    loaded: Loaded, name: str, environment: str | None, *, alone: bool = False
) -> tuple[Job | None, list[Diagnostic]]:
    """Return the resolved job of an experiment in an environment, or in None for its base.

    In an environment that has no usable file, the fields that differ there are laid all the same;
    so they are with `alone`, which leaves the environment's own layers out.
    """
    file = None if alone or environment is None else loaded.environments.get(environment)
    job, diagnostics = resolve(loaded.experiments[name], file, override=environment)
    if job is None:
        return None, diagnostics
    names = [
        each
        for role in (job.experiment, job.master)
        for storage in role.storage
        for each in storage.files or ()
    ]
    beside = read_beside(loaded.experiment_folder(name), names)
    known = replace(job, files=beside.contents, too_large=beside.too_large, claims=loaded.claims)
    return known, diagnostics


def run_of(
    loaded: Loaded, name: str, environment: str, *, rerun: bool = False
) -> tuple[Job | None, Settled | None, list[Diagnostic]]:
    """Return the job and the run of an experiment in an environment that has a usable file.

    Both are None, with the reasons, when it cannot be resolved; nothing is checked.
    """
    job, problems = job_of(loaded, name, environment)
    if job is None:
        return None, None, problems
    own, own_problems = job_of(loaded, name, environment, alone=True)
    problems += own_problems
    if own is None:
        return None, None, problems
    committed = committed_of(loaded, name, environment)
    settled = settle(job, own, committed, rerun=rerun, engine=loaded.engine(environment))
    return job, settled, problems


def committed_of(loaded: Loaded, name: str, environment: str) -> Committed:
    """Return where the run of an experiment in an environment is on the disk."""
    paths = loaded.settings.paths
    folder = overlay_folder(loaded, name, environment).as_posix()
    return Committed(loaded.root, f"{paths.bases}/{name}", folder)


def overlay_folder(loaded: Loaded, name: str, environment: str) -> PurePosixPath:
    """Return where an overlay is in its workspace."""
    return PurePosixPath(loaded.settings.paths.overlays, environment, name)
