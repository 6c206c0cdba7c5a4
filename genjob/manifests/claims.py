"""Storage with a size → PersistentVolumeClaims; they keep their names and outlive the job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifest import Manifest
from genjob.manifests.labels import metadata
from genjob.manifests.trace import Traced, fields

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath
    from genjob.model.environment import Environment
    from genjob.model.storage import Pvc, Storage
    from genjob.resolve.job import Job

DEFAULT_CLASS = "default"
"""The name of an environment's storage_classes that is for claims that name none."""

CLAIM_STEM = "pvc-"
"""How the slots of claims, and so their files, begin."""


def claims(job: Job) -> list[Manifest]:
    """Return the claims that a job makes, each once."""
    made: dict[str, Manifest] = {}
    for role in (job.experiment, job.master):
        for index, storage in enumerate(role.storage):
            if storage.pvc is not None and storage.pvc.size is not None:
                made.setdefault(claim_name(job, storage), _claim(job, storage, storage.pvc, index))
    return list(made.values())


def claim_name(job: Job, storage: Storage) -> str:
    """Return the name of the claim behind a storage, existing or made."""
    known = (storage.pvc.claim or storage.pvc.name) if storage.pvc else None
    return known or f"{job.experiment.name}-{storage.name}"


def _claim(job: Job, storage: Storage, pvc: Pvc, index: int) -> Manifest:
    here: DocPath = ("storage", index, "pvc")
    size = Traced(("storage", pvc.size, (*here, "size")))
    spec = fields(
        ("accessModes", [pvc.access_mode or "ReadWriteMany"], (*here, "access_mode")),
        ("storageClassName", _class(pvc, job.environment), (*here, "storage_class")),
        ("resources", Traced(("requests", size, (*here, "size"))), (*here, "size")),
    )
    body = Traced(
        ("apiVersion", "v1", ()),
        ("kind", "PersistentVolumeClaim", ()),
        (
            "metadata",
            metadata(job, claim_name(job, storage), source=(*here[:-1], "name"), keep=True),
            here,
        ),
        ("spec", spec, here),
    )
    return Manifest(f"{CLAIM_STEM}{storage.name}", body)


def _class(pvc: Pvc, environment: Environment | None) -> str | None:
    """Return the StorageClass; only an environment knows it, so a base has none."""
    if environment is None:
        return None
    known = environment.storage_classes
    if pvc.storage_class is None:
        return known.get(DEFAULT_CLASS)
    return known.get(pvc.storage_class, pvc.storage_class)
