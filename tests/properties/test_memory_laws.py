"""What is remembered changes nothing but the time: same words, same exit code, same bytes."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genjob.cli.main import main
from genjob.memory.folder import VARIABLE
from tests.tree_on_disk import everything

if TYPE_CHECKING:
    from collections.abc import Callable

    Edit = Callable[[Path], None]

EXPERIMENT = """\
version: genjob/v1
name: {name}
image: registry.example.com/train:1
script: train.py
resources: {{gpus_per_node: 8, accelerator: a100}}
env: {{LR: 1e-4}}
storage:
  - {{name: out, mount_path: /out, pvc: {{size: 10Gi}}}}
environments: {{dev: {{nodes: 2}}, prod: {{}}}}
"""
ENVIRONMENT = """\
version: genjob/v1
name: {name}
namespace: ml-{name}
node_pools: [{{name: a100, accelerator: a100, gpus_per_node: 8, cpu: 90, memory: 900Gi, nodes: 4}}]
"""
QUEUE = """\
queues: {{train: {{local_queue: train, gpus: {gpus}}}}}
defaults: {{scheduling: {{queue: train}}}}
"""
SNAPSHOT = """\
version: genjob/v1
name: dev
kubernetes: "1.31"
node_labels: [pool]
nodes:
  - count: {count}
    labels: {{pool: a100}}
    allocatable: {{nvidia.com/gpu: "8", cpu: "90", memory: 900Gi}}
