"""What one pod asks of its machine: GPUs, CPU, memory, shared memory and devices."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from genjob.document import Plain
from genjob.model.base import Model, Natural, Quantity, Word, no_keys


def _listed(raw: object) -> object:
    return [raw] if isinstance(raw, str | Plain) else raw


class Resources(Model):
    """The resources of each pod, that is of each machine that the job runs on."""

    gpus_per_node: Natural | None = Field(
        default=None,
        description="GPUs of each machine; all GPUs of the node pool's machine when only an "
        "accelerator is given, else 0.",
    )
    accelerator: Annotated[list[Word], BeforeValidator(_listed), Field(min_length=1)] | None = (
        Field(
            default=None,
            description="The kind of GPU, or a list of kinds that will do: h100, [v100, a100].",
            examples=["h100", ["v100", "a100"]],
        )
    )
    cpu: Quantity | None = Field(default=None, description="CPUs requested.", examples=[96, "500m"])
    cpu_limit: Quantity | None = Field(
        default=None,
        description="Most CPUs; no limit when not given (a limit throttles).",
        examples=[128],
    )
    memory: Quantity | None = Field(
        default=None,
        description="Memory requested, and the limit unless memory_limit is given.",
        examples=["1000Gi"],
    )
    memory_limit: Quantity | None = Field(
        default=None, description="Memory at which the container is killed.", examples=["1200Gi"]
    )
    ephemeral_storage: Quantity | None = Field(
        default=None,
        description="Local disk requested, and its limit unless that is given.",
        examples=["200Gi"],
    )
    ephemeral_storage_limit: Quantity | None = Field(
        default=None, description="Local disk at which the pod is evicted.", examples=["400Gi"]
    )
    hugepages_2mi: Quantity | None = Field(
        default=None,
        description="Memory in huge pages of 2 MiB; needs cpu or memory too.",
        examples=["8Gi"],
    )
    hugepages_1gi: Quantity | None = Field(
        default=None,
        description="Memory in huge pages of 1 GiB; needs cpu or memory too.",
        examples=["8Gi"],
    )
    shm_size: Quantity | None = Field(
        default=None,
        description="Size of /dev/shm, used by NCCL and DataLoader workers; 64Mi when not given. "
        "It counts against the memory limit.",
        examples=["64Gi"],
    )
    extended: dict[str, Quantity] = Field(
        default_factory=no_keys,
        description="Any other device, by the name of its resource: {rdma/ib: 8}.",
        examples=[{"rdma/ib": 8}],
    )
