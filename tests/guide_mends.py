"""Where the objects of our experiments are not those of the guide, each place with its reason.

A route leads into the shape of `guide_facts.GUIDE`; the value is ours, ABSENT where we have none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.guide_facts import GPU_IMAGE, PYTHON, TORCHRUN

if TYPE_CHECKING:
    from genjob.jsontypes import Json

ABSENT = "nothing"

_SCRIPT = Path(__file__).parent.parent / "experiments/basic-pytorchjob/train.py"
_CODE = "basic-pytorchjob-code-4605e50c"
_CONFIG = "config-pytorchjob-config-38073b53"
_MADE_CLAIM = "shared-storage-pytorchjob-shared-data"

_PYTHON: dict[str, Json] = {"pytorch.command": PYTHON}
_TORCHRUN: dict[str, Json] = {"pytorch.command": TORCHRUN}
"""The guide names no program, so its pods run the shell of the image and end at once."""

_WRITTEN_OUT: dict[str, Json] = {"restartPolicy": "OnFailure"}
"""The operator's default, so that a newer operator with another one changes nothing."""


def _master(*parts: dict[str, Json]) -> dict[str, Json]:
    return {f"Master.{path}": value for part in parts for path, value in part.items()}


def _worker(*parts: dict[str, Json]) -> dict[str, Json]:
    return {f"Worker.{path}": value for part in parts for path, value in part.items()}


def _both(*parts: dict[str, Json]) -> dict[str, Json]:
    return {**_master(*parts), **_worker(*parts)}


def _requests(count: str) -> dict[str, Json]:
    """Return what the guide leaves to Kubernetes, which copies a limit to the request."""
    return {"pytorch.resources.requests.nvidia.com/gpu": count}


def _gpus(count: str) -> dict[str, Json]:
    """Return the GPUs of a pod of a GPU image that asks for none, so that CUDA finds none."""
    return {**_requests(count), "pytorch.resources.limits.nvidia.com/gpu": count}


def _shm(size: str) -> dict[str, Json]:
    """Return the shared memory of a pod with several GPUs: NCCL needs more than 64Mi."""
    return {
        "volumes.dshm.emptyDir.medium": "Memory",
        "volumes.dshm.emptyDir.sizeLimit": size,
        "pytorch.volumeMounts.dshm.mountPath": "/dev/shm",  # noqa: S108 # POSIX shared memory
    }


_MOUNTED_CODE: dict[str, Json] = {
    "volumes.code.configMap.name": _CODE,
    "pytorch.volumeMounts.code.mountPath": "/opt/model",
    "pytorch.volumeMounts.code.readOnly": True,
}

