"""What `render` makes for the engines of a workspace, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.rendered_workspace import read_texts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, RunsCommand

SETTINGS = """\
version: genjob/v1
repo: {{url: "https://git.example.com/ml/jobs.git"}}
gitops: {{engine: {engine}}}
"""
ENVIRONMENT = "version: genjob/v1\nname: {name}\nnamespace: ml-{name}\n"
EXPERIMENT = """\
version: genjob/v1
name: a
image: train:1
command: [bash, -c, "python train.py --rank ${RANK}"]
environments: {dev: {}, prod: {}}
"""
FILES = {
    "genjob.yaml": SETTINGS.format(engine="flux"),
    "environments/dev.yaml": ENVIRONMENT.format(name="dev"),
    "environments/prod.yaml": ENVIRONMENT.format(name="prod"),
    "experiments/a/experiment.yaml": EXPERIMENT,
}
SUBSTITUTE = "kustomize.toolkit.fluxcd.io/substitute"


@pytest.fixture
def root(repo: MakesWorkspace, run_cli: RunsCommand) -> Path:
    """Give a workspace of two environments under Flux, rendered."""
    root = repo(FILES)
    assert 0 == run_cli("render", "--all", "-C", root).exit_code
    return root


def files(root: Path) -> list[str]:
    return list(read_texts(root / "gitops"))


def marks(root: Path, run_cli: RunsCommand) -> dict[str, str]:
    built = run_cli("build", "a", "--env", "prod", "-C", root).stdout
    found: dict[str, str] = yaml.safe_load(built)["metadata"].get("annotations", {})
    return found


def write(root: Path, path: str, text: str) -> None:
    (root / path).write_bytes(text.encode())


def test_another_engine_takes_the_place_of_the_first(root: Path, run_cli: RunsCommand) -> None:
    assert {"flux"} == {path.split("/")[0] for path in files(root)}

    write(root, "genjob.yaml", SETTINGS.format(engine="argocd"))
    ran = run_cli("render", "--all", "-C", root)

    assert 0 == ran.exit_code
    assert {"argocd"} == {path.split("/")[0] for path in files(root)}
    assert not (root / "overlays/prod/README.md").exists()


def test_without_an_engine_nothing_of_it_remains(root: Path, run_cli: RunsCommand) -> None:
    write(root, "genjob.yaml", SETTINGS.format(engine="none"))
    run_cli("render", "--all", "-C", root)

    assert [] == files(root)


def test_each_environment_can_have_an_engine_of_its_own(root: Path, run_cli: RunsCommand) -> None:
    text = f"{FILES['environments/prod.yaml']}cluster: {{engine: argocd}}\n"
    write(root, "environments/prod.yaml", text)
    run_cli("render", "--all", "-C", root)

    assert {"argocd/prod/appproject.yaml", "flux/dev/sync.yaml"} <= {*files(root)}
    assert not {"argocd/dev/appproject.yaml", "flux/prod/sync.yaml"} & {*files(root)}


def test_a_selection_leaves_the_engine_of_the_rest_as_it_is(
    root: Path, run_cli: RunsCommand
) -> None:
    before = read_texts(root)

    ran = run_cli("render", "a", "--env", "dev", "-C", root)

    assert 0 == ran.exit_code
    assert before == read_texts(root)


def test_a_broken_environment_loses_no_file_of_its_engine(root: Path, run_cli: RunsCommand) -> None:
    """Its Application would go, and with it every job."""
    before = read_texts(root)
    write(root, "environments/prod.yaml", "version: genjob/v1\nname: prod\nnamespcae: x\n")

    ran = run_cli("render", "--env", "dev", "-C", root)

    assert 0 == ran.exit_code
    changed = {**before, "environments/prod.yaml": (root / "environments/prod.yaml").read_text()}
    assert changed == read_texts(root)


def test_the_folder_that_flux_reads_outlives_its_last_experiment(
    root: Path, run_cli: RunsCommand
) -> None:
    assert 0 == run_cli("retire", "a", "-C", root).exit_code

    assert ["dev/README.md", "prod/README.md"] == [*read_texts(root / "overlays")]
    assert 0 == run_cli("render", "--all", "--check", "-C", root).exit_code


@pytest.mark.parametrize(("engine", "expected"), [("flux", "disabled"), ("argocd", None)])
def test_flux_leaves_the_variables_of_a_shell_alone(
    engine: str, expected: str | None, root: Path, run_cli: RunsCommand
) -> None:
    write(root, "genjob.yaml", SETTINGS.format(engine=engine))
    run_cli("render", "--all", "-C", root)

    assert expected == marks(root, run_cli).get(SUBSTITUTE)


def test_a_held_run_keeps_the_variables_of_its_shell(root: Path, run_cli: RunsCommand) -> None:
    """What counts is what is committed, not what the experiment would be now."""
    default = "defaults: {env: {HOST: '${HOSTNAME}'}}\n"
    write(root, "environments/prod.yaml", FILES["environments/prod.yaml"] + default)
    text = EXPERIMENT.replace("${RANK}", "$RANK")
    write(root, "experiments/a/experiment.yaml", text)
    run_cli("render", "--all", "-C", root)
    assert "disabled" == marks(root, run_cli).get(SUBSTITUTE)

    write(root, "environments/prod.yaml", FILES["environments/prod.yaml"])
    ran = run_cli("render", "--all", "-C", root)

    assert "1 run held: prod changed HOST (a)" in ran.stdout
    assert "disabled" == marks(root, run_cli).get(SUBSTITUTE)
    assert 0 == run_cli("verify", "-C", root).exit_code


def test_another_engine_starts_no_run(root: Path, run_cli: RunsCommand) -> None:
    before = (root / "overlays/prod/a/run.lock").read_text().split("\n")
    write(root, "genjob.yaml", SETTINGS.format(engine="argocd"))
    run_cli("render", "--all", "-C", root)
    after = (root / "overlays/prod/a/run.lock").read_text().split("\n")

    assert ["objects"] == [
        new.split(":")[0] for old, new in zip(before, after, strict=True) if old != new
    ]
