"""What the tests against a real cluster share: the cluster, once for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cluster.build import programs
from tests.cluster.control_plane import control_plane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cluster.api import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Give a running cluster."""
    made = programs()
    assert made.are_there, "the cluster is not built: run `make test-cluster`"
    with control_plane(made, tmp_path_factory.mktemp("cluster")) as started:
        yield started
