"""The commands of genjob that talk to a cluster, in front of a real one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from genjob.rules.walk import as_object, as_str, get
from tests.cluster.api import eventually
from tests.cluster.overlays import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.jsontypes import JsonObject
    from tests.cluster.api import Cluster
    from tests.conftest import MakesWorkspace, RunsCommand

EXPERIMENT = """\
version: genjob/v1
name: train
image: registry.example.com/train:1.0
script: train.py
sidecars:
  - name: log
    image: registry.example.com/log:1
    env: [{name: LEVEL, value: a}, {name: LEVEL, value: b}]
storage: [{name: out, mount_path: /out, pvc: {size: 1Gi, storage_class: fast}}]
environments: {dev: {}}
"""
ONCE = EXPERIMENT.replace(", {name: LEVEL, value: b}", "")
ENVIRONMENT = "version: genjob/v1\nname: dev\nnamespace: commands\nstorage_classes: {fast: fast}\n"
FILE = "experiments/train/experiment.yaml"
VENDORED = "schemas/kubeflow.org/pytorchjob-rig.json"
OURS = "schemas/kubeflow.org/pytorchjob-1.9.json"


@pytest.fixture(autouse=True)
def _reachable(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig))


def workspace(repo: MakesWorkspace, experiment: str, namespace: str = "commands") -> Path:
    """Return a workspace with one experiment, in an environment of this namespace."""
    environment = ENVIRONMENT.replace("commands", namespace)
    return repo({FILE: experiment, "environments/dev.yaml": environment})


def test_the_cluster_accepts_the_workspace_of_this_repository(
    cluster: Cluster, run_cli: RunsCommand
) -> None:
    for namespace in ("ml-dev", "ml-staging", "ml-prod"):
        cluster.new_namespace(namespace)
    environments = [word for name in ("dev", "staging", "prod") for word in ("--env", name)]
    ran = run_cli("validate", "--server", *environments, "-C", CHECKOUT)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert ran.stdout.startswith("10 experiments, ")
    assert "; the cluster accepts " in ran.stdout


def test_what_only_the_cluster_refuses_is_shown_where_it_was_written(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    cluster.new_namespace("commands")
    ran = run_cli("validate", "--server", "-C", workspace(repo, EXPERIMENT))

    assert ran.exit_code == 1
    assert f"{FILE}:8:10: error: the cluster refuses PyTorchJob 'commands/train" in ran.stderr
    assert "duplicate entries for key" in ran.stderr
    assert "[GJ860]" in ran.stderr


def test_nothing_is_stored(cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    cluster.new_namespace("dry")
    ran = run_cli("validate", "--server", "-C", workspace(repo, ONCE, "dry"))

    assert (0, "1 experiment, no findings; the cluster accepts 2 objects\n") == (
        ran.exit_code,
        ran.stdout,
    )
    assert [] == cluster.items("kubeflow.org/v1/PyTorchJob", "dry")
    assert [] == cluster.items("v1/PersistentVolumeClaim", "dry")


def test_a_namespace_that_is_not_there_is_shown_in_the_environment(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    ran = run_cli("validate", "--server", "-C", workspace(repo, ONCE, "nowhere"))

    assert ran.exit_code == 1
    assert (
        "environments/dev.yaml:3:12: error: the cluster refuses it: "
        'namespaces "nowhere" not found [GJ860]\n'
    ) in ran.stderr
    assert ran.stderr.count("[GJ860]") == 1


def test_a_claim_that_exists_otherwise_is_found_before_the_engine_stumbles(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    cluster.new_namespace("claimed")
    cluster.provide(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": "train-out", "namespace": "claimed"},
            "spec": {
                "accessModes": ["ReadWriteMany"],
                "storageClassName": "slow",
                "resources": {"requests": {"storage": "1Gi"}},
            },
        }
    )
    ran = run_cli("validate", "--server", "-C", workspace(repo, ONCE, "claimed"))

    assert ran.exit_code == 1
    assert "the cluster refuses PersistentVolumeClaim 'claimed/train-out'" in ran.stderr
    assert f"{FILE}:9:" in ran.stderr


def policy(name: str, action: str) -> list[JsonObject]:
    """Return an admission policy of a platform team: jobs of one namespace have a queue."""
    kind = "ValidatingAdmissionPolicy"
    api_version = "admissionregistration.k8s.io/v1"
    rule: JsonObject = {
        "apiGroups": ["kubeflow.org"],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["pytorchjobs"],
    }
    spec: JsonObject = {
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}},
            "resourceRules": [rule],
        },
        "validations": [{"expression": "'queue' in object.metadata.labels", "message": "no queue"}],
    }
    binding: JsonObject = {"policyName": name, "validationActions": [action]}
    return [
        {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec},
        {
            "apiVersion": api_version,
            "kind": f"{kind}Binding",
            "metadata": {"name": name},
            "spec": binding,
        },
    ]


SAID = {"Deny": (1, "error", "GJ860"), "Warn": (0, "warning", "GJ861")}
"""What the policy does → exit code, severity and code of our finding."""


@pytest.mark.parametrize("action", SAID)
def test_a_policy_of_the_cluster_itself_is_asked(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand, action: str
) -> None:
    exit_code, severity, code = SAID[action]
    name = cluster.new_namespace(f"policy-{action.lower()}")
    for body in policy(name, action):
        cluster.provide(body)
    root = workspace(repo, ONCE, name)

    ran = eventually(
        lambda: run_cli("validate", "--server", "-C", root),
        lambda found: code in found.stderr,  # the server needs a moment to take it up
    )

    assert exit_code == ran.exit_code
    assert f"{FILE}:2:7: {severity}: the cluster " in ran.stderr
    assert f"no queue [{code}]" in ran.stderr


def test_a_user_without_rights_gets_one_line(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.new_namespace("commands")
    monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig.with_name("operator.kubeconfig")))
    ran = run_cli("validate", "--server", "-C", workspace(repo, ONCE))

    assert ran.exit_code == 3
    assert ran.stderr.startswith("genjob: kubectl cannot ask the cluster: ")
    assert "cannot patch resource" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_context_is_chosen_by_its_name(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    cluster.new_namespace("commands")
    root = workspace(repo, ONCE)

    assert run_cli("validate", "--server", "--context", "rig", "-C", root).exit_code == 0
    other = run_cli("validate", "--server", "--context", "none", "-C", root)
    assert (3, "") == (other.exit_code, other.stdout)
    assert 'context "none" does not exist' in other.stderr


def test_a_crd_vendored_from_the_cluster_has_the_fields_that_we_know(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = workspace(repo, ONCE)
    ran = run_cli("schema", "vendor", "--from-cluster", "--label", "rig", "-C", root)
    schemas = [read(file) for file in (root / VENDORED, CHECKOUT / OURS)]
    made, ours = ({*fields(schema, schema)} for schema in schemas)

    assert (0, "") == (ran.exit_code, ran.stderr)
    assert made == ours
    assert len(ours) > 1000


def read(file: Path) -> JsonObject:
    """Return a schema."""
    schema: JsonObject = json.loads(file.read_text("utf-8"))
    return schema


def fields(schema: JsonObject, whole: JsonObject, at: str = "") -> Iterator[str]:
    """Yield the path of every field that a schema knows."""
    while reference := as_str(schema.get("$ref")):
        schema = as_object(get(whole, "$defs", reference.rpartition("/")[2]))
    for name, field in as_object(schema.get("properties")).items():
        yield f"{at}.{name}"
        yield from fields(as_object(field), whole, f"{at}.{name}")
    for each in ("items", "additionalProperties"):
        if below := as_object(schema.get(each)):
            yield from fields(below, whole, f"{at}[]")


def test_an_environment_that_names_the_vendored_schema_is_checked_by_it(
    cluster: Cluster, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    cluster.new_namespace("commands")
    root = workspace(repo, ONCE)
    run_cli("schema", "vendor", "--from-cluster", "--label", "rig", "-C", root)
    with (root / "environments/dev.yaml").open("a", encoding="utf-8") as file:
        file.write("target: {training_operator: rig}\n")

    assert run_cli("validate", "--server", "-C", root).exit_code == 0
