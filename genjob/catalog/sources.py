"""The sources of what is known of fabrics and machines: key → who says it, and where.

Repositories are cited as owner/name; they were read at their main branch.
"""

from __future__ import annotations

from typing import Final

GENERAL: Final = "general"

SOURCES: Final[dict[str, str]] = {
    "nccl": "NVIDIA NCCL user guide and source, 2.30.7",
    "dgx": "NVIDIA DGX H100/H200 user guide",
    "network-operator": "Mellanox/network-operator, examples",
    "efa-plugin": "aws/aws-ofi-nccl, doc/efa-env-var.md and platform-aws.cpp",
    "efa-samples": "aws-samples/awsome-distributed-training, Kubernetes examples",
    "karpenter": "aws/karpenter-provider-aws, reference of instance types",
    "gke-device": "GoogleCloudPlatform/container-engine-accelerators, gpudirect manifests",
    "gke-recipes": "AI-Hypercomputer/gpu-recipes and GoogleCloudPlatform/cluster-toolkit",
    "aks-rdma": "Azure/aks-rdma-infiniband",
    "azure-ai": "Azure/ai-infrastructure-on-azure, PyTorchJob example",
    "azure-images": "Azure/azhpc-images",
    "oke": "oracle-quickstart/oci-hpc-oke",
    "coreweave": "coreweave/nccl-tests, manifests",
    "skypilot": "skypilot-org/skypilot, Kubernetes utilities and catalogue",
    GENERAL: "general knowledge, not looked up",
}
