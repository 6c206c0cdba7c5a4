"""What ten manifests of a guide to PyTorchJobs mean, as data.

Each is in the shape of `test_guide.reduced`: the replica specs by role, the container `pytorch`
beside the rest of its pod, lists of named items by name, other objects by kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

CPU_IMAGE = "pytorch/pytorch:2.0.0"
GPU_IMAGE = "pytorch/pytorch:2.0.0-cuda11.7-cudnn8-runtime"
PYTHON: list[Json] = ["python", "/opt/model/train.py"]
TORCHRUN: list[Json] = ["torchrun", "/opt/model/train.py"]

_BASIC: JsonObject = {
    "image": CPU_IMAGE,
    "command": PYTHON,
    "args": ["--epochs=10", "--batch-size=32"],
}


def _gpus(count: str) -> JsonObject:
    return {"limits": {"nvidia.com/gpu": count}}


def _claim(name: str) -> JsonObject:
    return {"persistentVolumeClaim": {"claimName": name}}


GUIDE: dict[str, JsonObject] = {
    "basic-pytorchjob": {
        "Master": {"replicas": 1, "restartPolicy": "OnFailure", "pytorch": _BASIC},
        "Worker": {"replicas": 2, "restartPolicy": "OnFailure", "pytorch": _BASIC},
    },
    "gpu-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": GPU_IMAGE,
                "resources": {
                    "requests": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "2"},
                    "limits": {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "2"},
                },
                "env": {"NCCL_DEBUG": {"value": "INFO"}},
            },
        },
        "Worker": {"replicas": 4, "pytorch": {"image": GPU_IMAGE, "resources": _gpus("2")}},
    },
    "multi-node-gpu-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": GPU_IMAGE,
                "resources": _gpus("4"),
                "volumeMounts": {
                    "data": {"mountPath": "/data"},
                    "output": {"mountPath": "/output"},
                },
            },
            "volumes": {
                "data": _claim("training-data-pvc"),
                "output": _claim("model-output-pvc"),
            },
        },
        "Worker": {"replicas": 4, "pytorch": {"image": GPU_IMAGE, "resources": _gpus("4")}},
    },
    "launch-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": GPU_IMAGE,
                "command": [
                    *("python", "-m", "torch.distributed.launch"),
                    *("--nproc_per_node=4", "--nnodes=4", "--node_rank=0"),
                    *("--master_addr=$(MASTER_ADDR)", "--master_port=$(MASTER_PORT)"),
                    "/opt/model/train.py",
                ],
            },
        },
    },
    "storage-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": CPU_IMAGE,
                "volumeMounts": {
                    "training-data": {"mountPath": "/data", "readOnly": True},
                    "model-output": {"mountPath": "/output"},
                    "checkpoints": {"mountPath": "/checkpoints"},
                },
            },
            "volumes": {
                "training-data": _claim("training-data-pvc"),
                "model-output": _claim("model-output-pvc"),
                "checkpoints": _claim("checkpoints-pvc"),
            },
        },
    },
    "shared-storage-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": CPU_IMAGE,
                "volumeMounts": {"shared-data": {"mountPath": "/shared"}},
            },
            "volumes": {"shared-data": _claim("shared-data-pvc")},
        },
        "PersistentVolumeClaim": {
            "name": "shared-data-pvc",
            "accessModes": ["ReadWriteMany"],
            "resources": {"requests": {"storage": "100Gi"}},
            "storageClassName": "nfs-storage",
        },
    },
    "nccl-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": GPU_IMAGE,
                "env": {
                    "NCCL_DEBUG": {"value": "INFO"},
                    "NCCL_SOCKET_IFNAME": {"value": "eth0"},
                    "NCCL_IB_DISABLE": {"value": "0"},
                    "NCCL_IB_HCA": {"value": "mlx5_0,mlx5_1"},
                },
            },
        },
        "Worker": {
            "replicas": 4,
            "pytorch": {"image": GPU_IMAGE, "env": {"NCCL_DEBUG": {"value": "INFO"}}},
        },
    },
    "config-pytorchjob": {
        "Master": {
            "replicas": 1,
            "pytorch": {
                "image": CPU_IMAGE,
                "envFrom": [{"configMapRef": {"name": "training-config"}}],
            },
        },
        "ConfigMap": {
            "name": "training-config",
            "data": {"EPOCHS": "100", "BATCH_SIZE": "64", "LEARNING_RATE": "0.001"},
        },
    },
    "node-selector-pytorchjob": {
        "Master": {
            "replicas": 1,
            "nodeSelector": {"accelerator": "nvidia-tesla-v100"},
            "pytorch": {"image": GPU_IMAGE},
        },
    },
    "affinity-pytorchjob": {
        "Master": {
            "replicas": 1,
            "affinity": {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [
                            {
                                "matchExpressions": [
                                    {
                                        "key": "gpu-type",
                                        "operator": "In",
                                        "values": ["v100", "a100"],
                                    }
                                ]
                            }
                        ]
                    }
                },
                "podAntiAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {
                            "weight": 100,
                            "podAffinityTerm": {
                                "labelSelector": {"matchLabels": {"app": "pytorch-training"}},
                                "topologyKey": "kubernetes.io/hostname",
                            },
                        }
                    ]
                },
            },
            "tolerations": [
                {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
            ],
            "pytorch": {"image": GPU_IMAGE},
        },
    },
}
