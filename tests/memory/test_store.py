"""A table comes back whole or not at all, whatever happened to its file."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from typing import TYPE_CHECKING

import pytest

from genjob.memory.folder import folder_for
from genjob.memory.store import Store
from genjob.runs.decision import Decision
from tests.tree_on_disk import everything, read_only

if TYPE_CHECKING:
    from pathlib import Path

TABLE = {"no": (b"\x00", Decision.SAME, frozenset({"08"}))}


def test_a_table_comes_back(tmp_path: Path) -> None:
    Store(tmp_path / "a", "1").write("t", TABLE)

    assert TABLE == Store(tmp_path / "a", "1").read("t")


def test_another_version_of_the_program_finds_nothing(tmp_path: Path) -> None:
    Store(tmp_path, "1").write("t", TABLE)

    assert {} == Store(tmp_path, "2").read("t")


@pytest.mark.parametrize("at", range(0, 120, 7))
def test_a_file_that_ends_early_or_has_another_byte_counts_as_absent(
    tmp_path: Path, at: int
) -> None:
    store = Store(tmp_path, "1")
    store.write("t", TABLE)
    whole = (tmp_path / "t").read_bytes()
    position = at % len(whole)

    (tmp_path / "t").write_bytes(whole[:position])
    cut = store.read("t")
    other = bytes([whole[position] ^ 1])
    (tmp_path / "t").write_bytes(whole[:position] + other + whole[position + 1 :])

    assert ({}, {}) == (cut, store.read("t"))


class _Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch evil",)


def test_no_function_of_others_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store(tmp_path / "a", "1")
    monkeypatch.setattr("genjob.memory.store.pickle.dumps", pickle.dumps)
    store.write("t", {"x": _Evil()})

    assert {} == store.read("t")
    assert not (tmp_path / "evil").exists()


def test_a_disk_that_refuses_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with read_only(tmp_path / "home"):
        Store(tmp_path / "home/a", "1").write("t", TABLE)

    assert {"home/": ""} == everything(tmp_path)


def _write_often(folder: Path, number: int) -> None:
    for _ in range(50):
        Store(folder, "1").write("t", {"who": number, "much": "x" * 20_000})


def test_of_two_processes_at_once_a_reader_sees_one_or_the_other(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("spawn")
    writers = [fork.Process(target=_write_often, args=(tmp_path, number)) for number in (1, 2)]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        seen.add(Store(tmp_path, "1").read("t").get("who"))
    for writer in writers:
        writer.join()
    seen.add(Store(tmp_path, "1").read("t").get("who"))

    assert seen <= {None, 1, 2}
    assert seen & {1, 2}
    assert ["t"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"GENJOB_CACHE": ""}, None),
        ({"GENJOB_CACHE": "relative"}, None),
        ({}, None),
        ({"GENJOB_CACHE": "/x"}, "/x"),
    ],
)
def test_the_folder_is_the_one_that_is_named(
    tmp_path: Path, environ: dict[str, str], expected: str | None
) -> None:
    found = folder_for(tmp_path, environ)

    assert expected == (found and found.parent.as_posix())


def test_two_workspaces_have_folders_of_their_own(tmp_path: Path) -> None:
    environ = {"GENJOB_CACHE": "/x"}

    assert folder_for(tmp_path / "a", environ) != folder_for(tmp_path / "b", environ)


def test_workspaces_that_nobody_used_for_long_are_forgotten_and_nothing_else(
    tmp_path: Path,
) -> None:
    kept = [
        tmp_path / "photos",
        tmp_path / ("b" * 31),
        tmp_path / "notes.txt",
        tmp_path / "c" / "d",
    ]
    gone = tmp_path / ("a" * 32)
    for folder in (*kept, gone):
        folder.mkdir(parents=True)
        (folder / "file").write_text("x", encoding="utf-8")
        os.utime(folder, (0, 0))
    Store(tmp_path / ("f" * 32), "1").write("t", {"a": 1})

    assert not gone.exists()
    assert all((folder / "file").is_file() for folder in kept)


def test_no_function_of_ours_is_called_either(tmp_path: Path) -> None:
    class Calls:
        def __reduce__(self) -> tuple[object, tuple[object, ...]]:
            return folder_for, (tmp_path, {})

    store = Store(tmp_path / "m", "1")
    store.write("t", {"a": Calls()})

    assert {} == store.read("t")
