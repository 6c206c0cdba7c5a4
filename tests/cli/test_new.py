"""`genjob new` makes an experiment that is valid at once, or says why not and writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace, Ran, RunsCommand

ENVIRONMENTS = {
    f"environments/{name}.yaml": f"version: genjob/v1\nname: {name}\nnamespace: ml-{name}\n"
    for name in ("dev", "prod")
}
LONG = "a" * 60
NAME_RULE = (
    "expected a name of lower-case letters, digits and '-' that begins with a letter and does not "
    "end with '-'"
)


@pytest.fixture
def workspace(repo: MakesWorkspace) -> Path:
    """Give a workspace with two environments and no experiment."""
    return repo(ENVIRONMENTS)


def outcome(ran: Ran) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error."""
    return ran.exit_code, ran.stdout, ran.stderr


def made(workspace: Path) -> list[str]:
    """Return everything that is not one of the environments."""
    return [
        path.relative_to(workspace).as_posix()
        for path in sorted(workspace.rglob("*"))
        if path.is_file() and path.parent.name != "environments"
    ]


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--env", "dev"),
        ("--env", "prod", "--env", "dev", "--nodes", "4", "--gpus", "8"),
        ("--nodes", "2"),
        ("--gpus", "0"),
        ("--gpus", "1", "--image", "registry.example.com/train:1.10"),
    ],
)
def test_a_new_experiment_is_valid_at_once(
    workspace: Path, run_cli: RunsCommand, options: tuple[str, ...]
) -> None:
    ran = run_cli("new", "llama-pretrain", *options, "-C", workspace)

    assert (0, "created experiments/llama-pretrain/experiment.yaml\n", "") == outcome(ran)
    assert run_cli("validate", "--strict", "-C", workspace).exit_code == 0
    assert run_cli("render", "--all", "-C", workspace).exit_code == 0


def test_the_options_stand_in_the_file(workspace: Path, run_cli: RunsCommand) -> None:
    options = ("--env", "prod", "--nodes", "4", "--gpus", "8", "--image", "train:1.10")
    run_cli("new", "llama", *options, "-C", workspace)
    written = (workspace / "experiments/llama/experiment.yaml").read_text(encoding="utf-8")
    said = [line for line in written.splitlines() if line and "#" not in line]

    assert [
        "version: genjob/v1",
        "name: llama",
        "image: train:1.10",
        "script: train.py",
        "nodes: 4",
        "resources:",
        "  gpus_per_node: 8",
        '  shm_size: "64Gi"',
        "run_policy:",
        "  backoff_limit: 3",
        "environments:",
        "  prod: {}",
    ] == said


@pytest.mark.parametrize(
    ("name", "hint"), [("../../x", "x"), ("7b", "job-7b"), ("Llama", "llama"), ("a/b", "a-b")]
)
def test_a_bad_name_gives_the_finding_that_a_file_gives(
    workspace: Path, run_cli: RunsCommand, name: str, hint: str
) -> None:
    ran = run_cli("new", name, "-C", workspace)

    assert ran.exit_code == 1
    assert ran.stderr.startswith(
        f"experiments/{name}/experiment.yaml:7:7: error: found '{name}' (string); {NAME_RULE} "
        "[GJ103]\n"
    )
    assert ran.stderr.endswith(f"  hint: write '{hint}'\n1 error in 1 file\nnothing was written\n")
    assert [] == made(workspace)
    assert not (workspace.parent / "x").exists()


def test_a_name_that_is_too_long_for_its_pods_is_refused(
    workspace: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli("new", LONG, "--nodes", "2", "-C", workspace)

    assert ran.exit_code == 1
    assert "[GJ630]" in ran.stderr
    assert [] == made(workspace)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--nodes", "0"), "found 0 (integer); expected at least 1"),
        (("--gpus", "-3"), "found -3 (integer); expected at least 0"),
        (("--image", ""), "found an empty string; expected"),
    ],
)
def test_a_bad_value_gives_the_finding_that_a_file_gives(
    workspace: Path, run_cli: RunsCommand, options: tuple[str, ...], message: str
) -> None:
    ran = run_cli("new", "llama", *options, "-C", workspace)

    assert ran.exit_code == 1
    assert message in ran.stderr
    assert [] == made(workspace)


def test_an_environment_that_does_not_exist_is_refused(
    workspace: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli("new", "llama", "--env", "pord", "-C", workspace)

    assert ran.exit_code == 1
    assert "there is no environment 'pord' [GJ108]" in ran.stderr
    assert "hint: did you mean 'prod'?" in ran.stderr
    assert [] == made(workspace)


def test_an_experiment_that_exists_is_left_as_it_is(workspace: Path, run_cli: RunsCommand) -> None:
    run_cli("new", "llama", "-C", workspace)
    before = (workspace / "experiments/llama/experiment.yaml").read_bytes()
    ran = run_cli("new", "llama", "--nodes", "4", "-C", workspace)
    message = (
        "Error: experiments/llama/experiment.yaml is there already; edit it, or choose another "
        "name\n"
    )

    assert (1, "", message) == outcome(ran)
    assert before == (workspace / "experiments/llama/experiment.yaml").read_bytes()


def test_files_beside_a_new_experiment_are_left(workspace: Path, run_cli: RunsCommand) -> None:
    (workspace / "experiments/llama").mkdir()
    (workspace / "experiments/llama/train.py").write_text("pass\n", encoding="utf-8")
    run_cli("new", "llama", "-C", workspace)

    assert ["experiments/llama/experiment.yaml", "experiments/llama/train.py"] == made(workspace)


def test_a_mistake_in_another_experiment_is_not_in_the_way(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    workspace = repo({**ENVIRONMENTS, "experiments/broken/experiment.yaml": "name: [\n"})
    ran = run_cli("new", "llama", "--env", "dev", "-C", workspace)

    assert (0, "created experiments/llama/experiment.yaml\n", "") == outcome(ran)


def test_a_text_that_no_file_can_hold_is_a_wrong_call(
    workspace: Path, run_cli: RunsCommand
) -> None:
    ran = run_cli("new", "a\x01b", "-C", workspace)

    assert ran.exit_code == 2
    assert "control character U+0001" in ran.stderr


def test_a_file_that_would_be_too_large_is_refused(workspace: Path, run_cli: RunsCommand) -> None:
    ran = run_cli("new", "llama", "--image", "x" * 2**20, "-C", workspace)

    assert ran.exit_code == 1
    assert "[GJ004]" in ran.stderr
    assert [] == made(workspace)
