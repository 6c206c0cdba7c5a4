"""What a cluster says of objects stands where a person wrote it; tests/cluster asks a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.cluster import ACCEPTED, Verdict
from genjob.diagnostics import Severity
from genjob.dryrun import check_in_cluster
from genjob.rendering import Selection, render
from genjob.workspace.loading import load

if TYPE_CHECKING:
    from genjob.diagnostics import Diagnostic
    from tests.conftest import MakesWorkspace, RunsCommand

EXPERIMENT = """\
version: genjob/v1
name: train
image: registry.example.com/train:1.0
script: train.py
nodes: 3
env: {LR: 1e-4}
sidecars:
  - {name: log, image: "log:1"}
storage: [{name: out, mount_path: /out, pvc: {size: 1Gi}}]
environments: {dev: {nodes: 5}}
"""
ENVIRONMENT = "version: genjob/v1\nname: dev\nnamespace: ml-dev\n"
FILES = {
    "experiments/train/experiment.yaml": EXPERIMENT,
    "environments/dev.yaml": ENVIRONMENT,
}
JOB = "kind: PyTorchJob"


def found(repo: MakesWorkspace, of: str, said: Verdict) -> list[Diagnostic]:
    """Return the findings when a cluster says this of the objects with a word in them."""
    loaded = load(repo(FILES))
    rendering = render(loaded, Selection())
    assert [] == rendering.diagnostics
    return check_in_cluster(
        loaded, rendering.experiments, lambda text: said if of in text else ACCEPTED
    )


POD = "spec.pytorchReplicaSpecs.Worker.template.spec"
REFUSALS = {
    "denied the request: spec.pytorchReplicaSpecs[Worker].replicas: Forbidden: at most 3": "10:29",
    f'(ml-dev/train; kubeflow.org/v1): .{POD}.initContainers[name="log"].image: expected': "8:24",
    f"{POD}.containers[0].env[0].value: Invalid value": "6:11",
    f"{POD}.containers[9].image: Required value": "2:7",
    "exceeded quota: gpus, requested: nvidia.com/gpu=8": "2:7",
}
"""What the API server or a webhook says → line and column of the experiment."""


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refusal_is_shown_at_the_field_that_it_names(repo: MakesWorkspace, refusal: str) -> None:
    (error,) = found(repo, JOB, Verdict(refusal, ()))
    where = error.location

    assert "experiments/train/experiment.yaml" == where.file
    assert REFUSALS[refusal] == f"{where.line}:{where.column}"
    assert error.message.startswith("the cluster refuses PyTorchJob 'ml-dev/train-")
    assert error.message.endswith(f": {refusal}")
    assert (error.code, error.severity) == ("GJ860", Severity.ERROR)


def test_each_warning_is_one_finding(repo: MakesWorkspace) -> None:
    warnings = found(repo, "PersistentVolumeClaim", Verdict("", ("spec.resources: odd", "old")))

    assert {("GJ861", Severity.WARNING)} == {(each.code, each.severity) for each in warnings}
    assert ["spec.resources: odd", "old"] == [each.message.split(": ", 1)[1] for each in warnings]
    assert [9, 9] == [each.location.line for each in warnings]


def test_a_kind_that_the_cluster_does_not_know_has_a_hint(repo: MakesWorkspace) -> None:
    refusal = 'resource mapping not found for name: "train": no matches for kind "PyTorchJob"'
    (error,) = found(repo, JOB, Verdict(refusal, ()))

    assert "install what defines this kind" == error.hint


def test_a_missing_namespace_is_told_once_at_the_environment(repo: MakesWorkspace) -> None:
    (error,) = found(repo, "kind:", Verdict('namespaces "ml-dev" not found', ()))

    assert ("environments/dev.yaml", 3) == (error.location.file, error.location.line)
    assert "make the namespace" in error.hint


def test_objects_are_asked_for_one_by_one_only_where_there_is_something_to_say(
    repo: MakesWorkspace,
) -> None:
    loaded = load(repo(FILES))
    asked: list[str] = []

    def ask(text: str) -> Verdict:
        asked.append(text)
        return ACCEPTED

    assert [] == check_in_cluster(loaded, render(loaded, Selection()).experiments, ask)
    assert [2] == [text.count("\nkind: ") for text in asked]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--context", "prod"), "--context says which cluster --server asks"),
        (("--server",), "--server asks one cluster: say --env, for those in it (dev, prod)"),
    ],
)
def test_the_wrong_cluster_is_not_asked_by_accident(
    repo: MakesWorkspace, run_cli: RunsCommand, words: tuple[str, ...], said: str
) -> None:
    prod = ENVIRONMENT.replace("dev", "prod")
    ran = run_cli("validate", *words, "-C", repo(FILES | {"environments/prod.yaml": prod}))

    assert ran.exit_code == 2
    assert said in ran.stderr


def test_without_a_cluster_there_is_one_line(
    repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo(FILES)
    monkeypatch.setenv("KUBECONFIG", str(root / "none"))
    ran = run_cli("validate", "--server", "-C", root)

    assert ran.exit_code == 3
    assert ran.stderr.startswith("genjob: kubectl cannot ask the cluster: ")
    assert ran.stderr.count("\n") == 1


def test_what_we_refuse_the_cluster_is_not_asked(
    repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = EXPERIMENT.replace("script: train.py", "skript: train.py")
    root = repo(FILES | {"experiments/train/experiment.yaml": wrong})
    monkeypatch.setenv("KUBECONFIG", str(root / "none"))

    assert run_cli("validate", "--server", "-C", root).exit_code == 1
