"""The sentence that counts nodes, processes and ranks."""

from __future__ import annotations

import pytest

from genjob.explanation.network import network_view
from genjob.explanation.picture import picture
from genjob.explanation.ranks import rank_table, summary
from genjob.manifests import manifests
from tests.written import HEAD, job

TORCHRUN = "command: [torchrun, --nproc_per_node=auto, train.py]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1 node, 1 process, 1 rank; WORLD_SIZE in the pod will read 1"),
        (
            "nodes: 2\nresources: {gpus_per_node: 8}\n",
            "2 nodes, 8 processes each, 16 ranks; WORLD_SIZE in the pod will read 16",
        ),
        (
            "nodes: 3\nnproc_per_node: 2\nlauncher: python\n",
            "3 nodes, 1 process each, 3 ranks; WORLD_SIZE in the pod will read 6, which is wrong",
        ),
        (
            "nodes: 3\nelastic: {min_nodes: 3, max_nodes: 3}\n",
            "3 nodes, 1 process each, 3 ranks; torchrun sets WORLD_SIZE, not the operator",
        ),
    ],
)
def test_what_the_summary_counts(text: str, expected: str) -> None:
    found = job(text)

    assert expected == summary(network_view(found, manifests(found)))


def test_roles_of_different_size_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.written.HEAD", HEAD.replace("script: train.py\n", TORCHRUN))
    found = job(
        "nodes: 3\nresources: {gpus_per_node: 8}\nmaster: {resources: {gpus_per_node: 4}}\n"
    )
    view = network_view(found, manifests(found))

    assert (
        "3 nodes, 4 processes in the Master, 8 processes in the Worker, 20 ranks; "
        "WORLD_SIZE in the pod will read 24, which is wrong"
    ) == summary(view)
    assert ["0 to 3", "4 to 11", "12 to 19"] == [
        " ".join(line.split()[-3:]) for line in rank_table(view)[1:4]
    ]


def test_processes_that_yaml_cannot_count_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.written.HEAD", HEAD.replace("script: train.py\n", TORCHRUN))
    found = job("nodes: 2\n")
    view = network_view(found, manifests(found))

    assert (
        "2 nodes, an unknown number of processes each (--nproc_per_node of the command is 'auto': "
        "torchrun finds no GPU and starts one process for each CPU it sees); "
        "WORLD_SIZE in the pod will read 2"
    ) == summary(view)
    assert not any("rank" in line for line in picture(view))
