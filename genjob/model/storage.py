"""What is mounted into the pods: claims, disks, network file systems, configuration and files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from genjob.model.base import (
    Flag,
    Int,
    Model,
    Quantity,
    RawList,
    TextMap,
    Word,
    exactly_one,
    no_keys,
)
from genjob.model.names import ObjectName

AccessMode = Literal["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"]
FileMode = Annotated[Int, Field(ge=0, le=0o777)]

KINDS = (
    "pvc",
    "host_path",
    "empty_dir",
    "nfs",
    "config_map",
    "secret",
    "projected",
    "files",
)


class Pvc(Model):
    """A PersistentVolumeClaim: an existing one (`claim`), or one that is made (`size`)."""

    claim: Word | None = Field(
        default=None, description="Name of an existing claim.", examples=["training-data"]
    )
    size: Quantity | None = Field(
        default=None, description="Size of a claim to make.", examples=["500Gi"]
    )
    name: ObjectName | None = Field(
        default=None,
        description="Name of the made claim; <experiment>-<storage> when not given.",
        examples=["training-data"],
    )
    access_mode: AccessMode | None = Field(
        default=None,
        description="Who may mount the made claim; ReadWriteMany when not given, so that every "
        "machine can.",
    )
    storage_class: Word | None = Field(
        default=None,
        description="A name of the environment's storage_classes, or a StorageClass; the cluster's "
        "default when not given.",
        examples=["shared"],
    )

    @model_validator(mode="after")
    def _existing_or_made(self) -> Pvc:
        exactly_one(self, ("claim", "size"), "a pvc")
        if self.claim is not None and (self.name or self.access_mode or self.storage_class):
            raise PydanticCustomError(
                "pvc",
                "'name', 'access_mode' and 'storage_class' belong to a claim that is made with "
                "'size'",
            )
        return self


class HostPath(Model):
    """A path of the machine."""

    path: Word = Field(description="The path on the machine.", examples=["/mnt/nvme"])
    type: (
        Literal[
            "DirectoryOrCreate",
            "Directory",
            "FileOrCreate",
            "File",
            "Socket",
            "CharDevice",
            "BlockDevice",
        ]
        | None
    ) = Field(default=None, description="What must be at the path; not checked when not given.")


class EmptyDir(Model):
    """An empty directory that lives as long as the pod."""

    medium: Literal["disk", "memory"] = Field(
        default="disk", description="On the machine's disk, or in memory (counts as memory)."
    )
    size: Quantity | None = Field(
        default=None, description="Most bytes that it may hold.", examples=["64Gi"]
    )


class Nfs(Model):
    """An NFS export."""

    server: Word = Field(description="Name or address of the server.", examples=["nfs.example.com"])
    path: Word = Field(description="The exported path.", examples=["/exports/data"])


class ObjectVolume(Model):
    """An existing ConfigMap or Secret, each key a file."""

    name: Word = Field(description="Name of the ConfigMap or Secret.")
    items: TextMap = Field(
        default_factory=no_keys,
        description="Only these keys, each with the file name it gets.",
        examples=[{"train.yaml": "config/train.yaml"}],
    )
    mode: FileMode | None = Field(
        default=None,
        description="Permission bits of the files, as YAML octal: 0o444.",
    )
    optional: Flag = Field(default=False, description="Start also when it does not exist.")


class Storage(Model):
    """One thing that is mounted: its place, and exactly one of the kinds."""

    name: Word = Field(description="Name of the volume.", examples=["data"])
    mount_path: Word = Field(description="Where it is seen in the container.", examples=["/data"])
    sub_path: Word | None = Field(
        default=None, description="Mount only this part of it.", examples=["imagenet"]
    )
    read_only: Flag = Field(default=False, description="Refuse writes.")
    pvc: Pvc | None = Field(default=None, description="A PersistentVolumeClaim.")
    host_path: HostPath | None = Field(default=None, description="A path of the machine.")
    empty_dir: EmptyDir | None = Field(default=None, description="An empty directory.")
    nfs: Nfs | None = Field(default=None, description="An NFS export.")
    config_map: ObjectVolume | None = Field(default=None, description="An existing ConfigMap.")
    secret: ObjectVolume | None = Field(default=None, description="An existing Secret.")
    projected: RawList | None = Field(
        default=None,
        description="Several sources in one directory, in Kubernetes' own spelling.",
        examples=[[{"serviceAccountToken": {"path": "token", "audience": "vault"}}]],
    )
    files: list[Word] | None = Field(
        default=None,
        min_length=1,
        description="Files beside experiment.yaml; they become an immutable ConfigMap.",
        examples=[["train.py"]],
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Storage:
        exactly_one(self, KINDS, "a storage")
        return self
