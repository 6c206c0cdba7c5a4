"""The sources of the tables of variables: key → title and version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Source:
    """A document or a source tree that says what a variable does."""

    title: str
    version: str = "main branch"

    def __str__(self) -> str:
        """Return the source as a reader cites it."""
        return f"{self.title}, {self.version}"


SOURCES: Final[dict[str, Source]] = {
    "nccl-env": Source("NVIDIA NCCL user guide, Environment Variables", "2.30.7"),
    "nccl-src": Source("NVIDIA/nccl, source; not promised by NVIDIA", "2.30.7"),
    "gke-tcpx": Source("GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpx"),
    "gke-tcpxo": Source("GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo"),
    "aws-ofi-src": Source("aws/aws-ofi-nccl, include/nccl_ofi_param.h"),
    "ofi-efa-doc": Source("aws/aws-ofi-nccl, doc/efa-env-var.md"),
    "libfabric-efa": Source("ofiwg/libfabric, man/fi_efa.7.md"),
    "libfabric": Source("ofiwg/libfabric, run-time parameters"),
    "ucx-src": Source("openucx/ucx, source"),
    "coreweave": Source("coreweave/nccl-tests, manifests"),
    "azure": Source("Azure/ai-infrastructure-on-azure and Azure/azurehpc, examples"),
    "torch-hpp": Source("PyTorch, ProcessGroupNCCL.hpp and FlightRecorder.hpp", "2.14.1"),
    "torch-py": Source("PyTorch, torch/distributed and the allocator's headers", "2.14.1"),
    "torch-3p": Source("PyTorch, defaults of its C++ as others report them", "several versions"),
    "torch-docs": Source("PyTorch documentation, torch.distributed", "no version given"),
    "torchrun": Source("PyTorch, torch/distributed/run.py", "2.14.1"),
    "training-operator": Source("kubeflow/training-operator, envvar.go", "release-1.9"),
    "cuda-docs": Source("NVIDIA CUDA programming guide, Environment Variables", "no version given"),
    "general": Source("General knowledge, not looked up", "no version"),
}
