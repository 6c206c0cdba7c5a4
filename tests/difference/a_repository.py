"""A workspace in a real Git repository, rendered and committed, then edited by the tests."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.git_repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, Ran, RunsCommand

LLAMA = "experiments/llama/experiment.yaml"
BERT = "experiments/bert/experiment.yaml"
PROD, DEV = "environments/prod.yaml", "environments/dev.yaml"

FILES: dict[str, str] = {
    LLAMA: """\
version: genjob/v1
name: llama
image: registry.example.com/train/llama:2.6.0
script: /code/train.py
args: [--lr=1e-4]
nodes: 4
resources: {gpus_per_node: 8, accelerator: h100}
nccl: {debug: WARN}
config: {EPOCHS: 10}
storage:
  - {name: checkpoints, mount_path: /checkpoints, pvc: {size: 500Gi, storage_class: shared}}
  - {name: code, mount_path: /code, files: [train.py]}
scheduling: {queue: nlp}
run_policy: {active_deadline: 72h}
environments: {prod: {}}
""",
    "experiments/llama/train.py": "print(1)\n",
    BERT: """\
version: genjob/v1
name: bert
image: registry.example.com/train/bert:1.0
module: bert.train
nodes: 2
environments: {dev: {nodes: 1}, prod: {}}
""",
    PROD: """\
version: genjob/v1
name: prod
namespace: ml-prod
node_pools:
  - {name: cpu, price_per_node_hour: 0.5}
  - name: h100
    accelerator: h100
    gpus_per_node: 8
    nodes: 16
    fabric: infiniband
    nccl: {ib_tc: 41}
    price_per_node_hour: 40
storage_classes: {shared: lustre, slow: nfs}
queues:
  nlp: {local_queue: nlp, gpus: 64, oversubscribed: true}
  all: {local_queue: all}
""",
    DEV: "version: genjob/v1\nname: dev\nnamespace: ml-dev\n",
}


@dataclass(frozen=True)
class Workspace:
    """A workspace that is a repository, and the command line that reads it."""

    root: Path
    run_cli: RunsCommand
    repository: Repository

    @classmethod
    def committed(
        cls, repo: MakesWorkspace, run_cli: RunsCommand, *edits: tuple[str, str, str]
    ) -> Workspace:
        """Return the workspace as it was rendered and committed on main, after some edits."""
        workspace = cls(root := repo(FILES), run_cli, Repository(root))
        for edit in edits:
            workspace.edit(*edit)
        workspace.render()
        Repository.of(root)
        return workspace

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text that a file has once."""
        text = (self.root / file).read_text(encoding="utf-8")
        assert 1 == text.count(old), (file, old)
        self.write(file, text.replace(old, new))

    def write(self, file: str, text: str) -> None:
        """Write a file."""
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text, encoding="utf-8", newline="\n")

    def move(self, old: str, new: str) -> None:
        """Move a file or a folder."""
        shutil.move(self.root / old, self.root / new)

    def remove(self, folder: str) -> None:
        """Remove a folder."""
        shutil.rmtree(self.root / folder)

    def render(self, *words: str) -> None:
        """Render everything."""
        ran = self.run_cli("render", "--all", *words, "-C", self.root)
        assert 0 == ran.exit_code, ran.stderr

    def diff(self, *words: str) -> Ran:
        """Run `genjob diff`."""
        return self.run_cli("diff", *words, "-C", self.root)

    def shown(self, *words: str) -> str:
        """Return what `genjob diff` prints, without the name of the commit."""
        ran = self.diff(*words)
        assert (0, "") == (ran.exit_code, ran.stderr)
        return ran.stdout.replace(self.repository.git("rev-parse", "main")[:9], "COMMIT")
