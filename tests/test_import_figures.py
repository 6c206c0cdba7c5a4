"""The figures of a folder of manifests add up, and real manifests keep what was promised."""

from __future__ import annotations

from pathlib import Path

import pytest

from genjob.importing.one import Destination
from genjob.importing.outcome import COMMAND, import_files
from genjob.linting.files import read_named
from tools.import_figures import figures_of, lines

CASES = Path(__file__).parent / "import"
CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
"""Manifests by other people, where they are at hand; the cases show the same."""


def test_the_figures_count_every_file_once() -> None:
    files = [*read_named(["."], CASES, COMMAND)]
    figures = figures_of(files)
    whole = [one.leaves for f in files for one in import_files([f], Destination("e")).experiments]

    assert len(files) == sum(figures.verdicts.values())
    assert sum(leaves.total for leaves in whole) == sum(figures.values.values())
    assert figures.values["overrides"] == sum(leaves.overrides for leaves in whole)


def test_with_fix_more_files_are_imported() -> None:
    files = [*read_named(["mistakes/job.yaml"], CASES, COMMAND)]

    assert {"refused": 1} == figures_of(files).verdicts
    assert {"imported with proof": 1} == figures_of(files, fix=True).verdicts


def test_the_lines_say_shares_of_all_values() -> None:
    files = [*read_named(["no-field/job.yaml"], CASES, COMMAND)]

    assert "    12  44.4 % in fields with a type of their own" in [*lines(figures_of(files))]


@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.yaml")) or [CASES / "gpus" / "job.yaml"])
def test_a_manifest_is_imported_with_proof_or_refused(path: Path) -> None:
    """Nothing is imported otherwise than it was: what a field cannot hold, an override does."""
    (file,) = read_named([path.name], path.parent, COMMAND)
    outcome = import_files([file], Destination("experiments"))

    assert outcome.is_equal or outcome.is_refused
    assert [] == [each for one in outcome.experiments for each in one.differences]


def test_nearly_all_values_of_the_corpus_stand_in_fields() -> None:
    folder = CORPUS if CORPUS.is_dir() else CASES / "gpus"
    figures = figures_of([*read_named(["."], folder, COMMAND)])

    assert figures.values["overrides"] < 0.05 * sum(figures.values.values())
