"""What the tests of pipelines share: a built genjob, a clone, a forge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pipelines.forge import Forge, serving
from tests.pipelines.repository import Repository, cloned
from tests.pipelines.shell import wheel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a wheel of genjob as it is in this checkout."""
    return wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """Give a clone whose workspace is in a folder with a space."""
    return cloned(tmp_path)


@pytest.fixture
def forge() -> Iterator[Forge]:
    """Give a forge without comments."""
    with serving() as forge:
        yield forge
