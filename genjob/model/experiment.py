"""`experiment.yaml`: what a researcher edits."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from genjob.model.base import (
    Count,
    Flag,
    Model,
    RawList,
    RawObject,
    Text,
    TextMap,
    Word,
    exactly_one,
    no_items,
    no_keys,
    nothing_set,
)
from genjob.model.env import EnvFrom, EnvValue
from genjob.model.names import Name
from genjob.model.nccl import Nccl
from genjob.model.network import ContainerPort, Elastic, Network
from genjob.model.resources import Resources
from genjob.model.run import RunPolicy, Security
from genjob.model.run_name import Run
from genjob.model.scheduling import Scheduling
from genjob.model.storage import Storage

VERSION = "genjob/v1"


class Pod(Model):
    """The fields that one role, the Master or the Workers, may have otherwise than the other."""

    image: Word | None = Field(default=None, description="The container image.")
    image_pull_policy: Literal["Always", "IfNotPresent", "Never"] | None = Field(
        default=None, description="When the image is pulled."
    )
    image_pull_secrets: list[Word] = Field(
        default_factory=no_items,
        description="Secrets that the image is pulled with.",
        examples=[["mirror-pull"]],
    )
    script: Word | None = Field(
        default=None,
        description="Path of the Python script to run.",
        examples=["/opt/model/train.py"],
    )
    module: Word | None = Field(
        default=None, description="Python module to run, as with -m.", examples=["model.train"]
    )
    command: list[Text] | None = Field(
        default=None,
        description="The whole command, when it is neither; [] is the entry point of the image.",
        examples=[["bash", "-c", "exec ./train.sh"]],
    )
    launcher: Literal["torchrun", "python"] = Field(
        default="torchrun", description="What starts a script or module."
    )
    launcher_args: list[Text] = Field(
        default_factory=no_items,
        description="Options of the launcher, before the script or module, as typed.",
        examples=[["--max-restarts=3"]],
    )
    args: list[Text] = Field(
        default_factory=no_items,
        description="Arguments of the script, module or command, as typed.",
        examples=[["--epochs=10", "--lr=1e-4"]],
    )
    working_dir: Word | None = Field(
        default=None, description="Directory the process starts in.", examples=["/workspace"]
    )
    resources: Resources = Field(
        default_factory=nothing_set(Resources),
        description="GPUs, CPU, memory, shared memory, devices.",
    )
    env: dict[str, EnvValue] = Field(
        default_factory=no_keys,
        description="Environment variables: a text as typed, or where to look it up.",
        examples=[{"LR": "1e-4", "WANDB_API_KEY": {"secret": "wandb", "key": "api-key"}}],
    )
    env_from: list[EnvFrom] = Field(
        default_factory=no_items,
        description="ConfigMaps and Secrets whose keys become variables.",
        examples=[[{"config_map": "shared-defaults"}]],
    )
    ports: list[ContainerPort] = Field(
        default_factory=no_items,
        description="Ports of the container.",
        examples=[[{"name": "metrics", "port": 9400}]],
    )
    storage: list[Storage] = Field(
        default_factory=no_items,
        description="What is mounted.",
        examples=[[{"name": "data", "mount_path": "/data", "pvc": {"claim": "training-data"}}]],
    )
    network: Network = Field(
        default_factory=nothing_set(Network), description="Back end, fabric, host network."
    )
    nccl: Nccl = Field(
        default_factory=no_keys,
        description="NCCL settings: `ib_hca` is NCCL_IB_HCA; `genjob nccl` lists all.",
        examples=[{"debug": "WARN", "ib_hca": ["mlx5_0", "mlx5_1"]}],
    )
    scheduling: Scheduling = Field(
        default_factory=nothing_set(Scheduling), description="Placement, priority and queue."
    )
    security: Security = Field(
        default_factory=nothing_set(Security), description="User, group, capabilities, privileges."
    )
    pod_labels: TextMap = Field(
        default_factory=no_keys, description="Labels of the pods only.", examples=[{"team": "nlp"}]
    )
    pod_annotations: TextMap = Field(
        default_factory=no_keys,
        description="Annotations of the pods only.",
        examples=[{"prometheus.io/scrape": "true"}],
    )
    init_containers: RawList = Field(
        default_factory=no_items,
        description="Containers that run before, in Kubernetes' own spelling.",
        examples=[
            [{"name": "fetch", "image": "busybox:1.37", "command": ["sh", "-c", "ls /data"]}]
        ],
    )
    sidecars: RawList = Field(
        default_factory=no_items,
        description="Containers beside the training, in Kubernetes' own spelling. They become "
        "init containers with restartPolicy Always, so that the pod ends when the training does.",
        examples=[[{"name": "logs", "image": "fluent-bit:4.0"}]],
    )
    pod_overrides: RawObject = Field(
        default_factory=no_keys,
        description="A piece of pod spec in Kubernetes' own spelling, laid over the result.",
        examples=[{"terminationGracePeriodSeconds": 300}],
    )


class Experiment(Pod):
    """One training job, and where it runs."""

    version: Literal["genjob/v1"] = Field(description="Version of this file's format.")
    name: Name = Field(
        description="Name of the experiment: that of its folder.", examples=["llama-pretrain"]
    )
    labels: TextMap = Field(
        default_factory=no_keys,
        description="Labels of the job and its pods.",
        examples=[{"team": "nlp"}],
    )
    job_labels: TextMap = Field(
        default_factory=no_keys,
        description="Labels of the job itself, not of its pods.",
        examples=[{"ticket": "ML-42"}],
    )
    annotations: TextMap = Field(
        default_factory=no_keys,
        description="Annotations of the job.",
        examples=[{"example.com/ticket": "ML-42"}],
    )

    image: Word = Field(
        description="The container image.", examples=["registry.example.com/train/llama:2.6.0"]
    )
    nodes: Count = Field(
        default=1, description="Machines, one pod each; Master and Workers together."
    )
    with_master: Flag | None = Field(
        default=None,
        description="Whether one of the nodes is the Master; when not given it is, but in an "
        "elastic job. Without one the operator sets neither RANK nor MASTER_ADDR.",
    )
    nproc_per_node: Count | Literal["auto", "detect", "gpu", "cpu", "xpu"] = Field(
        default="auto",
        description="Processes of each pod; auto is gpus_per_node, or 1 without GPUs or without "
        "torchrun. With detect, torchrun counts the GPUs of its machine, with gpu, cpu or xpu "
        "those devices.",
        examples=["auto", 8],
    )
    elastic: Elastic | None = Field(
        default=None, description="Let the number of machines change while the job runs."
    )
    config: TextMap = Field(
        default_factory=no_keys,
        description="Settings read as environment variables from an immutable ConfigMap that is "
        "named by its content.",
        examples=[{"EPOCHS": "100", "BATCH_SIZE": "64"}],
    )
    run: Run = Field(default_factory=nothing_set(Run), description="How the run is named.")
    run_policy: RunPolicy = Field(
        default_factory=nothing_set(RunPolicy), description="Restarts, deadline, clean-up."
    )
    allow: dict[str, Word] = Field(
        default_factory=no_keys,
        description="Findings that are left out here: code or name → the reason. Every warning can "
        "be; an error only where the cluster takes the job all the same.",
        examples=[{"GJ265": "the job only all-reduces"}],
    )
    master: RawObject = Field(
        default_factory=no_keys,
        description="What is different for the Master: image, args, resources, env, storage, "
        "scheduling, security, containers and pod_overrides.",
        examples=[{"resources": {"memory": "200Gi"}}],
    )
    worker: RawObject = Field(
        default_factory=no_keys,
        description="What is different for the Workers: the same fields as in `master`.",
        examples=[{"env": {"ROLE": "worker"}}],
    )
    job_overrides: RawObject = Field(
        default_factory=no_keys,
        description="A piece of the spec of the job in Kubernetes' own spelling, laid over the "
        "result.",
        examples=[{"pytorchReplicaSpecs": {"Master": {"restartPolicy": "Never"}}}],
    )
    environments: dict[str, RawObject] = Field(
        default_factory=no_keys,
        description="Where it runs, and which fields differ there. It runs nowhere else.",
        examples=[{"dev": {"nodes": 1}, "prod": {"nodes": 16}}],
    )

    @model_validator(mode="after")
    def _one_program(self) -> Experiment:
        exactly_one(self, ("script", "module", "command"), "what an experiment runs")
        return self


NOT_IN_LAYERS = ("version", "name", "environments")
"""Fields that say what the experiment is; a default or an override cannot change them."""
