"""Every field that people may write occurs in a golden case, in a base and in an overlay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from genjob.catalog.variables import FIELDS
from genjob.catalog.variables.variable import ValueType
from genjob.document import read_document_file
from genjob.model.environment import Environment
from genjob.model.experiment import NOT_IN_LAYERS, Experiment
from genjob.model.workspace import Workspace
from genjob.workspace.loading import EXPERIMENT_FILE, SETTINGS_FILE
from tests.model_fields import every_field, written_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel

    from genjob.document import Raw

CASES = Path(__file__).parent / "cases"
ENVIRONMENT_FILES = "environments/*.yaml"

ONLY_IN_A_BASE = {("Experiment", name) for name in NOT_IN_LAYERS}
"""What an experiment is; no layer may change it."""


def documents(pattern: str) -> list[dict[str, Raw]]:
    """Return what the cases' own files of one name hold."""
    found = []
    for path in sorted(CASES.rglob(pattern)):
        document, problems = read_document_file(path, path.name)
        assert document is not None, problems
        found.append(document.data)
    return found


def written(model: type[BaseModel], trees: Iterable[Raw]) -> set[tuple[str, str]]:
    """Return the fields that any of the trees sets."""
    return {field for tree in trees for field in written_fields(model, tree)}


def overrides() -> list[Raw]:
    """Return what the experiments of the cases say for single environments."""
    sections = [tree.get("environments") for tree in documents(EXPERIMENT_FILE)]
    return [
        override
        for section in sections
        if isinstance(section, dict)
        for override in section.values()
    ]


def test_every_field_of_an_experiment_occurs_in_a_base() -> None:
    assert every_field(Experiment) == written(Experiment, documents(EXPERIMENT_FILE))


def test_every_field_of_an_experiment_is_changed_by_an_environment() -> None:
    assert every_field(Experiment) - ONLY_IN_A_BASE == written(Experiment, overrides())


def test_every_type_of_an_nccl_variable_occurs_in_a_base_and_in_an_override() -> None:
    """The variables are rows of one table, rendered by their type and separator alone."""
    in_bases, in_overrides = (
        {
            (FIELDS[field].type, FIELDS[field].separator)
            for tree in trees
            for field in _mapping(tree.get("nccl"))
        }
        for trees in (documents(EXPERIMENT_FILE), [_mapping(tree) for tree in overrides()])
    )

    assert {(row.type, row.separator) for row in FIELDS.values()} == in_bases
    assert {*ValueType} == {value_type for value_type, _ in in_overrides}


def _mapping(tree: Raw | None) -> dict[str, Raw]:
    return tree if isinstance(tree, dict) else {}


def test_every_field_of_an_environment_occurs() -> None:
    found = written(Environment, documents(ENVIRONMENT_FILES))
    shared = every_field(Experiment)

    assert every_field(Environment) - shared == found - shared
    assert {("NodePool", "nccl"), ("NodePool", "env")} <= found


def test_every_field_of_a_workspace_occurs() -> None:
    assert every_field(Workspace) == written(Workspace, documents(SETTINGS_FILE))
