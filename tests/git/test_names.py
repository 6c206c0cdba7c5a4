"""A content has the name that Git itself gives it, whatever is remembered of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from genjob.git.names import blob_name, named_as_in_git
from genjob.git.repository import open_repository
from genjob.memory.snapshot import Layout, Snapshot, digest, take
from tests.git_repository import ENVIRON, Repository
from tests.tree_on_disk import fill

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "genjob.yaml": "version: genjob/v1\n",
    "experiments/a/experiment.yaml": "",
    'experiments/ä ö/wéird\t"name\\.txt': "8\n",
}


def taken(root: Path) -> Snapshot:
    files = take(root, Layout())
    assert files is not None
    return files


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_names_are_those_of_git(kind: str, tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    made = Repository(tmp_path)
    made.git("init", "--quiet", f"--object-format={kind}")
    made.commit()
    repository = open_repository(tmp_path, {**os.environ, **ENVIRON})
    assert repository is not None

    blobs = repository.listing("HEAD", ["genjob.yaml", "experiments", "nothing"])
    names = {path: bytes.fromhex(blob.name) for path, blob in blobs.items()}
    length = len(names["genjob.yaml"])

    assert [*FILES] == sorted(names, key=[*FILES].index)
    assert names == named_as_in_git(taken(tmp_path), tmp_path, {}, length).files
    assert names == {path: blob_name(text.encode(), length) for path, text in FILES.items()}


def test_what_is_known_is_not_read_again_and_what_is_new_is_learnt(tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    known = {digest(b"8\n"): b"8" * 20}

    found = named_as_in_git(taken(tmp_path), tmp_path, known, 20)

    assert [b"8" * 20] == [name for path, name in found.files.items() if path.endswith(".txt")]
    assert {digest(text.encode()) for text in FILES.values()} == known.keys()


def test_a_file_that_changes_meanwhile_has_no_name(tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    files = taken(tmp_path)
    fill(tmp_path, {"genjob.yaml": "version: genjob/v2\n"})
    (tmp_path / "experiments/a/experiment.yaml").unlink()
    known: dict[bytes, bytes] = {}

    found = named_as_in_git(files, tmp_path, known, 20)

    assert {20, 16} == {len(name) for name in found.files.values()}
    assert {digest(b"8\n")} == known.keys()
