"""The house: imports go only downwards, and no room grows past what a reader holds in mind."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "genjob"

FLOORS: tuple[tuple[str, ...], ...] = (
    ("jsontypes", "codes", "catalog", "folders"),
    ("diagnostics", "wording", "quantity", "yamltext", "patch", "manifest"),
    ("document", "crd", "tree", "variables", "command", "memory", "workers"),
    ("model", "kustomize", "cluster", "foreign", "git"),
    ("resolve",),
    ("manifests", "workspace"),
    ("rules", "authoring", "gitops"),
    ("runs", "rulebook"),
    ("checks", "snapshot", "together", "prediction", "selection", "report"),
    ("allowances", "demand"),
    ("rendering", "transport", "linting"),
    ("verification", "explanation", "dryrun", "importing", "survey"),
    ("difference",),
    ("cli",),
    ("__main__",),
)
"""The rooms of `genjob/`, the lowest first; a room imports only from floors below its own."""

MAX_LINES = 300

FILES = sorted(PACKAGE.rglob("*.py"))


def room(parts: tuple[str, ...]) -> str:
    return parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms that a file imports from, at its top or in a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "genjob":
            _, *rest = (node.module or "").split(".")
            found |= {rest[0]} if rest else {alias.name for alias in node.names}
    return found - {"__version__"}


def floor_of(name: str) -> int:
    return next(level for level, rooms in enumerate(FLOORS) if name in rooms)


def test_each_room_has_a_floor() -> None:
    rooms = {room(path.relative_to(PACKAGE).parts) for path in FILES} - {"__init__"}

    assert rooms == {name for rooms in FLOORS for name in rooms}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_imports_only_from_floors_below(path: Path) -> None:
    own = room(path.relative_to(PACKAGE).parts)
    others = imported_rooms(path) - {own}

    assert [name for name in sorted(others) if floor_of(name) >= floor_of(own)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_has_at_most_300_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES
