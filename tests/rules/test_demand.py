"""What runs ask for together is counted over a whole environment, and only there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.rendering import Selection, render
from genjob.workspace.loading import load

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace

ENVIRONMENT = """\
version: genjob/v1
name: prod
namespace: ml-prod
node_pools: [{name: v100, accelerator: v100, gpus_per_node: 4, nodes: 2, node_selector: {gpu: v}}]
queues: {nlp: {local_queue: nlp-prod, gpus: 8}}
"""
EXPERIMENT = """\
version: genjob/v1
name: NAME
image: registry.example.com/train:1.0
script: train.py
nodes: 2
resources: {gpus_per_node: 4, shm_size: 8Gi}
run_policy: {backoff_limit: 3}
environments: {prod: {MORE}}
"""


ALL = Selection()


def found(repo: MakesWorkspace, more: tuple[str, ...], selection: Selection = ALL) -> list[str]:
    """Return the codes of what runs that differ by these fields ask for together."""
    files: dict[str, str | bytes] = {
        f"experiments/run-{index}/experiment.yaml": EXPERIMENT.replace(
            "NAME", f"run-{index}"
        ).replace("MORE", fields)
        for index, fields in enumerate(more)
    }
    root = repo(files | {"environments/prod.yaml": ENVIRONMENT})
    diagnostics = render(load(root), selection).diagnostics
    return [each.code for each in diagnostics if each.code in {"GJ845", "GJ846"}]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (("", ""), ["GJ846"]),
        (("", "nodes: 1"), ["GJ846"]),
        (("nodes: 1", "nodes: 1"), []),
        (("", "run_policy: {suspend: true}"), []),
        (("", "run_policy: {managed_by: kueue.x-k8s.io/multikueue}"), []),
        (("", "run_policy: {managed_by: kubeflow.org/training-operator}"), ["GJ846"]),
        (("", "scheduling: {gang: {queue: train}}"), []),
        (("", "scheduling: {queue: nlp}"), []),
        (("scheduling: {queue: nlp}", "scheduling: {queue: nlp-prod}"), ["GJ845"]),
        (("scheduling: {queue: nlp}", "scheduling: {queue: other}"), []),
    ],
)
def test_runs_count_together_where_they_want_the_same_machines_or_quota(
    repo: MakesWorkspace, more: tuple[str, ...], expected: list[str]
) -> None:
    assert expected == found(repo, more)


def test_some_experiments_alone_say_nothing_of_all(repo: MakesWorkspace) -> None:
    assert [] == found(repo, ("", ""), Selection(names=("run-0",)))


def test_another_environment_alone_says_nothing_of_this_one(repo: MakesWorkspace) -> None:
    assert [] == found(repo, ("", ""), Selection(environments=("dev",)))
    assert ["GJ846"] == found(repo, ("", ""), Selection(environments=("prod",)))
