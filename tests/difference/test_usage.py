"""What a run takes is counted from its objects; its price is that of the GPUs that it has."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from genjob.difference.side import present
from genjob.difference.usage import sum_of, usage_of
from genjob.rendering import render_one
from genjob.selection import Selection
from genjob.workspace.loading import load
from tests.difference.a_repository import BERT, FILES, LLAMA, PROD

if TYPE_CHECKING:
    from genjob.difference.usage import Usage
    from tests.conftest import MakesWorkspace

ALL = Selection()
WHOLE = "resources: {gpus_per_node: 8, accelerator: h100}"


def usages(repo: MakesWorkspace, file: str = LLAMA, old: str = "", new: str = "") -> list[Usage]:
    """Return what llama and bert take in prod, after an edit."""
    loaded = load(repo({**FILES, file: FILES[file].replace(old, new)}))
    return [
        usage_of(present(loaded, ALL, name, render_one(loaded, ALL, name)).runs["prod"])
        for name in ("llama", "bert")
    ]


def test_nodes_gpus_ranks_and_hours_are_those_of_the_job(repo: MakesWorkspace) -> None:
    llama, bert = usages(repo)

    assert (4, 32, 32, "nlp", Fraction(72)) == (
        llama.nodes,
        llama.gpus,
        llama.ranks,
        llama.queue,
        llama.hours,
    )
    assert (Fraction(32 * 72), Fraction(4 * 40 * 72)) == (llama.gpu_hours, llama.cost)
    assert (2, 0, 2, None, None, Fraction(), None) == (
        bert.nodes,
        bert.gpus,
        bert.ranks,
        bert.queue,
        bert.hours,
        bert.gpu_hours,
        bert.cost,
    )


PARTS: dict[str, tuple[str, str, str, Fraction | None]] = {
    "a part of a machine": (LLAMA, WHOLE, WHOLE.replace("8", "2"), Fraction(4 * 40 * 72, 4)),
    "a pool without a price": (PROD, "    price_per_node_hour: 40\n", "", None),
    "a price with a fraction": (PROD, "hour: 40", "hour: 98.32", Fraction("98.32") * 4 * 72),
    "no deadline": (LLAMA, "run_policy: {active_deadline: 72h}\n", "", None),
}


@pytest.mark.parametrize("what", PARTS)
def test_a_cost_is_the_share_of_machines_until_the_deadline(
    what: str, repo: MakesWorkspace
) -> None:
    file, old, new, cost = PARTS[what]

    assert cost == usages(repo, file, old, new)[0].cost


def test_a_pod_without_gpus_is_a_machine(repo: MakesWorkspace) -> None:
    deadline = "nodes: 2\nrun_policy: {active_deadline: 10h}"

    assert 10 == usages(repo, BERT, "nodes: 2", deadline)[1].cost


def test_an_elastic_run_counts_with_its_most_nodes(repo: MakesWorkspace) -> None:
    llama, _ = usages(repo, LLAMA, "nodes: 4", "nodes: 4\nelastic: {min_nodes: 2, max_nodes: 6}")

    assert (6, {"Worker": 6}, 48) == (llama.nodes, llama.pods, llama.gpus)


def test_a_sum_says_what_it_does_not_know(repo: MakesWorkspace) -> None:
    total = sum_of(usages(repo))

    assert (2, 6, 32, Fraction(2304), 0) == (
        total.runs,
        total.nodes,
        total.gpus,
        total.gpu_hours,
        total.unbounded,
    )
    assert (Fraction(11520), 1) == (total.cost, total.unpriced)
