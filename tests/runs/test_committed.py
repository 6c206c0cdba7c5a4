"""What is committed is believed only where it is what the lock was written for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from genjob.kustomize.overlay import Place, base_files, overlay_files
from genjob.runs.committed import Committed, OtherRunError
from genjob.runs.identity import objects_digest, run_hash
from genjob.runs.lock import Lock
from genjob.runs.own import Own
from genjob.tree.plan import header
from tests.rendered_workspace import write_texts
from tests.runs.a_run import claim, config_map, job, slots

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import JsonObject

HEADER = header("here")
OBJECTS: list[JsonObject] = [job(), config_map("a-config-11111111", LR="1"), claim()]
OWN = Own("0" * 64, "1" * 64, "2" * 64, "3" * 64)
LOCK = Lock("a-1", run_hash(job()), *OWN, objects_digest(OBJECTS))
OVERLAY = "overlays/prod/a"


def rendered(root: Path) -> Committed:
    """Write a base and an overlay that build to `OBJECTS`."""
    base = slots(("pytorchjob", job("a", lr="2e-4")), ("pvc-data", claim("2Ti")))
    names = ("pytorchjob", "config", "pvc-data")
    wanted = slots(*zip(names, OBJECTS, strict=True))
    place = Place("ml", "../../../bases/a")
    write_texts(root / "bases/a", base_files(base, header=HEADER))
    write_texts(root / OVERLAY, overlay_files(base, wanted, place=place, header=HEADER))
    write_texts(root / OVERLAY, {"run.lock": LOCK.text(header=HEADER)})
    return Committed(root, "bases/a", OVERLAY)


def test_the_objects_of_a_run_are_read_back(tmp_path: Path) -> None:
    committed = rendered(tmp_path)

    assert (LOCK, []) == committed.lock()
    assert objects_digest(OBJECTS) == objects_digest(committed.objects(LOCK))


@pytest.mark.parametrize("file", ["bases/a/pytorchjob.yaml", f"{OVERLAY}/patch.yaml"])
def test_objects_that_somebody_edited_are_refused(file: str, tmp_path: Path) -> None:
    committed = rendered(tmp_path)
    text = (tmp_path / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(text.replace("1e-4", "3").replace("old", "new"), encoding="utf-8")

    with pytest.raises(ValueError, match="do not build to what the lock was written for"):
        committed.objects(LOCK)


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("patch.yaml", None, "patch.yaml is missing"),
        ("kustomization.yaml", None, "kustomization.yaml is missing"),
        ("patch.yaml", b"- op: [", "patch.yaml: while parsing"),
        ("patch.yaml", b"# \xff", "invalid start byte"),
        ("patch.yaml", b"- {op: test, path: /kind, value: x}", "patch.yaml: "),
    ],
)
def test_what_does_not_build_is_refused_with_the_reason(
    file: str, content: bytes | None, why: str, tmp_path: Path
) -> None:
    committed = rendered(tmp_path)
    path = tmp_path / OVERLAY / file
    path.unlink()
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(ValueError, match=why):
        committed.objects(LOCK)


@pytest.mark.parametrize("content", [b"- op: [", b"# \xff", b"- {op: remove, path: /x}"])
def test_claims_are_known_where_the_job_does_not_build(content: bytes, tmp_path: Path) -> None:
    """As after a merge that took base and overlay from two sides."""
    committed = rendered(tmp_path)
    (tmp_path / OVERLAY / "patch.yaml").write_bytes(content)

    assert [claim()] == committed.claims()


def test_a_lock_that_names_another_run_is_told_from_a_stale_overlay(tmp_path: Path) -> None:
    committed = rendered(tmp_path)
    renamed = replace(LOCK, run="a-9")

    with pytest.raises(OtherRunError, match="the overlay declares 'a-1', the lock 'a-9'"):
        committed.objects(renamed)


def test_an_overlay_without_its_lock_is_a_finding(tmp_path: Path) -> None:
    committed = rendered(tmp_path)
    (tmp_path / committed.lock_file).unlink()

    lock, (found,) = committed.lock()

    assert lock is None
    assert ("GJ711", committed.lock_file) == (found.code, found.location.file)
    assert (
        "take back the side whose runs are alive "
        "(`git checkout COMMIT -- bases/a 'overlays/*/a'`), "
        "or start a new run: `genjob render a --env prod --rerun a`"
    ) == found.hint


def test_what_was_never_rendered_has_no_lock_and_no_finding(tmp_path: Path) -> None:
    assert (None, []) == Committed(tmp_path, "bases/a", OVERLAY).lock()


def test_an_overlay_of_somebody_else_is_not_a_run_without_a_lock(tmp_path: Path) -> None:
    """Its files are in the way, and are reported as such."""
    write_texts(tmp_path, {f"{OVERLAY}/kustomization.yaml": "resources: []\n"})

    assert (None, []) == Committed(tmp_path, "bases/a", OVERLAY).lock()
