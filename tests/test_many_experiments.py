"""Many experiments are read by several processes, with the same result as by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.workspace import make
from genjob.workspace.loading import load

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.workspace.loading import Loaded

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

BROKEN = {
    "a-syntax-error": "version: [\n",
    "a-duplicate-key": "version: genjob/v1\nname: a-duplicate-key\nname: other\n",
    "another-name": "version: genjob/v1\nname: something-else\nenvironments: {nowhere: {}}\n",
    "an-unknown-environment": "version: genjob/v1\nname: an-unknown-environment\n"
    "environments: {nowhere: {}}\n",
}


def read(root: Path, monkeypatch: pytest.MonkeyPatch, *, cores: int) -> Loaded:
    monkeypatch.setattr("genjob.workers.can_fork", lambda: True)
    monkeypatch.setattr("genjob.workers._cores", lambda: cores)
    return load(root)


def test_experiments_are_the_same_by_whomever_they_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, 80)
    for name, text in BROKEN.items():
        file = tmp_path / f"experiments/{name}/experiment.yaml"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")

    one, two = (read(tmp_path, monkeypatch, cores=cores) for cores in (1, 2))

    assert [*one.experiments] == [*two.experiments]
    assert {*BROKEN} - {*one.experiments} == one.broken == two.broken
    assert one.diagnostics == two.diagnostics != []
    assert dict(one.sources) == dict(two.sources)
    assert one.claims == two.claims
    assert one.known == two.known
    for name, document in one.experiments.items():
        assert document.data == two.experiments[name].data
