"""Golden cases: small workspaces beside all that they render to, and the laws that each obeys.

A case is a folder of `tests/cases`; a new one is new files, no code. `pytest --update-golden`
writes what is expected; its diff is then read like code.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from genjob.crd.library import SchemaSet, check_objects
from genjob.kustomize.mismatch import same_objects
from genjob.kustomize.rebuild import base_objects
from genjob.report import FORMATS, Findings
from tests.rendered_workspace import (
    built_objects,
    read_texts,
    rendered,
    wanted_objects,
    write_texts,
)

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.rendering import Rendering

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())
LONGEST = 170
"""Lines of a file that a reviewer still reads."""

every_case = pytest.mark.parametrize("name", NAMES)


def objects_of(rendering: Rendering) -> list[JsonObject]:
    """Return every object that a rendering holds, those of the bases too."""
    bases = [manifest.body for one in rendering.experiments for manifest in one.base]
    return [*bases, *wanted_objects(rendering)]


def everything_rendered(root: Path) -> dict[str, str]:
    """Return the rendered files of a case, and its findings when there are any."""
    rendering, files = rendered(root)
    if not rendering.diagnostics:
        return {**files}
    findings = FORMATS["text"](Findings(rendering.diagnostics, {}))
    return {**files, "findings.txt": findings}


@every_case
def test_a_case_renders_to_exactly_what_is_expected(name: str, *, update_golden: bool) -> None:
    expected = CASES / name / "expected"
    found = everything_rendered(CASES / name)
    if update_golden:
        shutil.rmtree(expected, ignore_errors=True)
        write_texts(expected, found)

    assert read_texts(expected) == found


@every_case
def test_a_second_rendering_has_the_same_bytes(name: str) -> None:
    assert everything_rendered(CASES / name) == everything_rendered(CASES / name)


@every_case
def test_kustomize_builds_the_full_objects_of_every_overlay(name: str, tmp_path: Path) -> None:
    rendering, files = rendered(CASES / name)
    built = built_objects(tmp_path, files)

    assert not same_objects(built, wanted_objects(rendering))


@every_case
def test_a_base_reads_back_as_the_objects_without_an_environment(name: str) -> None:
    rendering, files = rendered(CASES / name)
    for one in rendering.experiments:
        folder = next(path for path in files if path.endswith(f"/{one.name}/pytorchjob.yaml"))
        inside = folder.removesuffix("pytorchjob.yaml")
        texts = {
            path.removeprefix(inside): text for path, text in files.items() if inside in path[:99]
        }

        assert not same_objects(base_objects(texts), [manifest.body for manifest in one.base])


@every_case
def test_the_strict_schemas_accept_every_object(name: str) -> None:
    rendering, _ = rendered(CASES / name)
    schemas = SchemaSet.of(CASES / name / "schemas")

    assert not check_objects(
        objects_of(rendering), operator="1.9", kubernetes="1.31", schemas=schemas
    )


@every_case
def test_a_file_of_a_case_is_short_enough_to_review(name: str) -> None:
    lines = {path: text.count("\n") for path, text in read_texts(CASES / name).items()}

    assert not {path: count for path, count in lines.items() if count > LONGEST}


def test_a_golden_is_not_rewritten_where_nobody_reads_the_diff() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--update-golden", __file__],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert pytest.ExitCode.USAGE_ERROR == ran.returncode
    assert "ERROR: --update-golden is for people; in CI a golden must match" in ran.stderr
