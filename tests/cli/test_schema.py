"""`genjob schema` prints the schemas of our files and vendors CRDs into the workspace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from genjob.authoring import editor
from genjob.crd.strict import vendor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

CRD = """\
kind: CustomResourceDefinition
spec:
  group: kubeflow.org
  names: {kind: PyTorchJob}
  versions:
  - name: v1
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {nprocPerNode: {type: string}}}
"""
OTHER = CRD.replace("kubeflow.org", "batch.example.com").replace("PyTorchJob", "Train")


@pytest.fixture
def workspace(repo: MakesWorkspace) -> Path:
    """Give a workspace that has a CRD in a file."""
    return repo({"crd.yaml": CRD, "other.yaml": OTHER})


@pytest.mark.parametrize("kind", editor.KINDS)
def test_show_prints_the_file_that_an_editor_reads(kind: str, run_cli: RunsCommand) -> None:
    ran = run_cli("schema", "show", kind)

    assert (0, editor.schemas()[f"{kind}.schema.json"]) == (ran.exit_code, ran.stdout)


def test_vendor_keeps_a_strict_schema_under_its_label(
    workspace: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli("schema", "vendor", workspace / "crd.yaml", "--label", "1.10", "-C", workspace)
    path = "schemas/kubeflow.org/pytorchjob-1.10.json"
    use = 'an environment uses it with: target: {training_operator: "1.10"}'

    assert (0, f"created {path}\n{use}\n") == (ran.exit_code, ran.stdout)
    assert vendor(CRD, "1.10")[0][1].encode() == (workspace / path).read_bytes()


def test_a_vendored_operator_can_be_the_target_of_an_environment(
    workspace: Path, run_cli: RunsCommand
) -> None:
    run_cli("schema", "vendor", workspace / "crd.yaml", "-C", workspace)
    environment = (
        "version: genjob/v1\nname: dev\nnamespace: ml\ntarget: {training_operator: local}\n"
    )
    (workspace / "environments/dev.yaml").write_text(environment, encoding="utf-8")

    assert run_cli("validate", "-C", workspace).exit_code == 0


def test_vendor_again_says_what_it_did(workspace: Path, run_cli: RunsCommand) -> None:
    vendored = ("schema", "vendor", workspace / "other.yaml", "-C", workspace)
    path = "schemas/batch.example.com/train-local.json"
    said = [run_cli(*vendored).stdout, run_cli(*vendored).stdout]
    (workspace / "other.yaml").write_text(OTHER.replace("string", "integer"), encoding="utf-8")
    said.append(run_cli(*vendored).stdout)

    assert [f"created {path}\n", f"unchanged {path}\n", f"rewrote {path}\n"] == said


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"kind: PyTorchJob\n", "found no CustomResourceDefinition, expected one or more"),
        (b"a: [\n", "the text is not YAML"),
        (b"\xff\xfe", "the file is not UTF-8"),
    ],
)
def test_a_file_without_a_usable_crd_is_refused(
    workspace: Path, run_cli: RunsCommand, content: bytes, message: str
) -> None:
    (workspace / "crd.yaml").write_bytes(content)
    ran = run_cli("schema", "vendor", workspace / "crd.yaml", "-C", workspace)

    assert ran.exit_code == 1
    assert ran.stderr.startswith(f"Error: {workspace / 'crd.yaml'}: {message}")
    assert not (workspace / "schemas").exists()


@pytest.mark.parametrize("words", [(), ("crd.yaml", "--from-cluster")])
def test_a_crd_comes_from_a_file_or_from_the_cluster(
    workspace: Path, run_cli: RunsCommand, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    ran = run_cli("schema", "vendor", *words)

    assert ran.exit_code == 2
    assert "say either FILE or --from-cluster" in ran.stderr


def test_a_crd_of_the_cluster_comes_through_kubectl(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace / "bin"
    folder.mkdir()
    reads = f"print(open({str(workspace / 'crd.yaml')!r}).read())"
    (folder / "kubectl").write_text(f"#!{sys.executable}\n{reads}\n", encoding="utf-8")
    (folder / "kubectl").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    ran = run_cli("schema", "vendor", "--from-cluster", "-C", workspace)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert (workspace / "schemas/kubeflow.org/pytorchjob-local.json").is_file()


def test_without_a_cluster_there_is_one_line_of_advice(
    workspace: Path, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(workspace / "none"))
    ran = run_cli("schema", "vendor", "--from-cluster", "-C", workspace)

    assert ran.exit_code == 3
    assert ran.stderr.startswith("genjob: kubectl cannot read the CRD 'pytorchjobs.kubeflow.org': ")
    assert ran.stderr.count("\n") == 1


def test_what_the_disk_refuses_is_a_finding(workspace: Path, run_cli: RunsCommand) -> None:
    (workspace / "schemas").write_text("mine", encoding="utf-8")
    ran = run_cli("schema", "vendor", workspace / "crd.yaml", "-C", workspace)

    assert ran.exit_code == 1
    assert "cannot write 'schemas/kubeflow.org/pytorchjob-local.json'" in ran.stderr
