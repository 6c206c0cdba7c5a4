"""The files beside an experiment.yaml are read by name; nothing outside of the folder is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.workspace.beside import read_beside

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with files in it, above it and behind links."""
    made = tmp_path / "a"
    (made / "conf").mkdir(parents=True)
    (tmp_path / "secret.txt").write_bytes(b"no")
    (made / "train.py").write_bytes(b"rate = 1e-4\r\n")
    (made / "conf/x.bin").write_bytes(b"\x00\xff")
    (made / "big.bin").write_bytes(b"x" * (1024 * 1024 + 1))
    (made / "out").symlink_to(tmp_path / "secret.txt")
    (made / "in").symlink_to(made / "train.py")
    (made / "circle").symlink_to(made / "circle")
    return made


def test_contents_are_bytes_as_they_are(folder: Path) -> None:
    assert {"train.py": b"rate = 1e-4\r\n", "conf/x.bin": b"\x00\xff"} == read_beside(
        folder, ["train.py", "conf/x.bin", "train.py"]
    ).contents


def test_a_link_is_followed_inside_the_folder_only(folder: Path) -> None:
    assert ["in"] == [*read_beside(folder, ["in", "out", "circle"]).contents]


@pytest.mark.parametrize(
    "name", ["../secret.txt", "conf", "gone", "/etc/hostname", "n" * 5000, "a\0b", ""]
)
def test_what_is_no_file_of_the_folder_is_absent(folder: Path, name: str) -> None:
    assert ({}, frozenset()) == (
        read_beside(folder, [name]).contents,
        read_beside(folder, [name]).too_large,
    )


def test_a_file_that_no_config_map_holds_is_named(folder: Path) -> None:
    beside = read_beside(folder, ["big.bin"])

    assert ({}, frozenset({"big.bin"})) == (beside.contents, beside.too_large)
