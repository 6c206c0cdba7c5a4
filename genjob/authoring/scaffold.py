"""A few words of a newcomer → the files of a workspace, or of an experiment, that work at once."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from genjob.authoring import editor
from genjob.authoring.outline import catalogue, described
from genjob.model.experiment import VERSION
from genjob.model.workspace import Paths
from genjob.workspace.loading import EXPERIMENT_FILE, SETTINGS_FILE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject

IMAGE: Final = "pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime"
HELLO: Final = "hello"

_REST: Final = "# What else can be said here; take the '# ' away to set it."
_GITATTRIBUTES: Final = "*.yaml text eol=lf\n*.json text eol=lf\n"

_TRAIN: Final = '''\
"""Add up the ranks of all processes: the smallest program that shows that they talk."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
total = torch.tensor([dist.get_rank() + 1])
dist.all_reduce(total)
print(f"rank {dist.get_rank()} of {dist.get_world_size()}: the sum is {int(total)}", flush=True)
dist.destroy_process_group()
'''

_HELLO: Final[JsonObject] = {
    "version": VERSION,
    "name": HELLO,
    "image": IMAGE,
    "script": "/opt/train/train.py",
    "nodes": 2,
    "network": {"backend": "gloo"},
    "resources": {"cpu": 1, "memory": "2Gi"},
    "storage": [{"name": "code", "mount_path": "/opt/train", "files": ["train.py"]}],
    "environments": {"dev": {"nodes": 1}, "prod": {}},
}


def workspace_files(paths: Paths | None = None) -> dict[str, str]:
    """Return path → text of a new workspace; paths are POSIX, from its root."""
    paths = paths or Paths()
    hello = f"{paths.experiments}/{HELLO}"
    files = {
        ".gitattributes": _GITATTRIBUTES,
        SETTINGS_FILE: _whole("workspace", SETTINGS_FILE, {"version": VERSION}),
        f"{hello}/{EXPERIMENT_FILE}": _short(f"{hello}/{EXPERIMENT_FILE}"),
        f"{hello}/train.py": _TRAIN,
    }
    for name in ("dev", "prod"):
        path = f"{paths.environments}/{name}.yaml"
        values: JsonObject = {"version": VERSION, "name": name, "namespace": f"ml-{name}"}
        files[path] = _whole("environment", path, values)
    return files | {f"schemas/{name}": text for name, text in editor.schemas().items()}


def experiment_text(
    name: str,
    *,
    path: str,
    environments: Sequence[str] = (),
    values: JsonObject | None = None,
) -> str:
    """Return the text of a new experiment, every field described; `path` is where it will be.

    `values` are set beside what every experiment needs. Raises UnwritableError for a text that no
    YAML holds.
    """
    all_values: JsonObject = {
        "version": VERSION,
        "name": name,
        "image": IMAGE,
        "script": "train.py",
        **(values or {}),
        "environments": {environment: {} for environment in environments},
    }
    return _whole("experiment", path, all_values)


def _whole(kind: str, path: str, values: JsonObject) -> str:
    schema = editor.schema(kind)
    lines = [reference(kind, path), *described(schema, values), "", _REST, ""]
    return "\n".join([*lines, *catalogue(schema, values)]) + "\n"


def _short(path: str) -> str:
    lines = described(editor.schema("experiment"), _HELLO)
    return "\n".join([reference("experiment", path), *lines]) + "\n"


def reference(kind: str, path: str) -> str:
    """Return the line that tells an editor which schema a file has."""
    up = "../" * (len(PurePosixPath(path).parts) - 1)
    return f"# yaml-language-server: $schema={up}schemas/{kind}.schema.json\n"
