"""`environments/<env>.snapshot.yaml`: what a cluster has, as `genjob snapshot` found it.

A section that is absent is not known; one that is empty is known to be empty.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from genjob.model.base import (
    Count,
    Flag,
    Int,
    Model,
    Quantity,
    RawList,
    Text,
    TextMap,
    Word,
    no_items,
    no_keys,
)


class Taint(Model):
    """A taint of nodes."""

    key: Word = Field(description="Its key.")
    value: Text = Field(default="", description="Its value.", examples=["present"])
    effect: Word = Field(description="NoSchedule, NoExecute or PreferNoSchedule.")


class NodeGroup(Model):
    """Nodes that are alike."""

    count: Count = Field(description="How many there are.")
    labels: TextMap = Field(
        default_factory=no_keys,
        description="Those of their labels that count.",
        examples=[{"node.kubernetes.io/instance-type": "p5.48xlarge"}],
    )
    taints: list[Taint] = Field(
        default_factory=no_items,
        description="What keeps pods away.",
        examples=[[{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]],
    )
    allocatable: dict[str, Quantity] = Field(
        default_factory=no_keys,
        description="What pods may have of each of them; bytes rounded down to whole Gi.",
        examples=[{"cpu": 191, "memory": "1893Gi", "nvidia.com/gpu": 8}],
    )


class Quota(Model):
    """What a ClusterQueue has of one resource in one flavor."""

    resource: Word = Field(description="The resource, such as nvidia.com/gpu.")
    flavor: Word = Field(description="The ResourceFlavor.")
    nominal: Quantity = Field(description="Its own quota.", examples=[128])
    borrowing_limit: Quantity | None = Field(
        default=None,
        description="Most that it borrows from its cohort; no limit when not given.",
        examples=[64],
    )


class ClusterQueue(Model):
    """A ClusterQueue of Kueue."""

    cohort: Word | None = Field(default=None, description="The cohort that it borrows from.")
    stop_policy: Word | None = Field(default=None, description="Hold or HoldAndDrain: stopped.")
    quotas: list[Quota] = Field(
        default_factory=no_items,
        description="Its quotas.",
        examples=[[{"resource": "nvidia.com/gpu", "flavor": "h100", "nominal": 128}]],
    )


class LocalQueue(Model):
    """A LocalQueue of Kueue."""

    namespace: Word = Field(description="Its namespace.")
    name: Word = Field(description="Its name.")
    cluster_queue: Word = Field(description="The ClusterQueue behind it.")
    stop_policy: Word | None = Field(default=None, description="Hold or HoldAndDrain: stopped.")


class Flavor(Model):
    """A ResourceFlavor of Kueue: what it adds to the pods that it takes."""

    node_labels: TextMap = Field(
        default_factory=no_keys, description="Labels of its nodes.", examples=[{"pool": "h100"}]
    )
    tolerations: RawList = Field(
        default_factory=no_items,
        description="Tolerations that its pods get, in Kubernetes' spelling.",
        examples=[[{"key": "nvidia.com/gpu", "operator": "Exists"}]],
    )


class StorageClass(Model):
    """A StorageClass."""

    provisioner: Word = Field(description="What makes its volumes.")
    default: Flag = Field(default=False, description="Whether claims without a class get it.")


class Crd(Model):
    """A CustomResourceDefinition."""

    versions: list[Word] = Field(
        description="The versions that the API server serves.", examples=[["v1"]]
    )
    fields: list[Word] = Field(
        default_factory=no_items,
        description="Fields that a PyTorchJob may have, without those of its pods.",
        examples=[["nprocPerNode", "runPolicy.suspend"]],
    )


class Snapshot(Model):
    """One cluster, seen from one namespace."""

    version: Literal["genjob/v1"] = Field(description="Version of this file's format.")
    name: Word = Field(description="Name of the environment.")
    kubernetes: Word | None = Field(default=None, description="Version of the API server.")
    node_labels: list[Word] = Field(
        default_factory=no_items,
        description="Keys of the labels that were looked at; nothing is known of others.",
        examples=[["pool", "node.kubernetes.io/instance-type"]],
    )
    nodes: list[NodeGroup] | None = Field(
        default=None,
        description="The nodes, in groups.",
        examples=[[{"count": 32, "labels": {"pool": "h100"}, "allocatable": {"cpu": 191}}]],
    )
    local_queues: list[LocalQueue] | None = Field(
        default=None,
        description="The LocalQueues of all namespaces that could be read.",
        examples=[[{"namespace": "ml-prod", "name": "nlp", "cluster_queue": "train"}]],
    )
    cluster_queues: dict[str, ClusterQueue] | None = Field(
        default=None,
        description="The ClusterQueues, by name.",
        examples=[{"train": {"cohort": "all", "stop_policy": "Hold"}}],
    )
    flavors: dict[str, Flavor] | None = Field(
        default=None,
        description="The ResourceFlavors, by name.",
        examples=[{"h100": {"node_labels": {"pool": "h100"}}}],
    )
    storage_classes: dict[str, StorageClass] | None = Field(
        default=None,
        description="The StorageClasses, by name.",
        examples=[{"gp3": {"provisioner": "ebs.csi.aws.com", "default": True}}],
    )
    priority_classes: dict[str, Int] | None = Field(
        default=None,
        description="The PriorityClasses: name → value.",
        examples=[{"training-high": 1000}],
    )
    crds: dict[str, Crd] | None = Field(
        default=None,
        description="The CRDs of training, queues and gang schedulers, by name.",
        examples=[{"localqueues.kueue.x-k8s.io": {"versions": ["v1beta2"]}}],
    )
