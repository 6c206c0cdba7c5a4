"""Where the pods run, who may run first, and which queue admits them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from genjob.model.base import (
    Count,
    Duration,
    Model,
    Quantity,
    RawList,
    RawObject,
    Text,
    TextMap,
    Word,
    exactly_one,
    no_items,
    no_keys,
)


class Topology(Model):
    """A request to Kueue: all pods close together, by the label of a topology level."""

    required: Word | None = Field(
        default=None,
        description="Label of the level that must hold all pods, or wait.",
        examples=["cloud.provider.com/topology-rack"],
    )
    preferred: Word | None = Field(
        default=None,
        description="Label of the level that should hold all pods.",
        examples=["cloud.provider.com/topology-block"],
    )

    @model_validator(mode="after")
    def _one_request(self) -> Topology:
        exactly_one(self, ("required", "preferred"), "a topology request")
        return self


class Gang(Model):
    """All pods or none (runPolicy.schedulingPolicy), for an operator with a gang scheduler."""

    min_available: Count | None = Field(
        default=None, description="Pods that must fit before any starts; all when not given."
    )
    queue: Word | None = Field(default=None, description="Queue of the gang scheduler (volcano).")
    priority_class: Word | None = Field(default=None, description="Priority of the PodGroup.")
    min_resources: dict[str, Quantity] = Field(
        default_factory=no_keys,
        description="Resources that must be free; computed when not given.",
        examples=[{"cpu": "96", "nvidia.com/gpu": "16"}],
    )
    schedule_timeout: Duration | None = Field(
        default=None, description="How long the PodGroup may wait.", examples=["10m"]
    )


class Scheduling(Model):
    """Placement and priority."""

    queue: Word | None = Field(
        default=None,
        description="The Kueue queue: a name of the environment's queues, or a LocalQueue.",
        examples=["team-nlp"],
    )
    topology: Topology | None = Field(default=None, description="Kueue's topology request.")
    gang: Gang | None = Field(default=None, description="Gang scheduling by volcano or another.")
    priority_class: Word | None = Field(
        default=None, description="PriorityClass of the pods.", examples=["training-high"]
    )
    scheduler_name: Word | None = Field(
        default=None, description="The scheduler of the pods.", examples=["volcano"]
    )
    node_pool: Word | None = Field(
        default=None,
        description="The node pool of the environment; the first that has the accelerator when "
        "not given.",
        examples=["h100"],
    )
    spread: Literal["required", "preferred", "none"] = Field(
        default="none",
        description="One pod per machine: required waits for a free machine, preferred tries.",
    )
    node_selector: TextMap = Field(
        default_factory=no_keys,
        description="Labels the machine must have.",
        examples=[{"node.kubernetes.io/instance-type": "p5.48xlarge"}],
    )
    node_labels: dict[str, Annotated[list[Text], Field(min_length=1)]] = Field(
        default_factory=no_keys,
        description="Labels with the values that will do: {gpu: [v100, a100]}.",
        examples=[{"gpu": ["v100", "a100"]}],
    )
    avoid_nodes: list[Word] = Field(
        default_factory=no_items,
        description="Machines that must not be used, by host name.",
        examples=[["gpu-node-17"]],
    )
    tolerations: RawList = Field(
        default_factory=no_items,
        description="Taints that the pods bear, in Kubernetes' own spelling; those of the node "
        "pool are added.",
        examples=[[{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]],
    )
    affinity: RawObject = Field(
        default_factory=no_keys,
        description="Affinity in Kubernetes' own spelling; what the fields above ask for is added.",
        examples=[
            {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [
                            {
                                "matchExpressions": [
                                    {"key": "gpu", "operator": "In", "values": ["h100"]}
                                ]
                            }
                        ]
                    }
                }
            }
        ],
    )
    topology_spread: RawList = Field(
        default_factory=no_items,
        description="topologySpreadConstraints in Kubernetes' own spelling.",
        examples=[
            [
                {
                    "maxSkew": 1,
                    "topologyKey": "topology.kubernetes.io/zone",
                    "whenUnsatisfiable": "ScheduleAnyway",
                }
            ]
        ],
    )
    service_account: Word | None = Field(default=None, description="ServiceAccount of the pods.")
    runtime_class: Word | None = Field(default=None, description="RuntimeClass of the pods.")
