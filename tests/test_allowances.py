"""`allow`: what an experiment leaves out with a reason, and allowances that outlive theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.allowances import code_of, is_allowable
from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.rendering import Selection, render
from genjob.workspace.loading import load

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace

ENVIRONMENT = "version: genjob/v1\nname: {name}\nnamespace: ml\n{more}"
EXPERIMENT = """\
version: genjob/v1
name: a
image: registry.example.com/train:1.0
script: train.py
nodes: 2
resources: {{gpus_per_node: 2, shm_size: 8Gi}}
run_policy: {{backoff_limit: 1}}
nccl: {{algo: Tree, net: Socket}}
{more}
"""


def found(
    repo: MakesWorkspace,
    experiment: str,
    *,
    defaults: str = "",
    environments: tuple[str, ...] | None = None,
) -> list[str]:
    """Return the codes of the findings in two environments, `dev` with these defaults."""
    root = repo(
        {
            "environments/dev.yaml": ENVIRONMENT.format(name="dev", more=defaults),
            "environments/prod.yaml": ENVIRONMENT.format(name="prod", more=""),
            "experiments/a/experiment.yaml": EXPERIMENT.format(more=experiment),
        }
    )
    rendering = render(load(root), Selection(environments=environments))
    return [each.code for each in rendering.diagnostics]


BOTH = "environments: {dev: {}, prod: {}}"


@pytest.mark.parametrize("word", ["GJ265", "algorithm-without-ring"])
def test_a_warning_is_left_out_by_its_code_or_its_name(repo: MakesWorkspace, word: str) -> None:
    assert ["GJ265"] == found(repo, BOTH)
    assert [] == found(repo, f"allow: {{{word}: faster}}\n{BOTH}")


def test_an_environment_allows_for_itself_alone(repo: MakesWorkspace) -> None:
    text = "environments: {dev: {allow: {GJ265: faster}}, prod: {}}"

    assert ["GJ265"] == found(repo, text)
    assert [] == found(repo, text, environments=("dev",))
    assert ["GJ265"] == found(repo, text, environments=("prod",))


def test_an_error_that_the_cluster_takes_is_left_out(repo: MakesWorkspace) -> None:
    text = "env: {FI_PROVIDER: efa}\n" + BOTH

    assert ["GJ225", "GJ265"] == sorted(found(repo, text))
    allowed = "allow: {GJ265: x, efa-provider-without-device: a webhook adds it}\n"
    assert [] == found(repo, allowed + text)


def test_an_allowance_that_allows_nothing_is_a_finding(repo: MakesWorkspace) -> None:
    assert ["GJ115", "GJ265"] == sorted(found(repo, f"allow: {{GJ266: once}}\n{BOTH}"))


def test_an_allowance_is_idle_only_when_every_environment_was_checked(
    repo: MakesWorkspace,
) -> None:
    text = f"allow: {{GJ265: faster, GJ266: once}}\n{BOTH}"

    assert [] == found(repo, text, environments=("dev",))
    assert ["GJ115"] == found(repo, text)


def test_an_allowance_of_all_experiments_may_allow_nothing_in_one(repo: MakesWorkspace) -> None:
    defaults = "defaults: {allow: {GJ265: our nodes, GJ266: our nodes}}\n"

    assert ["GJ265"] == found(repo, BOTH, defaults=defaults)


def test_an_error_that_the_cluster_refuses_stays_and_so_does_the_allowance() -> None:
    refused = Diagnostic("GJ680", "", Location("a"))

    assert not is_allowable(refused)
    assert is_allowable(Diagnostic("GJ203", "", Location("a")))
    assert is_allowable(Diagnostic("GJ680", "", Location("a"), severity=Severity.WARNING))


def test_every_name_of_a_finding_leads_to_its_code() -> None:
    names = code_of()

    assert "GJ002" == names["duplicate-key"] == names["GJ002"]
    assert "GJ202" == names["unknown-variable"]
    assert {*names.values()} <= {*names}
