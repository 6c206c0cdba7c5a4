"""A seed and a number of experiments → a workspace of realistic size, always the same."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENTS = ("dev", "staging", "prod")

_MODELS = ("llama", "mixtral", "qwen", "vit", "whisper", "bert", "t5", "sdxl", "dlrm", "esm")
_PHASES = ("pretrain", "sft", "dpo", "distill", "ablation", "eval", "probe")
_TEAMS = ("nlp", "vision", "speech", "recsys", "bio")
_SETTINGS = (
    ("LEARNING_RATE", ("1e-4", "3e-5", "6e-4")),
    ("BATCH_SIZE", ("64", "128", "512")),
    ("WARMUP_STEPS", ("500", "2000")),
    ("WEIGHT_DECAY", ("0.1", "0.01")),
    ("SEQUENCE_LENGTH", ("2048", "8192")),
    ("GRADIENT_CLIP", ("1.0", "0.5")),
    ("PRECISION", ("bf16", "fp8")),
    ("OPTIMIZER", ("adamw", "lion", "muon")),
    ("SCHEDULE", ("cosine", "wsd")),
    ("CHECKPOINT_EVERY", ("1000", "5000")),
)

_EXPERIMENT = """\
# yaml-language-server: $schema=../../schemas/experiment.schema.json
version: genjob/v1
name: {name}
labels: {{team: {team}, example.com/model: {model}}}

image: registry.example.com/train/{model}:{major}.{minor}.0
script: /opt/model/train.py
args:
  - --config=configs/{model}/{phase}.yaml
  - --epochs={epochs}
  - --lr={rate}
  - --seed={seed}
nodes: {nodes}

resources: {{gpus_per_node: 8, accelerator: h100, cpu: 96, memory: 1000Gi, shm_size: 64Gi}}
nccl: {{debug: WARN, ib_timeout: {timeout}, socket_ifname: eth0}}

env:
  HYDRA_FULL_ERROR: "1"
  TOKENIZERS_PARALLELISM: "false"
  HF_HOME: /data/hf
  OMP_NUM_THREADS: "8"
  RUN_SEED: {seed}
  WANDB_PROJECT: {model}-{phase}
  WANDB_API_KEY: {{secret: wandb, key: api-key}}
config:
{config}

storage:
  - {{name: data, mount_path: /data, read_only: true, pvc: {{claim: training-data}}}}
  - name: checkpoints
    mount_path: /checkpoints
    pvc: {{size: {size}Gi, access_mode: ReadWriteMany, storage_class: shared}}
  - {{name: scratch, mount_path: /scratch, empty_dir: {{size: 200Gi}}}}
{files}
scheduling: {{queue: team-{team}, spread: required, priority_class: high}}
run_policy: {{restart_policy: OnFailure, backoff_limit: 3, active_deadline: 72h}}

environments:
  dev: {{nodes: 1, args: [--debug], config: {{CHECKPOINT_EVERY: "10"}}}}
  staging: {{nodes: 2}}
  prod: {{nodes: {prod_nodes}, env: {{NCCL_NVLS_ENABLE: "1"}}}}
"""

_ENVIRONMENT = """\
version: genjob/v1
name: {name}
namespace: ml-{name}
cluster: {{server: "https://{name}.k8s.example.com"}}
target: {{training_operator: "1.9", kubernetes: "{kubernetes}"}}
registry: {{mirror: {{registry.example.com: mirror.{name}.example.com}}}}
node_pools:
  - name: cpu
    nodes: 20
    cpu: 62
    memory: 240Gi
    node_selector: {{node.example.com/pool: cpu}}
  - name: h100
    instance_type: dgx-h100
    nodes: 64
    node_selector: {{node.example.com/pool: h100}}
    tolerations:
      - {{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}}
      - {{key: example.com/reserved, operator: Equal, value: training, effect: NoSchedule}}
    fabric_resources: {{rdma/ib: 8}}
    env: {{SITE: {name}}}
    price_per_node_hour: 42.5
  - name: a100
    accelerator: a100
    gpus_per_node: 8
    cpu: 126
    memory: 980Gi
    nodes: 16
    fabric: infiniband
    node_selector: {{node.example.com/pool: a100}}
    tolerations: [{{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}}]
    fabric_resources: {{rdma/ib: 4}}
    price_per_node_hour: 19.8
storage_classes: {{shared: {storage_class}, default: {storage_class}}}
queues: {{{queues}}}
labels: {{example.com/tier: {name}}}
defaults:
  image_pull_secrets: [mirror-pull]
policy:
  max_gpus_per_run: 512
  require: [scheduling.queue, run_policy.active_deadline]
provides:
  secrets: [wandb, mirror-pull]
  pvcs: [training-data]
"""

_FILES = "  - {name: code, mount_path: /opt/model, files: [train.py]}\n"
_SCRIPT = 'print("training {name}")\n' * 20


def make(root: Path, experiments: int, *, seed: int = 8) -> None:
    """Write a workspace of that many experiments, each in three environments, into a folder."""
    choice = random.Random(seed)  # noqa: S311 # the same workspace each time, no secret
    files = {"genjob.yaml": "version: genjob/v1\n", **_environments()}
    for number in range(experiments):
        files |= _experiment(number, choice)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")


def _environments() -> dict[str, str]:
    queues = ", ".join(
        f"team-{team}: {{local_queue: {team}, gpus: 256, oversubscribed: true}}" for team in _TEAMS
    )
    versions = {"dev": ("1.33", "local"), "staging": ("1.32", "ceph"), "prod": ("1.31", "lustre")}
    return {
        f"environments/{name}.yaml": _ENVIRONMENT.format(
            name=name, kubernetes=kubernetes, storage_class=storage, queues=queues
        )
        for name, (kubernetes, storage) in versions.items()
    }


def _experiment(number: int, choice: random.Random) -> dict[str, str]:
    """Return the files of one experiment; every fifth has its script beside it."""
    model, phase = choice.choice(_MODELS), choice.choice(_PHASES)
    name = f"{model}-{phase}-{number:04}"
    with_script = number % 5 == 0
    text = _EXPERIMENT.format(
        name=name,
        model=model,
        phase=phase,
        team=choice.choice(_TEAMS),
        major=choice.randint(1, 4),
        minor=choice.randint(0, 30),
        epochs=choice.randint(1, 40),
        rate=choice.choice(("1e-4", "3e-5", "0.002")),
        seed=choice.randint(1, 10_000),
        nodes=choice.choice((2, 4)),
        prod_nodes=choice.choice((4, 8, 16)),
        timeout=choice.choice((20, 22)),
        size=choice.choice((200, 500, 2000)),
        config="\n".join(f'  {key}: "{choice.choice(values)}"' for key, values in _SETTINGS),
        files=_FILES if with_script else "",
    )
    folder = f"experiments/{name}"
    script = {f"{folder}/train.py": _SCRIPT.format(name=name)} if with_script else {}
    return {f"{folder}/experiment.yaml": text, **script}
