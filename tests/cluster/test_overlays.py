"""Each overlay, as Kustomize builds it, is accepted whole, and runs as the prediction says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cluster.conformance import applied, changed_by_applying_again, unlike_the_prediction
from tests.cluster.overlays import built, committed, golden, name_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.api import Cluster

FOLDERS = [*committed(), *golden()]


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_an_overlay_is_accepted_and_runs_as_predicted(cluster: Cluster, folder: Path) -> None:
    overlay = built(folder)

    assert [] == applied(cluster, overlay)
    assert [] == unlike_the_prediction(cluster, overlay)
    assert [] == changed_by_applying_again(cluster, overlay)


def test_each_experiment_of_the_workspace_is_among_them() -> None:
    names = {name_of(folder) for folder in committed()}

    assert len(names) == len(committed()) > 20
    assert names <= {name_of(folder) for folder in FOLDERS}