MENDED: dict[str, dict[str, Json]] = {
    "basic-pytorchjob": {
        "job.nprocPerNode": "1",
        # the image has no /opt/model/train.py, so ours is mounted
        **_both(_MOUNTED_CODE),
        "ConfigMap.name": _CODE,
        "ConfigMap.data.train.py": _SCRIPT.read_text(encoding="utf-8"),
    },
    "gpu-pytorchjob": {
        "job.nprocPerNode": "2",
        **_both(_WRITTEN_OUT, _TORCHRUN, _shm("8Gi")),
        # the Workers lack the environment and the requests of the Master
        "Worker.pytorch.env.NCCL_DEBUG.value": "INFO",
        "Worker.pytorch.resources.requests.cpu": "4",
        "Worker.pytorch.resources.requests.memory": "16Gi",
        "Worker.pytorch.resources.requests.nvidia.com/gpu": "2",
        "Worker.pytorch.resources.limits.cpu": "8",
        "Worker.pytorch.resources.limits.memory": "32Gi",
    },
    "multi-node-gpu-pytorchjob": {
        "job.nprocPerNode": "4",
        **_both(_WRITTEN_OUT, _TORCHRUN, _requests("4"), _shm("16Gi")),
        # the Workers lack the data, which every rank reads
        "Worker.volumes.data.persistentVolumeClaim.claimName": "training-data-pvc",
        "Worker.volumes.output.persistentVolumeClaim.claimName": "model-output-pvc",
        "Worker.pytorch.volumeMounts.data.mountPath": "/data",
        "Worker.pytorch.volumeMounts.output.mountPath": "/output",
    },
    "launch-pytorchjob": {
        # --nnodes=4 with one pod waits for ever, and --node_rank=0 would be the rank of all four;
        # torchrun takes both from the operator
        "job.nprocPerNode": "4",
        "Worker.replicas": 3,
        "Worker.pytorch.image": GPU_IMAGE,
        **_both(_WRITTEN_OUT, _TORCHRUN, _gpus("4"), _shm("16Gi")),
    },
    "storage-pytorchjob": {
        "job.nprocPerNode": "1",
        **_master(_WRITTEN_OUT, _PYTHON),
    },
    "shared-storage-pytorchjob": {
        "job.nprocPerNode": "1",
        **_master(_WRITTEN_OUT, _PYTHON),
        # the claim is the experiment's own, so it has its name; the class is the environment's
        "Master.volumes.shared-data.persistentVolumeClaim.claimName": _MADE_CLAIM,
        "PersistentVolumeClaim.name": _MADE_CLAIM,
        "PersistentVolumeClaim.storageClassName": ABSENT,
        # data outlives the job
        "PersistentVolumeClaim.annotations.argocd.argoproj.io/compare-options": "IgnoreExtraneous",
        "PersistentVolumeClaim.annotations.argocd.argoproj.io/sync-options": (
            "Prune=false,Delete=false"
        ),
        "PersistentVolumeClaim.annotations.kustomize.toolkit.fluxcd.io/prune": "disabled",
    },
    "nccl-pytorchjob": {
        "job.nprocPerNode": "2",
        **_both(_WRITTEN_OUT, _TORCHRUN, _gpus("2"), _shm("8Gi")),
        # RDMA locks memory
        **_both({"pytorch.securityContext.capabilities.add": ["IPC_LOCK"]}),
        # the Workers lack the settings without which they take another network than the Master
        "Worker.pytorch.env.NCCL_IB_DISABLE.value": "0",
        "Worker.pytorch.env.NCCL_IB_HCA.value": "mlx5_0,mlx5_1",
        "Worker.pytorch.env.NCCL_SOCKET_IFNAME.value": "eth0",
    },
    "config-pytorchjob": {
        "job.nprocPerNode": "1",
        **_master(_WRITTEN_OUT, _PYTHON),
        # named by its content, so that an edit reaches the pods
        "Master.pytorch.envFrom": [{"configMapRef": {"name": _CONFIG}}],
        "ConfigMap.name": _CONFIG,
    },
    "node-selector-pytorchjob": {
        "job.nprocPerNode": "1",
        **_master(_WRITTEN_OUT, _TORCHRUN, _gpus("1")),
    },
    "affinity-pytorchjob": {
        "job.nprocPerNode": "1",
        **_master(_WRITTEN_OUT, _TORCHRUN, _gpus("1")),
        # the anti-affinity looks for this label, which the guide's pods do not have
        "Master.metadata.labels.app": "pytorch-training",
    },
}


def of_every_experiment(name: str, parts: list[str]) -> dict[str, Json]:
    """Return what every object has more than the guide's; `parts` are its kinds and roles.

    The guide's namespace is that of an environment, so no base has one.
    """
    labels = {
        "app.kubernetes.io/managed-by": "genjob",
        "app.kubernetes.io/name": name,
        "genjob.dev/experiment": name,
    }
    made: dict[str, Json] = {
        "job.metadata.name": name,  # the guide's too; the table has it as a key
        "job.runPolicy.cleanPodPolicy": "Running",  # else Workers keep their GPUs at the end
    }
    where = {"job": "job.metadata", "Master": "Master.metadata", "Worker": "Worker.metadata"}
    for part in parts:
        made |= {f"{where.get(part, part)}.labels.{key}": text for key, text in labels.items()}
    return made
