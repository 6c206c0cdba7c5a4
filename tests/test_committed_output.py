"""What is committed under bases/ and overlays/ is what this repository's workspace renders to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import Severity
from genjob.kustomize.engine import build_many, find_engine
from genjob.kustomize.mismatch import same_objects
from genjob.workspace.loading import load
from tests.rendered_workspace import rendered

if TYPE_CHECKING:
    from tests.conftest import RunsCommand

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))


def test_the_committed_files_are_those_of_a_render(run_cli: RunsCommand) -> None:
    ran = run_cli("render", "--all", "--check", "-C", ROOT)

    assert (0, "what is committed is what would be rendered\n", "") == (
        ran.exit_code,
        ran.stdout,
        ran.stderr,
    )


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_kustomize_builds_the_full_objects_of_what_is_committed(environment: str) -> None:
    rendering, _ = rendered(ROOT)
    meant = {
        one.name: one.overlays[environment]
        for one in rendering.experiments
        if environment in one.overlays
    }
    folders = sorted(path.parent for path in (ROOT / "overlays" / environment).glob("*/*.yaml"))
    built = build_many(find_engine(os.environ), [*dict.fromkeys(folders)], fallback=ROOT)

    assert not same_objects(built, [m.body for objects in meant.values() for m in objects])


def test_the_workspace_has_no_findings_but_notes() -> None:
    rendering, _ = rendered(ROOT)

    assert [] == [each for each in rendering.diagnostics if each.severity is not Severity.INFO]


def test_environments_differ_in_what_they_give_an_experiment() -> None:
    """Namespace, machines, classes and labels: nothing of them is the same anywhere."""
    models = [file.model for file in load(ROOT).environments.values()]

    assert len(models) == len({model.namespace for model in models})
    assert len(models) == len({model.storage_classes["shared"] for model in models})
    assert len(models) == len({pool.fabric for model in models for pool in model.node_pools[1:2]})
