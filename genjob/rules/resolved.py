"""Rules on a resolved experiment: what its objects no longer show.

A name that only this environment gives a meaning, a file beside the experiment. Each rule yields
findings whose paths lead into the experiment.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from genjob.catalog.hardware import ACCELERATORS
from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.manifests.pytorchjob import has_master
from genjob.model.env import EnvSource
from genjob.model.nccl import SECTION
from genjob.rules.capacity import CAPACITY_RULES
from genjob.rules.policy import POLICY_RULES
from genjob.variables import environment_name
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.jsontypes import DocPath
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job

Rule = "Callable[[Job], Iterator[Finding]]"


def check_resolved(job: Job) -> list[Finding]:
    """Return what is wrong with a resolved experiment."""
    return [finding for rule in RESOLVED_RULES for finding in rule(job)]


def nccl_set_twice(job: Job) -> Iterator[Finding]:
    """One NCCL variable, set under `nccl` and under `env` or `config`: only one can be meant.

    What the profile of the fabric sets, and no person, may be set otherwise under `env`.
    """
    for role, place in job.roles():
        for field in role.nccl:
            name = environment_name(field)
            is_written = any(origin.document for origin in job.origins((SECTION, field)))
            for section, variables in (("env", role.env), ("config", role.config)):
                if is_written and name in variables:
                    message = f"{quoted(name)} is also set by nccl.{field}"
                    hint = f"keep nccl.{field}, which is checked, and remove this one"
                    path = place((section, name))
                    yield Finding(Code.NCCL_SET_TWICE, path, message, hint, at_key=True)


def unknown_accelerator(job: Job) -> Iterator[Finding]:
    """An accelerator that the catalogue does not know, where no node pool says what it is."""
    if job.environment is None or job.pool is not None:
        return
    for index, name in enumerate(job.experiment.resources.accelerator or ()):
        if name not in ACCELERATORS:
            hint = did_you_mean(name, ACCELERATORS) or (
                f"known: {', '.join(ACCELERATORS)}; or name it in a node pool of the environment"
            )
            message = f"accelerator {quoted(name)} is not known"
            yield Finding(
                Code.UNKNOWN_ACCELERATOR, ("resources", "accelerator", index), message, hint
            )


def file_not_beside(job: Job) -> Iterator[Finding]:
    """A file that is mounted and is not in the experiment's own folder."""
    for path, names in _file_lists(job):
        keys: dict[str, str] = {}
        for index, name in enumerate(names):
            here = (*path, index)
            base = PurePosixPath(name).name
            if name in job.too_large:
                message = f"file {quoted(name)} is larger than the 1 MiB that a ConfigMap holds"
                hint = "put it into the image or on a volume"
                yield Finding(Code.FILE_TOO_LARGE, here, message, hint)
            elif name not in job.files:
                message = f"file {quoted(name)} is not in the experiment's folder"
                yield Finding(Code.FILE_NOT_BESIDE, here, message, "put it beside experiment.yaml")
            elif base in keys:
                message = (
                    f"{quoted(name)} and {quoted(keys[base])} would be one file, {quoted(base)}"
                )
                yield Finding(Code.FILES_COLLIDE, here, message, "mount them as two storages")
            keys.setdefault(base, name)


def _file_lists(job: Job) -> Iterator[tuple[DocPath, list[str]]]:
    for role, place in job.roles():
        for index, storage in enumerate(role.storage):
            if storage.files:
                yield place(("storage", index, "files")), storage.files


def unknown_storage_class(job: Job) -> Iterator[Finding]:
    """A storage class that the environment does not list: the claim would wait for ever."""
    known = job.environment.storage_classes if job.environment else {}
    names = {*known, *known.values()}
    for role, place in job.roles():
        for index, storage in enumerate(role.storage):
            wanted = storage.pvc.storage_class if storage.pvc else None
            if known and wanted is not None and wanted not in names:
                message = f"{quoted(wanted)} is no storage class of {_environment(job)}"
                hint = did_you_mean(wanted, names) or f"its storage_classes: {', '.join(known)}"
                path = place(("storage", index, "pvc", "storage_class"))
                yield Finding(Code.UNKNOWN_STORAGE_CLASS, path, message, hint, Severity.WARNING)


def _environment(job: Job) -> str:
    return f"environment {quoted(job.environment.name if job.environment else '')}"


def unknown_queue(job: Job) -> Iterator[Finding]:
    """A queue that the environment does not list: Kueue would never admit the job."""
    known = job.environment.queues if job.environment else {}
    names = {*known, *(queue.local_queue for queue in known.values())}
    wanted = job.experiment.scheduling.queue
    if known and wanted is not None and wanted not in names and job.environment:
        message = f"{quoted(wanted)} is no queue of environment {quoted(job.environment.name)}"
        hint = did_you_mean(wanted, names) or f"its queues: {', '.join(known)}"
        yield Finding(Code.UNKNOWN_QUEUE, ("scheduling", "queue"), message, hint, Severity.WARNING)


