"""Findings on rendered objects point into the files that people write, each mistake once."""

from __future__ import annotations

import pytest

from genjob.checks import check
from genjob.crd.library import SchemaSet
from genjob.manifests import manifests
from tests.written import job

SPREAD = "topology_spread: [{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]"
EX, EN = "experiments/a/experiment.yaml", "environments/prod.yaml"


def places(experiment: str, prod: str | None = "") -> list[str]:
    """Return code and place of each finding of an experiment in an environment."""
    found = job(experiment, prod)
    return [
        f"{each.code} {each.location.file}:{each.location.line}:{each.location.column}"
        for each in check(found, manifests(found), SchemaSet())
    ]


@pytest.mark.parametrize(
    ("experiment", "prod", "expected"),
    [
        ("pod_overrides: {hostPid: true}\n", "", [f"GJ601 {EX}:5:17"]),
        ("nodes: 3\npod_overrides: {hostPid: true}\n", "", [f"GJ601 {EX}:6:17"]),
        (
            "nodes: 3\nmaster: {pod_overrides: {hostPid: true}}\n",
            "",
            [f"GJ601 {EX}:6:26"],
        ),
        (
            "environments: {prod: {pod_overrides: {hostPid: true}}}\n",
            "",
            [f"GJ601 {EX}:5:39"],
        ),
        ("", "defaults: {pod_overrides: {hostPid: true}}\n", [f"GJ601 {EN}:4:28"]),
        ("", "labels: {a b: c}\n", [f"GJ651 {EN}:4:10"]),
        (
            "",
            "node_pools: [{name: cpu, tolerations: [{key: a, operators: Exists}]}]\n",
            [f"GJ601 {EN}:4:49"],
        ),
        ("", "node_pools: [{name: cpu, env: {A=B: c}}]\n", [f"GJ670 {EN}:4:32"]),
        ("", "node_pools: [{name: cpu, node_selector: {a b: c}}]\n", [f"GJ550 {EN}:4:42"]),
        ("sidecars: [{name: Log, image: log:1}]\n", "", [f"GJ660 {EX}:5:19"]),
        (f"scheduling: {{{SPREAD}}}\n", "", [f"GJ556 {EX}:5:42"]),
        ("scheduling: {node_labels: {a b: [c]}}\n", "", [f"GJ563 {EX}:5:28"]),
        ("scheduling: {avoid_nodes: [a b]}\n", None, []),
        ("labels: {a b: c}\nconfig: {A: a}\n", "", [f"GJ651 {EX}:5:10"]),
        ("config: {a b: c}\n", "", [f"GJ490 {EX}:5:10"]),
        ("env: {NCCL_IB_DISABEL: 1}\n", "", [f"GJ202 {EX}:5:7"]),
        ("nodes: 2\nenv: {NCCL_IB_DISABLE: true}\n", "", [f"GJ203 {EX}:6:24"]),
        ("config: {NCCL_IB_DISABEL: 1}\n", "", [f"GJ202 {EX}:5:10"]),
        ("config: {NCCL_DEBUG: loud}\n", None, [f"GJ205 {EX}:5:22"]),
        ("", "node_pools: [{name: cpu, env: {NCCL_DEBUG: loud}}]\n", [f"GJ205 {EN}:4:44"]),
        ("nodes: 2\nmaster: {env: {NCCL_DEBUG: loud}}\n", "", [f"GJ205 {EX}:6:28"]),
        ("nccl: {debug: WARN}\nenv: {NCCL_DEBUG: warn}\n", "", [f"GJ201 {EX}:6:7"]),
        ("nccl: {debug: WARN}\nconfig: {NCCL_DEBUG: WARN}\n", "", [f"GJ201 {EX}:6:10"]),
        ("nodes: 2\nnccl: {tree_threshold: 0}\n", "", []),
    ],
)
def test_a_finding_points_at_what_a_person_wrote(
    experiment: str, prod: str | None, expected: list[str]
) -> None:
    assert expected == places(experiment, prod)


def test_a_field_that_one_object_refuses_is_not_refused_again_for_another() -> None:
    text = "storage: [{name: Data_1, mount_path: /data, pvc: {size: 1Gi}}]\n"

    assert [f"GJ450 {EX}:5:18"] == places(text)


def test_a_sound_job_has_no_findings() -> None:
    assert [] == places("nodes: 2\nresources: {gpus_per_node: 1}\nrun_policy: {backoff_limit: 0}\n")
