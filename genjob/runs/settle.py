"""A resolved job and what is committed → the objects of the run that Git shall declare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Finding
from genjob.gitops.marks import marked
from genjob.manifests import manifests
from genjob.runs.changes import changes_of_run
from genjob.runs.claims import Kept, keep_claims
from genjob.runs.committed import OtherRunError
from genjob.runs.decision import Decision, Now, decide
from genjob.runs.hold import HeldBack, hold, keep_policy, keep_queue
from genjob.runs.identity import job_of, objects_digest, run_hash
from genjob.runs.lock import Lock
from genjob.runs.own import insists, own_part
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from genjob.jsontypes import JsonObject
    from genjob.manifest import Manifest
    from genjob.model.experiment import Experiment
    from genjob.model.names import Engine
    from genjob.resolve.job import Job
    from genjob.runs.committed import Committed

    Keeper: TypeAlias = Callable[[Sequence[Manifest], Sequence[JsonObject]], list[Manifest]]


class Settled(NamedTuple):
    """The objects of a run, its lock, and what is held back from it.

    `fresh` are the objects as the files say now; they are not those of a held run.
    """

    decision: Decision
    objects: list[Manifest]
    fresh: list[Manifest]
    lock: Lock
    held: HeldBack | None
    problems: list[Diagnostic]


@dataclass(frozen=True)
class _Objects:
    """The objects of a run, of which the digest is taken once, when it is asked for."""

    manifests: list[Manifest]

    @cached_property
    def digest(self) -> str:
        return objects_digest(manifest.body for manifest in self.manifests)

    def are_of(self, lock: Lock | None) -> bool:
        """Return whether these are exactly the objects that a lock was written for."""
        return lock is not None and self.digest == lock.objects


class _Run(NamedTuple):
    """A run: its name, and its identity."""

    name: str
    digits: str


def settle(
    job: Job, own: Job, committed: Committed, *, rerun: bool = False, engine: Engine = "none"
) -> Settled:
    """Decide which run it is and return its objects, as they are committed for an engine.

    `own` is the experiment with its override, without its environment. A problem is an error when
    the lock cannot be used or the id of the run is taken, a warning when a claim cannot change.
    """
    lock, problems = _lock(committed, rerun=rerun)
    probably = replace(job, run=lock.run if lock is not None else job.run_name)
    first = manifests(probably)
    now = Now(run_hash(job_of(m.body for m in first)), own_part(own), insists(job, own))
    decision = _decision(own.experiment, lock, now, rerun=rerun)
    run = _run(job.experiment, lock, now, decision)
    fresh = first if run.name == probably.run else manifests(replace(job, run=run.name))
    now_marked = _Objects(marked(fresh, engine))
    before, broken = _before(lock, committed, decision, now_marked)
    made = _objects(decision, fresh, before, _keepers(lock, now, rerun=rerun))
    objects = now_marked if made is fresh else _Objects(marked(made, engine))
    kept = Kept(objects.manifests, [])
    if not objects.are_of(lock):
        kept = keep_claims(objects.manifests, committed.claims())
    settled = _Objects(kept.objects) if kept.findings else objects
    found = [*problems, *broken, *map(job.diagnostic, kept.findings)]
    found += _id_taken(job, lock, run) if decision is Decision.NEW else []
    new_lock = Lock(run.name, run.digits, *now.own, settled.digest)
    held = None if broken else _held_back(job, settled.manifests, fresh)
    return Settled(decision, settled.manifests, fresh, new_lock, held, found)


def _lock(committed: Committed, *, rerun: bool) -> tuple[Lock | None, list[Diagnostic]]:
    """Return the lock and what is wrong with it; a rerun does without one that cannot be used."""
    lock, problems = committed.lock()
    if lock is None or not rerun:
        return lock, [] if rerun else problems
    try:
        committed.objects(lock)
    except OtherRunError:
        return None, []
    except ValueError:  # base and overlay are rendered anew
        return lock, []
    return lock, []


def run_name(experiment: Experiment, digits: str) -> str:
    """Return the name of a run with this identity."""
    if experiment.run.name == "stable":
        return experiment.name
    return f"{experiment.name}-{experiment.run.id or digits}"


def _decision(own: Experiment, lock: Lock | None, now: Now, *, rerun: bool) -> Decision:
    """Return what becomes of the run; a new id is a new run, also of the same pods."""
    named = own.run.id is not None or own.run.name == "stable"
    if lock is not None and named and run_name(own, now.hash) != lock.run:
        return Decision.NEW
    return decide(lock, now, rerun=rerun)


def _run(experiment: Experiment, lock: Lock | None, now: Now, decision: Decision) -> _Run:
    """Return the run that Git shall declare; one that goes on keeps its name."""
    if lock is None or decision is Decision.NEW:
        return _Run(run_name(experiment, now.hash), now.hash)
    return _Run(lock.run, lock.hash)


def _before(
    lock: Lock | None, committed: Committed, decision: Decision, fresh: _Objects
) -> tuple[list[JsonObject], list[Diagnostic]]:
    """Return the committed objects, and a finding when a run needs them and they are not usable."""
    if lock is None:
        return [], []
    if decision is Decision.SAME and fresh.are_of(lock):
        return [], []
    try:
        return committed.objects(lock), []
    except OtherRunError as error:
        return [], [committed.differs(error)]
    except ValueError as error:
        return [], [committed.differs(error)] if decision is Decision.HELD else []


def _keepers(lock: Lock | None, now: Now, *, rerun: bool) -> list[Keeper]:
    """Return what keeps a run that goes on as committed where only its environment changed."""
    is_policy_kept = lock is not None and now.own.policy == lock.policy and not rerun
    is_queue_kept = lock is not None and now.own.queue == lock.queue
    return [*([keep_policy] if is_policy_kept else []), *([keep_queue] if is_queue_kept else [])]


def _objects(
    decision: Decision,
    fresh: list[Manifest],
    before: Sequence[JsonObject],
    keepers: Sequence[Keeper],
) -> list[Manifest]:
    """Return the objects of the run."""
    if not before or decision is Decision.NEW:
        return fresh
    objects = hold(fresh, before) if decision is Decision.HELD else fresh
    for keep in keepers:
        objects = keep(objects, before)
    return objects


def _id_taken(job: Job, lock: Lock | None, run: _Run) -> list[Diagnostic]:
    if lock is None or job.experiment.run.id is None or run.name != lock.run:
        return []
    message = f"run {quoted(run.name)} was rendered with other pods"
    hint = "write another run.id: a change to what runs is a new run"
    return [job.diagnostic(Finding(Code.RUN_ID_TAKEN, ("run", "id"), message, hint))]


def _held_back(job: Job, objects: Sequence[Manifest], fresh: Sequence[Manifest]) -> HeldBack | None:
    before, after = (job_of(m.body for m in manifests) for manifests in (objects, fresh))
    changed = () if before is after else changes_of_run(before, after)
    environment = job.environment.name if job.environment else ""
    return HeldBack(job.experiment.name, environment, changed) if changed else None
