"""This program → a copy that is a version newer: it renders all of it otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent.parent

RENDERS_OTHERWISE = """

_manifests = manifests


def manifests(job, kind="PyTorchJob"):
    found = _manifests(job, kind)
    body = found[0].body
    body["metadata"]["labels"]["genjob.dev/newer"] = "yes"
    body["spec"]["runPolicy"]["backoffLimit"] = 99
    roles = body["spec"]["pytorchReplicaSpecs"].values()
    for pod in {id(role["template"]): role["template"]["spec"] for role in roles}.values():
        pod["priorityClassName"] = "newer"
        for container in pod["containers"]:
            container.setdefault("env", []).insert(0, {"name": "NEWER", "value": "1"})
            container["image"] += "-newer"
    name = f"{job.experiment.name}-newer-00000000"
    made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": dict(found[0].body["metadata"])}
    made["metadata"]["name"] = name
    return [*found, type(found[0])("newer", made)]
"""
"""Appended to `genjob/manifests/__init__.py`."""

OTHER_DEFAULT = (
    'default="none",\n        description="One pod per machine',
    'default="required",\n        description="One pod per machine',
)
"""A default of `genjob/model/scheduling.py` → what the experiment of the tests had written."""


class NewerTool:
    """A newer version of the program, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        for name in ("genjob", "schemas"):
            shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc"))
        with (folder / "genjob/manifests/__init__.py").open("a", encoding="utf-8") as module:
            module.write(RENDERS_OTHERWISE)
        model = folder / "genjob/model/scheduling.py"
        text = model.read_text(encoding="utf-8")
        assert OTHER_DEFAULT[0] in text
        model.write_text(text.replace(*OTHER_DEFAULT), encoding="utf-8")
        self.folder = folder

    def __call__(self, *words: str | Path) -> str:
        """Run a command, which succeeds; return what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "genjob", *words],
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert 0 == done.returncode, done.stdout + done.stderr
        return done.stdout