def missing_reference(job: Job) -> Iterator[Finding]:
    """A Secret, ConfigMap or claim that is not known to exist in the namespace."""
    if job.environment is None:
        return
    provides, environment = job.environment.provides, job.environment.name
    fields = {"secret": "secrets", "config map": "config_maps", "pvc": "pvcs"}
    for kind, name, path in _all_references(job):
        known = {*getattr(provides, fields[kind]), *(job.claims if kind == "pvc" else ())}
        if name not in known:
            where = f"environment {quoted(environment)}"
            message = f"{kind} {quoted(name)} is not known to exist in {where}"
            hint = did_you_mean(name, known) or (
                f"when it exists, list it under provides.{fields[kind]} of the environment"
            )
            yield Finding(Code.UNKNOWN_REFERENCE, path, message, hint, Severity.WARNING)


def claims_of_others(job: Job) -> frozenset[str] | None:
    """Return the claims of experiments that a job refers to, None when it misses one.

    Then its finding names the nearest of all that there are.
    """
    provided = job.environment.provides.pvcs if job.environment else ()
    wanted = {name for kind, name, _ in _all_references(job) if kind == "pvc"} - {*provided}
    return frozenset(wanted) if wanted <= job.claims else None


def claim_of_two_kinds(job: Job) -> Iterator[Finding]:
    """One claim that the Master's storage describes otherwise than the Workers'."""
    made = {each.name: each.pvc for each in job.experiment.storage if each.pvc and each.pvc.size}
    for index, storage in enumerate(job.master.storage):
        if storage.pvc and storage.pvc.size and storage.pvc != made.get(storage.name, storage.pvc):
            path = job.from_master(("storage", index, "pvc"))
            message = f"claim {quoted(storage.name)} is made otherwise for the Workers"
            hint = "it is one claim; name the Master's storage otherwise, or describe it once"
            yield Finding(Code.CLAIM_DIFFERS, path, message, hint)


def _all_references(job: Job) -> Iterator[tuple[str, str, DocPath]]:
    for role, place in job.roles():
        for kind, name, path in references(role):
            yield kind, name, place(path)


def references(experiment: Experiment) -> Iterator[tuple[str, str, DocPath]]:
    """Yield what an experiment needs to exist already: kind, name and where it says so."""
    for name, value in experiment.env.items():
        if isinstance(value, EnvSource) and not value.optional:
            yield from _named(value, ("env", name))
    for index, entry in enumerate(experiment.env_from):
        if not entry.optional:
            yield from _named(entry, ("env_from", index))
    for index, secret in enumerate(experiment.image_pull_secrets):
        yield "secret", secret, ("image_pull_secrets", index)
    for index, storage in enumerate(experiment.storage):
        here: DocPath = ("storage", index)
        if storage.pvc and storage.pvc.claim:
            yield "pvc", storage.pvc.claim, (*here, "pvc", "claim")
        if storage.secret and not storage.secret.optional:
            yield "secret", storage.secret.name, (*here, "secret", "name")
        if storage.config_map and not storage.config_map.optional:
            yield "config map", storage.config_map.name, (*here, "config_map", "name")


def _named(entry: object, here: DocPath) -> Iterator[tuple[str, str, DocPath]]:
    for kind, field in (("secret", "secret"), ("config map", "config_map")):
        name = getattr(entry, field)
        if name is not None:
            yield kind, name, (*here, field)


def suspended_and_queued(job: Job) -> Iterator[Finding]:
    """`suspend` beside a queue: Kueue sets and clears it, and Git would fight with it."""
    if job.experiment.run_policy.suspend is not None and job.experiment.scheduling.queue:
        message = "'suspend' belongs to Kueue when the job has a queue"
        yield Finding(
            Code.SUSPEND_BESIDE_QUEUE, ("run_policy", "suspend"), message, "remove it", at_key=True
        )


def master_of_elastic(job: Job) -> Iterator[Finding]:
    """A `master:` section of an elastic job, or another without a Master."""
    if not has_master(job.experiment) and job.experiment.master:
        kind = "an elastic job" if job.experiment.elastic is not None else "this job"
        message = f"{kind} has only Workers; 'master' has no effect"
        yield Finding(Code.MASTER_OF_ELASTIC, ("master",), message, "remove it", at_key=True)


RESOLVED_RULES: tuple[Callable[[Job], Iterator[Finding]], ...] = (
    nccl_set_twice,
    unknown_accelerator,
    *CAPACITY_RULES,
    file_not_beside,
    unknown_storage_class,
    missing_reference,
    claim_of_two_kinds,
    unknown_queue,
    suspended_and_queued,
    master_of_elastic,
    *POLICY_RULES,
)
