"""Under a GitOps engine, what repeats a finished training or cannot be applied is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest

from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.rules.under_gitops import under_gitops

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

PLACE = Location("experiments/a/experiment.yaml")
TTL = Diagnostic("GJ641", "repeats", PLACE, severity=Severity.WARNING)
OTHER = Diagnostic("GJ404", "is not known", PLACE, severity=Severity.WARNING)

EXPERIMENT = """\
version: genjob/v1
name: a
image: train:1.0
script: train.py
run_policy: {ttl_seconds_after_finished: 600}
environments: {dev: {}}
"""
FILES = {
    "experiments/a/experiment.yaml": EXPERIMENT,
    "environments/dev.yaml": "version: genjob/v1\nname: dev\nnamespace: ml-dev\n",
}


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_a_time_to_live_is_an_error_under_an_engine(engine: Literal["argocd", "flux"]) -> None:
    ttl, other = under_gitops([TTL, OTHER], engine)

    assert (Severity.ERROR, TTL.message) == (ttl.severity, ttl.message)
    assert OTHER == other


@pytest.mark.parametrize("code", ["GJ602", "GJ672", "GJ679", "GJ684"])
def test_what_server_side_apply_refuses_is_an_error_under_an_engine(code: str) -> None:
    (found,) = under_gitops([replace(TTL, code=code)], "argocd")

    assert (Severity.ERROR, f"{TTL.message}; the engine applies on the server's side, which ") == (
        found.severity,
        found.message.removesuffix("refuses that"),
    )


def test_without_an_engine_it_is_a_warning() -> None:
    assert [TTL, OTHER] == under_gitops([TTL, OTHER], "none")


@pytest.mark.parametrize(
    ("settings", "code", "severity"),
    [
        ("gitops: {engine: argocd}\n", 1, "error"),
        ("gitops: {engine: flux}\n", 1, "error"),
        ("gitops: {engine: none}\n", 0, "warning"),
        ("", 0, "warning"),
    ],
)
def test_the_settings_of_the_workspace_name_the_engine(
    settings: str, code: int, severity: str, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo(FILES | {"genjob.yaml": f"version: genjob/v1\n{settings}"})

    ran = run_cli("render", "--all", "-C", root)

    said = "the operator deletes the finished job, and GitOps then trains it again [GJ641]"
    assert code == ran.exit_code
    assert f"experiments/a/experiment.yaml:5:14: {severity}: {said}" in ran.stderr
    assert (code == 0) == (root / "overlays/dev/a/run.lock").is_file()
