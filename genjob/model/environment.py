"""`environments/<env>.yaml`: one cluster and namespace, as its platform engineer describes them."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from genjob.catalog.fabrics import FABRICS
from genjob.model.base import (
    Count,
    Duration,
    Flag,
    Model,
    Natural,
    Number,
    Quantity,
    RawList,
    RawObject,
    TextMap,
    Word,
    no_items,
    no_keys,
    nothing_set,
    refusal,
    word,
)
from genjob.model.env import EnvValue
from genjob.model.names import Engine, Name, ObjectName
from genjob.model.nccl import Nccl


class Cluster(Model):
    """The cluster, as the GitOps engine knows it."""

    server: Word = Field(
        default="https://kubernetes.default.svc", description="URL of the API server."
    )
    engine: Engine | None = Field(
        default=None,
        description="What applies the rendered files here: argocd, flux or none; the engine of "
        "genjob.yaml when not given.",
    )


class Target(Model):
    """What runs in the cluster: which schemas and rules apply."""

    training_operator: Word = Field(default="1.9", description="Version of the training operator.")
    kubernetes: Word = Field(default="1.31", description="Version of Kubernetes.")


def _is_place(mirror: str) -> str:
    """Return where a registry or a path of one is: a host, perhaps a port, perhaps a path."""
    if re.fullmatch(r"[A-Za-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)*/?", mirror, re.ASCII):
        return mirror
    hint = "leave out the scheme" if "://" in mirror else ""
    raise refusal("a registry or a path of one, such as 'mirror.example.com/hub'", hint)


Place = Annotated[str, word(_is_place)]


class Registry(Model):
    """Where images come from."""

    mirror: dict[str, Place] = Field(
        default_factory=no_keys,
        description="Registry or path → its mirror; docker.io stands for images without registry.",
        examples=[{"registry.example.com": "mirror.prod.example.com"}],
    )
    require_digest: Flag = Field(
        default=False, description="Refuse an image without a digest (@sha256:…)."
    )


class NodePool(Model):
    """Machines of one kind."""

    name: Word = Field(description="Name of the pool.", examples=["h100"])
    accelerator: Word | None = Field(
        default=None,
        description="Kind of GPU; known from instance_type for many.",
        examples=["h100"],
    )
    instance_type: Word | None = Field(
        default=None,
        description="Type of the machine; `genjob machines` lists those of which the rest is "
        "known: GPUs, CPU, memory, NICs, fabric, label.",
        examples=["p5.48xlarge"],
    )
    gpus_per_node: Natural | None = Field(
        default=None, description="GPUs of a machine; known from instance_type for many."
    )
    cpu: Quantity | None = Field(
        default=None,
        description="CPUs of a machine that pods may have; estimated from instance_type.",
        examples=[190],
    )
    memory: Quantity | None = Field(
        default=None,
        description="Memory of a machine that pods may have; estimated from instance_type.",
        examples=["1900Gi"],
    )
    nodes: Count | None = Field(default=None, description="Machines of the pool.")
    autoscaled: Flag = Field(
        default=False,
        description="Whether nodes come when they are asked for: a snapshot of the cluster may "
        "show fewer, or none.",
    )
    node_selector: TextMap = Field(
        default_factory=no_keys,
        description="Labels that select the machines; the label of instance_type when not given.",
        examples=[{"node.kubernetes.io/instance-type": "p5.48xlarge"}],
    )
    tolerations: RawList = Field(
        default_factory=no_items,
        description="The pool's taints, as tolerations of its pods.",
        examples=[[{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]],
    )
    fabric: Literal[tuple(FABRICS)] | None = Field(  # type: ignore[valid-type] # the names of the table
        default=None,
        description="Network between the machines; that of instance_type when not given, else "
        "ethernet.",
    )
    fabric_resources: dict[str, Count] = Field(
        default_factory=no_keys,
        description="Devices that a pod asks for to use the fabric, in place of those that the "
        "fabric's profile names: {rdma/ib: 8}.",
        examples=[{"rdma/ib": 8}],
    )
    nics: Count | None = Field(
        default=None,
        description="NICs of a machine that carry training; known from instance_type for many.",
    )
    networks: list[Word] = Field(
        default_factory=no_items,
        description="Names of the networks of these NICs: Networks of GKE, or "
        "NetworkAttachmentDefinitions.",
        examples=[["rdma-0", "rdma-1"]],
    )
    daemon_image: Word | None = Field(
        default=None,
        description="Image of the daemon that the fabric needs beside the training.",
        examples=["registry.example.com/tcpxo-daemon:1.0"],
    )
    nccl: Nccl = Field(
        default_factory=no_keys, description="NCCL values of this pool.", examples=[{"ib_tc": 106}]
    )
    env: dict[str, EnvValue] = Field(
        default_factory=no_keys,
        description="Environment variables of this pool.",
        examples=[{"FI_PROVIDER": "efa"}],
    )
    price_per_node_hour: Number | None = Field(
        default=None, description="Price of one machine for one hour.", examples=[98.32]
    )


class Queue(Model):
    """A Kueue queue of the cluster."""

    local_queue: ObjectName = Field(description="Name of the LocalQueue.", examples=["nlp"])
    gpus: Count | None = Field(
        default=None,
        description="Most GPUs that it gives, borrowed ones included; a run that takes more is "
        "refused.",
    )
    oversubscribed: Flag = Field(
        default=False,
        description="Whether its runs may ask for more than that together, and wait for each "
        "other.",
    )


class Policy(Model):
    """What the environment demands of an experiment."""

    max_gpus_per_run: Count | None = Field(default=None, description="Most GPUs of one run.")
    max_nodes_per_run: Count | None = Field(default=None, description="Most nodes of one run.")
    max_active_deadline: Duration | None = Field(
        default=None,
        description="Longest run_policy.active_deadline; a run without one is refused.",
    )
    require: list[Word] = Field(
        default_factory=no_items,
        description="Fields that an experiment must set, such as run_policy.active_deadline.",
        examples=[["scheduling.queue", "run_policy.active_deadline"]],
    )
    forbid: list[Word] = Field(
        default_factory=no_items,
        description="Fields that an experiment must not set, such as security.privileged, "
        "storage.host_path or pod_overrides; what this file sets itself is not meant.",
        examples=[["security.privileged", "storage.host_path", "pod_overrides"]],
    )
    registries: list[Place] = Field(
        default_factory=no_items,
        description="Registries, or paths of them, that images may come from, mirrors being used; "
        "docker.io stands for images without registry. Any when not given.",
        examples=[["registry.example.com/train", "mirror.example.com/hub"]],
    )


class Provides(Model):
    """What already exists in the namespace; a reference to something else is a warning."""

    secrets: list[Word] = Field(
        default_factory=no_items, description="Names of Secrets.", examples=[["wandb"]]
    )
    config_maps: list[Word] = Field(
        default_factory=no_items, description="Names of ConfigMaps.", examples=[["shared-defaults"]]
    )
    pvcs: list[Word] = Field(
        default_factory=no_items,
        description="Names of PersistentVolumeClaims.",
        examples=[["training-data"]],
    )


class Environment(Model):
    """One cluster and namespace."""

    version: Literal["genjob/v1"] = Field(description="Version of this file's format.")
    name: Name = Field(description="Name of the environment: that of its file.", examples=["prod"])
    namespace: Name = Field(
        description="Namespace that everything is created in.", examples=["ml-prod"]
    )
    cluster: Cluster = Field(default_factory=nothing_set(Cluster), description="The cluster.")
    target: Target = Field(
        default_factory=nothing_set(Target), description="Versions that the checks are made for."
    )
    registry: Registry = Field(
        default_factory=nothing_set(Registry), description="Where images come from."
    )
    node_pools: list[NodePool] = Field(
        default_factory=no_items,
        description="The machines; the first pool that fits is taken.",
        examples=[[{"name": "h100", "instance_type": "p5.48xlarge", "nodes": 32}]],
    )
    storage_classes: dict[str, ObjectName] = Field(
        default_factory=no_keys,
        description="Names that experiments use → StorageClasses of this cluster; `default` is "
        "for claims that name none.",
        examples=[{"shared": "efs-sc", "default": "gp3"}],
    )
    queues: dict[str, Queue] = Field(
        default_factory=no_keys,
        description="Names that experiments use → queues of this cluster.",
        examples=[{"team-nlp": {"local_queue": "nlp", "gpus": 128}}],
    )
    labels: TextMap = Field(
        default_factory=no_keys,
        description="Labels of every object in this environment.",
        examples=[{"example.com/cluster": "prod"}],
    )
    defaults: RawObject = Field(
        default_factory=no_keys,
        description="Any field of an experiment, for all that do not set it.",
        examples=[{"run_policy": {"backoff_limit": 3}}],
    )
    policy: Policy = Field(
        default_factory=nothing_set(Policy), description="Limits and required fields."
    )
    provides: Provides = Field(
        default_factory=nothing_set(Provides), description="What already exists in the namespace."
    )
