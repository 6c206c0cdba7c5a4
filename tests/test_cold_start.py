"""A first `validate` of one experiment imports and builds what it needs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.workspace import make
from genjob.memory.folder import VARIABLE

CHECKOUT = Path(__file__).parent.parent

SPARED = frozenset(
    {
        "difflib",
        "genjob.authoring",
        "genjob.cluster",
        "genjob.crd.violations",
        "genjob.gitops.source",
        "genjob.gitops.wiring",
        "genjob.importing",
        "genjob.kustomize.engine",
        "genjob.model.snapshot",
        "genjob.report.json_report",
        "genjob.report.sarif",
        "genjob.rulebook",
        "genjob.rules.snapshot_objects",
        "genjob.tree.writer",
        "genjob.workspace.snapshotchecks",
        "jsonschema",
        "multiprocessing",
        "referencing",
        "subprocess",
        "tomllib",
    }
)
"""What is for findings, for many experiments, for writing, for clusters and for other verbs."""

ABSENT = """\
from genjob.model.experiment import Experiment, Resources, Scheduling, Security

made = Experiment.model_validate({"version": "genjob/v1", "name": "a", "image": "b", "module": "c"})
print(made.scheduling == Scheduling.model_construct())
print([m.__name__ for m in (Resources, Scheduling, Security) if m.__pydantic_complete__])
"""


def ran(*argv: str, cwd: Path = CHECKOUT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), VARIABLE: ""}
    return subprocess.run(
        [sys.executable, *argv],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return what a clean run imports."""
    root = tmp_path_factory.mktemp("cold")
    make(root, 1)
    ended = ran("-X", "importtime", "-m", "genjob", "validate", cwd=root)
    assert ended.stdout == "1 experiment, no findings\n"
    return {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}


def test_a_clean_run_imports_what_it_checks_with(imported: set[str]) -> None:
    assert {"pydantic", "jsonschema_rs", "genjob.rules", "genjob.model.experiment"} <= imported


@pytest.mark.parametrize("module", sorted(SPARED))
def test_a_clean_run_does_not_import(imported: set[str], module: str) -> None:
    assert module not in imported


def test_a_section_that_is_absent_needs_no_validator_of_its_own() -> None:
    assert ran("-c", ABSENT).stdout == "True\n[]\n"
