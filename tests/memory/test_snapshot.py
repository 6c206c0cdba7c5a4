"""Two snapshots are alike only when every file of the workspace is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.memory.snapshot import Layout, Snapshot, take
from genjob.memory.stamp import stamp
from tests.tree_on_disk import fill

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "genjob.yaml": "version: genjob/v1\n",
    "environments/dev.yaml": "name: dev\n",
    "experiments/a/experiment.yaml": "name: a\n",
    "experiments/a/data/train.py": "print(8)\n",
    "experiments/ab/experiment.yaml": "name: ab\n",
    "bases/a/pytorchjob.yaml": "kind: PyTorchJob\n",
    "overlays/dev/a/patch.yaml": "[]\n",
    "overlays/dev/README.md": "# dev\n",
    "schemas/x.json": "{}\n",
    "gitops/flux/sync.yaml": "kind: Kustomization\n",
    "docs/notes.md": "not ours\n",
}


def snapshot(root: Path) -> Snapshot:
    found = take(root, Layout())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("genjob.yaml", {"whole", "shared"}),
        ("environments/dev.yaml", {"whole", "shared"}),
        ("environments/new.yaml", {"whole", "shared"}),
        ("schemas/x.json", {"whole", "shared"}),
        ("experiments/a/experiment.yaml", {"whole", "written"}),
        ("experiments/a/data/train.py", {"whole", "written"}),
        ("experiments/a/new", {"whole", "written"}),
        ("experiments/ab/experiment.yaml", {"whole"}),
        ("bases/a/pytorchjob.yaml", {"whole", "rendered"}),
        ("overlays/dev/a/patch.yaml", {"whole", "rendered"}),
        ("overlays/new/a/patch.yaml", {"whole", "rendered"}),
        ("overlays/dev/README.md", {"whole"}),
        ("gitops/flux/sync.yaml", {"whole"}),
        ("docs/notes.md", set()),
    ],
)
def test_a_changed_byte_is_seen_where_it_counts(tmp_path: Path, path: str, parts: set[str]) -> None:
    fill(tmp_path, FILES)
    before = snapshot(tmp_path)
    fill(tmp_path, {path: "other\n"})
    after = snapshot(tmp_path)
    seen = {
        "whole": before.whole != after.whole,
        "shared": before.shared != after.shared,
        "written": before.written("a") != after.written("a"),
        "rendered": before.rendered("a") != after.rendered("a"),
    }

    assert parts == {name for name, is_other in seen.items() if is_other}


def test_a_file_under_another_name_is_another_workspace(tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    before = snapshot(tmp_path).written("a")
    (tmp_path / "experiments/a/data/train.py").rename(tmp_path / "experiments/a/data/main.py")

    assert before != snapshot(tmp_path).written("a")


@pytest.mark.parametrize("where", ["experiments", "experiments/a/link", "overlays/dev/a/link.yaml"])
def test_with_a_link_nothing_is_known(tmp_path: Path, where: str) -> None:
    fill(tmp_path, {path: text for path, text in FILES.items() if not path.startswith(where)})
    (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / where).symlink_to(tmp_path / "docs")

    assert take(tmp_path, Layout()) is None


def test_an_empty_folder_is_a_workspace_without_files(tmp_path: Path) -> None:
    assert {} == snapshot(tmp_path).files


def test_another_version_of_a_package_is_another_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "pydantic-2.9.0.dist-info").mkdir()
    before = stamp(), stamp()
    (tmp_path / "pydantic-2.9.0.dist-info").rename(tmp_path / "pydantic-2.9.1.dist-info")

    assert before[0] == before[1]
    assert before[0] != stamp()


@pytest.mark.parametrize("path", [*FILES, "experiments/c/experiment.yaml", "bases/c/new.yaml"])
def test_what_nobody_read_is_not_opened_again(tmp_path: Path, path: str) -> None:
    fill(tmp_path, FILES)
    before = snapshot(tmp_path)
    fill(tmp_path, {path: "other\n"})
    after = snapshot(tmp_path)

    assert after == before.again(tmp_path, {"a", "ab"})
    assert (before if "/a/" in path else after) == before.again(tmp_path, {"ab"})


def test_a_file_that_is_gone_is_missed_also_where_nobody_read(tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    before = snapshot(tmp_path)
    for path in ("experiments/a/data/train.py", "environments/dev.yaml"):
        (tmp_path / path).unlink()
    after = snapshot(tmp_path)

    for names in (set(), {"a"}, {"a", "ab"}):
        assert after == before.again(tmp_path, names)


def test_a_file_more_is_seen_also_where_nobody_read(tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    before = snapshot(tmp_path)
    fill(tmp_path, {"experiments/a/experiment.yml": "x", "overlays/dev/a/old.yaml": "y"})

    assert snapshot(tmp_path) == before.again(tmp_path, set())
