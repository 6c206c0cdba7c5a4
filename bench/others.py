"""The objects of a workspace → how long other tools take to write or build the same ones."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.measure import Sample, medians, run, timed
from genjob.rendering import Selection, render
from genjob.workspace.loading import load
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from genjob.jsontypes import JsonObject

_RIVALS = Path(__file__).parent / "rivals"
_KUSTOMIZE_RUNS = 10


def objects_of(root: Path) -> list[JsonObject]:
    """Return the objects of every overlay of a workspace, as plain mappings."""
    rendering = render(load(root), Selection())
    bodies = [
        manifest.body
        for one in rendering.experiments
        for objects in one.overlays.values()
        for manifest in objects
    ]
    plain: list[JsonObject] = json.loads(json.dumps(bodies))
    return plain


def floors(objects: Sequence[JsonObject], folder: Path, tools: Path, runs: int) -> Iterator[Row]:
    """Yield what it takes to write the objects, unchecked, as JSON and then as YAML, to files."""
    writers: dict[str, Callable[[JsonObject], str]] = {
        "PyYAML's writer in C": lambda body: yaml.dump(body, Dumper=yaml.CSafeDumper),
        "genjob's own writer": to_yaml,
    }
    if installed("yaml-rs", tools):
        sys.path.append(str(tools / "yaml-rs"))
        writers["yaml-rs, the fastest that was found"] = importlib.import_module("yaml_rs").dumps
    for name, write in writers.items():
        samples = [timed(partial(_written, objects, folder, write)) for _ in range(runs)]
        yield f"json.dumps and {name}", medians(samples)


def _written(
    objects: Sequence[JsonObject], folder: Path, write: Callable[[JsonObject], str]
) -> None:
    folder.mkdir(exist_ok=True)
    for number, body in enumerate(objects):
        json.dumps(body)
        (folder / f"{number}.yaml").write_text(write(body), encoding="utf-8")


def kustomize(root: Path) -> Sample:
    """Return what one overlay takes in a process of its own."""
    overlays = sorted((root / "overlays/prod").iterdir())[:_KUSTOMIZE_RUNS]
    kubectl = str(Path(sys.executable).with_name("kubectl"))
    return medians([run([kubectl, "kustomize", str(overlay)], {}) for overlay in overlays])


def synthesised(
    objects: Sequence[JsonObject], folder: Path, tools: Path, runs: int
) -> Iterator[Row]:
    """Yield what cdk8s and KCL take for the PyTorchJobs alone, each in one process."""
    jobs = [body for body in objects if body["kind"] == "PyTorchJob"]
    folder.mkdir(exist_ok=True)
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    for package, script in (("cdk8s", "cdk8s_app.py"), ("kcl-lib", "kcl_app.py")):
        if not installed(package, tools):
            yield f"{package}: not served", None
            continue
        argv = [sys.executable, str(_RIVALS / script), str(folder / "jobs.json")]
        environ = {"PYTHONPATH": str(tools / package)}
        target = str(folder / package)
        yield package, medians([run([*argv, target], environ) for _ in range(runs)])


def installed(package: str, tools: Path) -> bool:
    """Return whether a package is in the folder of tools, after asking the registry for it."""
    target = tools / package
    if target.is_dir():
        return True
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), package]
    return subprocess.run(pip, check=False, capture_output=True).returncode == 0


if TYPE_CHECKING:
    Row = tuple[str, Sample | None]
