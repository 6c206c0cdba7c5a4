"""A small workspace on disk that is rendered and edited again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from genjob.document import read_document
from genjob.kustomize.rebuild import expected
from genjob.runs.identity import essence, job_of

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import JsonObject
    from tests.conftest import MakesWorkspace, Ran, RunsCommand

NAME = "a"
EXPERIMENT = f"experiments/{NAME}/experiment.yaml"
PROD, DEV = "environments/prod.yaml", "environments/dev.yaml"

FILES: dict[str, str] = {
    EXPERIMENT: """\
version: genjob/v1
name: a
image: train:1.0
script: /code/train.py
nodes: 2
resources: {memory: 64Gi}
env: {LR: 1e-4}
config: {EPOCHS: 10}
storage:
  - {name: data, mount_path: /data, pvc: {size: 1Ti, storage_class: fast}}
  - {name: code, mount_path: /code, files: [train.py]}
scheduling: {queue: nlp, spread: required}
environments: {dev: {nodes: 1}, prod: {}}
""",
    f"experiments/{NAME}/train.py": "print(1)\n",
    PROD: """\
version: genjob/v1
name: prod
namespace: ml-prod
storage_classes: {fast: gp3}
queues: {nlp: {local_queue: nlp-1}}
labels: {owner: platform}
defaults: {env: {REGION: eu}, config: {SITE: x}}
""",
    DEV: "version: genjob/v1\nname: dev\nnamespace: ml-dev\n",
}


class Workspace(NamedTuple):
    """A workspace and the command line that renders it."""

    root: Path
    run_cli: RunsCommand

    @classmethod
    def rendered(cls, repo: MakesWorkspace, run_cli: RunsCommand) -> Workspace:
        """Return the workspace, rendered once."""
        workspace = cls(repo(FILES), run_cli)
        workspace.render()
        return workspace

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text that the file has once."""
        text = self.text(file)
        assert 1 == text.count(old)
        (self.root / file).write_bytes(text.replace(old, new).encode())

    def text(self, file: str) -> str:
        """Return the text of a file."""
        return (self.root / file).read_bytes().decode()

    def genjob(self, *words: str) -> Ran:
        """Run a command."""
        return self.run_cli(*words, "-C", self.root)

    def render(self, *words: str) -> str:
        """Render, everything unless told otherwise, without a finding; return what is said."""
        ran = self.genjob("render", *(words or ("--all",)))
        assert (0, "") == (ran.exit_code, ran.stderr)
        return ran.stdout

    def overlay(self, environment: str = "prod") -> str:
        """Return the folder of the overlay."""
        return f"overlays/{environment}/{NAME}"

    def built(self, environment: str = "prod") -> list[JsonObject]:
        """Return what the committed overlay builds to."""
        folders = (f"bases/{NAME}", self.overlay(environment))
        texts = [{p.name: p.read_text() for p in (self.root / f).glob("*.yaml")} for f in folders]
        return expected(*texts)

    def job(self, environment: str = "prod") -> dict[str, Any]:
        """Return the job that the committed overlay builds to."""
        return job_of(self.built(environment))

    def reaches_pods(self, environment: str = "prod") -> list[JsonObject]:
        """Return what reaches the pods: the essence of the job, and the data of its ConfigMaps."""
        built = self.built(environment)
        maps = [body | {"metadata": {}} for body in built if body["kind"] == "ConfigMap"]
        return [essence(job_of(built)), *maps]

    def lock(self, environment: str = "prod") -> dict[str, Any]:
        """Return the lock."""
        file = f"{self.overlay(environment)}/run.lock"
        reading = read_document((self.root / file).read_bytes(), file)
        assert reading.document is not None
        return dict(reading.document.data)

    def run(self, environment: str = "prod") -> str:
        """Return the name of the run that Git declares."""
        name = str(self.job(environment)["metadata"]["name"])
        assert name == self.lock(environment)["run"]
        return name

    def holds_the_laws(self) -> bool:
        """Render, check and verify: what is committed is what would be rendered and is built."""
        for words in (("render", "--all", "--check"), ("verify",)):
            ran = self.genjob(*words)
            assert 0 == ran.exit_code, ran.stdout + ran.stderr
        return True
