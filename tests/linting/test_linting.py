"""Manifests by anybody: each mistake is found where it was written, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from genjob.crd.library import SchemaSet
from genjob.foreign.reading import read_manifests
from genjob.linting.conditions import Conditions, newest
from genjob.linting.linting import Linting, lint
from genjob.model.environment import Environment

JOB = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: llama}
spec:
  runPolicy: {cleanPodPolicy: Running, backoffLimit: 3}
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: OnFailure
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example.com/train:1.0
            command: [torchrun, train.py]
            env: [{name: A, value: b}]
"""
ENV = "env: [{name: A, value: b}]"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {NCCL_DEBUG: loud}\n"
FROM = "envFrom: [{configMapRef: {name: settings}}]"


def linted(**files: str) -> Linting:
    """Lint files of a folder, by the stems of their names."""
    read = [
        read_manifests(text.encode(), f"jobs/{name}.yaml", command="genjob lint -")
        for name, text in files.items()
    ]
    return lint(read, Conditions(newest(SchemaSet())))


def found(**files: str) -> list[str]:
    return places(linted(**files))


def places(linting: Linting) -> list[str]:
    return [
        f"{each.code} {Path(each.location.file).stem}:{each.location.line}:{each.location.column}"
        for each in linting.diagnostics
    ]


def test_a_sound_job_has_no_findings() -> None:
    assert [] == found(a=JOB)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("replicas: 1", "replica: 1", ["GJ620 a:7:5", "GJ601 a:8:7"]),
        ("Master", "Mastre", ["GJ615 a:7:5"]),
        ("name: llama", "name: Llama", ["GJ610 a:3:18"]),
        (ENV, "env: [{name: NCCL_IB_DISABEL, value: 1}]", ["GJ202 a:16:26", "GJ602 a:16:50"]),
        (ENV, "env: [{name: NCCL_DEBUG, value: yes}]", ["GJ602 a:16:45"]),
        (ENV, "env:", ["GJ602 a:16:13"]),
        (ENV, "volumes: []", ["GJ601 a:16:13"]),
        ("cleanPodPolicy: Running, ", "", []),
        ("v1\n", "v1beta2\n", ["GJ802 a:1:13"]),
        ("PyTorchJob", "PytorchJob", ["GJ805 a:2:7"]),
        ("train:1.0", "${TAG}", ["GJ801 a:14:20"]),
        ("replicas: 1", "replicas: ${N}", ["GJ801 a:8:17"]),
    ],
)
def test_each_mistake_is_found_once_where_it_stands(
    old: str, new: str, expected: list[str]
) -> None:
    assert sorted(expected) == sorted(found(a=JOB.replace(old, new)))


def test_a_mistake_behind_an_alias_is_found_once_where_it_was_written() -> None:
    role = JOB.partition("    Master:")[2]
    text = f"{JOB.partition('    Master:')[0]}    Master: &role{role}    Worker: *role\n"

    assert ["GJ202 a:16:26"] == found(
        a=text.replace(ENV, "env: [{name: NCCL_IB_DISABEL, value: a}]")
    )


def test_the_list_shaped_version_has_one_finding() -> None:
    old = "apiVersion: kubeflow.org/v1alpha1\nkind: PyTorchJob\nmetadata: {name: a}\nspec:\n"

    assert ["GJ802 a:1:13"] == found(a=f"{old}  backend: tcp\n  replicaSpecs: [{{replicas: 1}}]\n")


def test_the_output_of_kubectl_has_the_findings_of_what_was_applied() -> None:
    live = JOB.replace("{name: llama}", "{name: llama, uid: x, creationTimestamp: 2026-01-01}")
    listed = "apiVersion: v1\nkind: List\nitems:\n- " + live.replace("\n", "\n  ").rstrip() + "\n"

    assert [] == found(a=f"{listed}  status: {{conditions: [x], clusterName: y}}\n")


def test_a_config_map_is_checked_as_the_variables_of_a_job_that_reads_it() -> None:
    job = JOB.replace(ENV, FROM)

    assert [] == found(a=CONFIG)
    assert ["GJ205 a:21:20"] == found(a=f"{job}---\n{CONFIG}")
    assert ["GJ205 b:4:20"] == found(a=job, b=CONFIG)


def test_two_objects_of_one_name_collide_in_a_file_and_not_in_a_folder() -> None:
    assert ["GJ657 a:20:18"] == found(a=f"{JOB}---\n{JOB}")
    assert [] == found(a=JOB, b=JOB)


def test_a_job_inside_another_object_is_checked_there() -> None:
    inner = JOB.replace("{name: llama}", "{}").replace(ENV, "volumes: []").replace("\n", "\n    ")
    shell = "kind: AppWrapper\napiVersion: x/v1\nmetadata: {name: w}\nspec:\n  template:\n    "
    linting = linted(a=shell + inner)

    assert ["GJ601 a:21:17", "GJ804 a:5:3"] == sorted(places(linting))
    assert {"PyTorchJob": 1} == linting.checked


def test_the_placeholders_of_katib_are_filled_in_by_katib() -> None:
    inner = JOB.replace("replicas: 1", "replicas: ${trialParameters.n}").replace("\n", "\n    ")
    shell = "kind: Experiment\napiVersion: kubeflow.org/v1beta1\nmetadata: {name: w}\nspec:\n"

    assert ["GJ804 a:5:3"] == found(a=f"{shell}  trialSpec:\n    {inner}")


def test_other_kinds_are_counted() -> None:
    linting = linted(a=f"{JOB}---\napiVersion: v1\nkind: Service\n---\n- a\n", b=CONFIG)

    assert ({"PyTorchJob": 1, "ConfigMap": 1}, 2) == (linting.checked, linting.others)


@pytest.mark.parametrize("version", ["[v1]", "{}", "1", "null"])
def test_an_api_version_that_is_no_text_is_that_of_another_object(version: str) -> None:
    assert 1 == linted(a=f"apiVersion: {version}\nkind: ConfigMap\n").others


PROD = Environment.model_validate(
    {
        "version": "genjob/v1",
        "name": "prod",
        "namespace": "ml",
        "node_pools": [
            {"name": "a", "instance_type": "p5.48xlarge"},
            {"name": "b", "node_selector": {"pool": "b"}, "fabric": "infiniband"},
            {"name": "c", "node_selector": {"pool": "c"}},
        ],
    }
)


@pytest.mark.parametrize(
    ("selector", "fabric"),
    [
        ("node.kubernetes.io/instance-type: p5.48xlarge", "aws-efa"),
        ("pool: b, zone: x", "infiniband"),
        ("pool: c", None),
        ("zone: x", None),
    ],
)
def test_the_fabric_is_that_of_the_pool_whose_labels_a_pod_asks_for(
    selector: str, fabric: str | None
) -> None:
    spec = f"spec:\n          nodeSelector: {{{selector}}}\n          containers:"
    text = JOB.replace("spec:\n          containers:", spec)
    (job,) = read_manifests(text.encode(), "a.yaml", command="").objects
    conditions = Conditions(PROD.target, environment=PROD)

    assert fabric == conditions.fabric([job.body])
    assert Conditions(PROD.target).fabric([job.body]) is None