storage_classes: {{}}
"""
FIRST = {
    "genjob.yaml": "version: genjob/v1\n",
    "experiments/a/experiment.yaml": EXPERIMENT.format(name="a"),
    "experiments/b/experiment.yaml": EXPERIMENT.format(name="b"),
    "environments/dev.yaml": ENVIRONMENT.format(name="dev"),
    "environments/prod.yaml": ENVIRONMENT.format(name="prod"),
}


def _replaced(path: str, old: str, new: str) -> Edit:
    def edit(root: Path) -> None:
        if (root / path).is_file():
            text = (root / path).read_text("utf-8")
            (root / path).write_text(text.replace(old, new), "utf-8")

    return edit


def _written(path: str, text: str) -> Edit:
    def edit(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")

    return edit


def _removed(path: str) -> Edit:
    def edit(root: Path) -> None:
        for found in root.glob(path):
            found.unlink()

    return edit


DEV = FIRST["environments/dev.yaml"]
COUNTED = DEV.replace("nodes: 4", "node_selector: {pool: a100}")
A, B = "experiments/a/experiment.yaml", "experiments/b/experiment.yaml"
EDITS: dict[str, Edit] = {
    "another value": _replaced(A, "LR: 1e-4", "LR: 3e-4"),
    "the value as before": _replaced(A, "LR: 3e-4", "LR: 1e-4"),
    "a misspelled variable": _replaced(A, "env: {", "env: {NCCL_DEBUGG: INFO, "),
    "no misspelled variable": _replaced(A, "NCCL_DEBUGG: INFO, ", ""),
    "an unknown key": _replaced(B, "image:", "imag:"),
    "a known key": _replaced(B, "imag:", "image:"),
    "broken YAML": _replaced(B, "script: train.py", "script: [train.py"),
    "sound YAML": _replaced(B, "script: [train.py", "script: train.py"),
    "a smaller pool": _replaced("environments/dev.yaml", "nodes: 4", "nodes: 1"),
    "a larger pool": _replaced("environments/dev.yaml", "nodes: 1", "nodes: 4"),
    "another priority": _replaced(
        "environments/prod.yaml", "version:", "defaults: {env: {SITE: x}}\nversion:"
    ),
    "an unknown claim": _replaced(A, "pvc: {size: 10Gi}", "pvc: {claim: b-out}"),
    "a claim that it makes": _replaced(A, "pvc: {claim: b-out}", "pvc: {size: 10Gi}"),
    "a third experiment": _written("experiments/c/experiment.yaml", EXPERIMENT.format(name="c")),
    "no third experiment": _removed("experiments/c/experiment.yaml"),
    "the wrong suffix": _written("experiments/a/experiment.yml", "version: genjob/v1\n"),
    "no wrong suffix": _removed("experiments/a/experiment.yml"),
    "a queue for two": _written("environments/dev.yaml", DEV + QUEUE.format(gpus=32)),
    "a queue for one": _written("environments/dev.yaml", DEV + QUEUE.format(gpus=16)),
    "a queue for none": _written("environments/dev.yaml", DEV + QUEUE.format(gpus=8)),
    "no queue": _written("environments/dev.yaml", DEV),
    "a pool that a snapshot knows": _written("environments/dev.yaml", COUNTED),
    "a snapshot": _written("environments/dev.snapshot.yaml", SNAPSHOT.format(count=4)),
    "a snapshot of less": _written("environments/dev.snapshot.yaml", SNAPSHOT.format(count=1)),
    "a broken snapshot": _written("environments/dev.snapshot.yaml", "name: [dev\n"),
    "no snapshot": _removed("environments/dev.snapshot.yaml"),
    "a snapshot of nothing": _written("environments/x.snapshot.yaml", "name: x\n"),
    "no snapshot of nothing": _removed("environments/x.snapshot.yaml"),
    "no second experiment": _removed(B),
    "the second experiment": _written(B, FIRST[B]),
    "an engine": _written("genjob.yaml", "version: genjob/v1\ngitops: {engine: none}\n"),
    "other folders": _written("genjob.yaml", "version: genjob/v1\npaths: {overlays: o}\n"),
    "the usual folders": _written("genjob.yaml", "version: genjob/v1\n"),
    "a rendered file by hand": _replaced("overlays/dev/a/patch.yaml", "value:", "value: 1 #"),
    "a rendered file less": _removed("bases/a/pytorchjob.yaml"),
    "a lock less": _removed("overlays/prod/b/run.lock"),
    "a foreign file": _written("overlays/dev/a/notes.yaml", "hello: x\n"),
    "a broken environment": _replaced("environments/prod.yaml", "namespace:", "namespaces:"),
    "a sound environment": _replaced("environments/prod.yaml", "namespaces:", "namespace:"),
}
COMMANDS = (
    ("validate",),
    ("validate", "--verbose", "--strict"),
    ("validate", "a", "--env", "dev"),
    ("validate", "--format", "json"),
    ("render", "--all"),
    ("render", "--all", "--check"),
    ("render", "--env", "dev"),
    ("render", "--all", "a"),
    ("render", "--all", "--rerun", "a"),
    ("render", "--all", "--check", "--rerun", "a"),
)
STEPS = st.tuples(st.sampled_from([*EDITS, "nothing"]), st.sampled_from(COMMANDS))


def told(root: Path, words: tuple[str, ...], memory: Path | None) -> tuple[object, str, str]:
    """Return the exit code of a command and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch("sys.argv", ["genjob", *words, "-C", str(root)]),
        mock.patch.dict(os.environ, {VARIABLE: str(memory or "")}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    return ended.value.code, out.getvalue(), err.getvalue()


def _nothing(_: Path) -> None:
    """Change nothing."""


@settings(max_examples=20)
@given(st.lists(STEPS, min_size=2, max_size=7))
def test_a_run_that_remembers_says_and_writes_what_one_says_that_does_not(
    steps: list[tuple[str, tuple[str, ...]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain, remembering, memory = (Path(folder, name) for name in ("p", "r", "m"))
        for root in (plain, remembering):
            for path, text in FIRST.items():
                _written(path, text)(root)
            told(root, ("render", "--all"), memory if root is remembering else None)
        for edit, words in steps:
            for root in (plain, remembering):
                EDITS.get(edit, _nothing)(root)

            assert told(plain, words, None) == told(remembering, words, memory)
            assert everything(plain) == everything(remembering)
