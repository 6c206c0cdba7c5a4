"""How the ranks talk: back end, fabric, host network, and when the job grows and shrinks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from genjob.catalog.fabrics import AUTO, FABRICS
from genjob.model.base import (
    Count,
    Flag,
    Int,
    Model,
    Natural,
    RawList,
    TextMap,
    Word,
    no_items,
    no_keys,
)

Port = Annotated[Int, Field(ge=1, le=65535)]


class Network(Model):
    """The network between the ranks."""

    backend: Literal["nccl", "gloo", "mpi"] = Field(
        default="nccl", description="The torch.distributed back end; only nccl gets NCCL settings."
    )
    fabric: Literal[(AUTO, *FABRICS)] = Field(  # type: ignore[valid-type] # the names of the table
        default=AUTO,
        description="The network between the machines; auto takes the fabric of the node pool.",
    )
    master_port: Port | None = Field(
        default=None,
        description="Port of the rendezvous (port pytorchjob-port of the container); 23456 when "
        "not given. With host_network every job of a machine needs its own.",
    )
    host_network: Flag = Field(
        default=False, description="Put the pods into the network of their machine."
    )
    dns_policy: Literal["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"] | None = (
        Field(
            default=None,
            description="DNS policy of the pods; ClusterFirstWithHostNet with host_network, so "
            "that the Master's name can be resolved.",
        )
    )
    host_ipc: Flag = Field(
        default=False,
        description="Share IPC with the machine; needed only when several pods of one machine use "
        "shared memory together.",
    )


class Elastic(Model):
    """An elastic job: Worker-only, the number of machines may change while it runs."""

    min_nodes: Count = Field(description="Fewest machines that train.")
    max_nodes: Count = Field(description="Most machines that train.")
    max_restarts: Natural | None = Field(
        default=None, description="How often torchrun restarts its workers (PET_MAX_RESTARTS)."
    )
    rdzv_backend: Literal["c10d", "etcd", "etcd-v2"] = Field(
        default="c10d", description="The rendezvous back end."
    )
    rdzv_host: Word | None = Field(
        default=None,
        description="Host of the rendezvous; the first worker when not given.",
        examples=["etcd.ml.svc"],
    )
    rdzv_port: Port | None = Field(default=None, description="Port of the rendezvous.")
    rdzv_id: Word | None = Field(
        default=None, description="Name of the rendezvous.", examples=["llama"]
    )
    rdzv_conf: TextMap = Field(
        default_factory=no_keys,
        description="More settings of the rendezvous, such as join_timeout.",
        examples=[{"join_timeout": "600"}],
    )
    metrics: RawList = Field(
        default_factory=no_items,
        description="Metrics of a HorizontalPodAutoscaler, in Kubernetes' own spelling.",
        examples=[
            [
                {
                    "type": "Resource",
                    "resource": {
                        "name": "cpu",
                        "target": {"type": "Utilization", "averageUtilization": 80},
                    },
                }
            ]
        ],
    )


class ContainerPort(Model):
    """A port of the training container."""

    name: Word | None = Field(
        default=None, description="Name of the port, 15 characters at most.", examples=["metrics"]
    )
    port: Port = Field(description="The port, 1 to 65535.", examples=[9400])
    protocol: Literal["TCP", "UDP", "SCTP"] = Field(default="TCP", description="The protocol.")
    host_port: Port | None = Field(default=None, description="The same port on the machine.")
