"""What did not change is not made again: one edit makes one experiment, no edit makes none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.git.repository import Repository as Opened
from genjob.memory.folder import VARIABLE
from genjob.memory.memory import Memory
from genjob.memory.snapshot import Layout
from genjob.memory.store import Store
from genjob.rendering import Selection, plan, render, render_one
from genjob.survey import planned_files, survey
from genjob.workers import FEW
from genjob.workspace.loading import load
from tests.git_repository import Repository

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from genjob.git.repository import Blob
    from genjob.rendering import Rendering
    from genjob.workspace.loading import Loaded
    from tests.conftest import MakesWorkspace, RunsCommand

ENVIRONMENT = "version: genjob/v1\nname: {0}\nnamespace: ml-{0}\n"
EXPERIMENT = (
    "version: genjob/v1\nname: {}\nimage: b\nscript: c\nenvironments: {{dev: {{}}, prod: {{}}}}\n"
)
CLAIM = "{name: out, mount_path: /out, pvc: {size: 1Gi}}"
MOUNTED = "{name: in, mount_path: /in, pvc: {claim: d-out}}"
MADE = "genjob.survey.outcome.render_one"
WORKSPACE = {
    **{f"experiments/{name}/experiment.yaml": EXPERIMENT.format(name) for name in "abc"},
    **{f"environments/{name}.yaml": ENVIRONMENT.format(name) for name in ("dev", "prod")},
    "genjob.yaml": "version: genjob/v1\n",
}


def noted(where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Remember in a folder of the test; return the names of what a module renders, as it does."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "memory"))
    names: list[str] = []

    def rendered_one(loaded: Loaded, selection: Selection, name: str) -> Rendering:
        names.append(name)
        return render_one(loaded, selection, name)

    monkeypatch.setattr(where, rendered_one)
    return names


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the names of what is rendered."""
    return noted(MADE, monkeypatch, tmp_path)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the names of what is rendered to be compared."""
    return noted("genjob.difference.judging.render_one", monkeypatch, tmp_path)


def test_what_was_written_is_remembered_at_once(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str]
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    rendered.clear()
    checked = run_cli("render", "--all", "--check", "-C", root)
    validated = run_cli("validate", "-C", root)

    assert (0, 0, []) == (checked.exit_code, validated.exit_code, rendered)
    assert "3 experiments, no findings\n" == validated.stdout


def test_one_edit_makes_one_experiment(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str]
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    rendered.clear()
    file = root / "experiments/b/experiment.yaml"
    file.write_text(f"{EXPERIMENT.format('b')}nodes: 2\n", encoding="utf-8")
    run_cli("render", "--all", "-C", root)

    assert ["b"] == rendered


def test_an_experiment_more_or_less_makes_those_that_refer_to_its_claims(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str]
) -> None:
    root = repo(WORKSPACE)
    reader, maker, third = (root / f"experiments/{name}/experiment.yaml" for name in "adc")
    reader.write_text(f"{EXPERIMENT.format('a')}storage: [{MOUNTED}]\n", encoding="utf-8")
    made = []
    for edit in (
        lambda: None,
        lambda: third.write_text(f"{EXPERIMENT.format('c')}storage: [{CLAIM}]\n", "utf-8"),
        maker.parent.mkdir,
        lambda: maker.write_text(f"{EXPERIMENT.format('d')}storage: [{CLAIM}]\n", "utf-8"),
        third.unlink,
        maker.unlink,
    ):
        edit()
        rendered.clear()
        run_cli("validate", "-C", root)
        made.append("".join(rendered))

    # 'd-out' is missing, 'c-out' is the nearest, nothing, 'd-out' is there, still, missing again
    assert ["abc", "ac", "", "ad", "", "a"] == made


def test_an_edit_of_an_environment_makes_all(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str]
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    rendered.clear()
    file = root / "environments/dev.yaml"
    file.write_text(f"{ENVIRONMENT.format('dev')}labels: {{a: b}}\n", encoding="utf-8")
    run_cli("validate", "-C", root)

    assert ["a", "b", "c"] == rendered


def test_a_file_that_is_saved_while_it_is_read_is_read_again(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found belongs to the old bytes, or to the new ones: nobody knows."""
    root = repo(WORKSPACE)
    file = root / "experiments/b/experiment.yaml"

    def meanwhile(loaded: Loaded, selection: Selection, name: str) -> Rendering:
        file.write_text(f"{EXPERIMENT.format('b')}nodes: 2\n", encoding="utf-8")
        return render_one(loaded, selection, name)

    with monkeypatch.context() as patched:
        patched.setattr(MADE, meanwhile)
        run_cli("validate", "-C", root)
    run_cli("validate", "-C", root)
    file.write_text(EXPERIMENT.format("b"), encoding="utf-8")
    run_cli("validate", "-C", root)

    assert ["b", "b"] == rendered


def test_a_file_that_is_saved_while_another_is_read_is_read_next_time(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo(WORKSPACE)
    run_cli("validate", "-C", root)
    edited, other = (root / f"experiments/{name}/experiment.yaml" for name in "bc")
    edited.write_text(f"{EXPERIMENT.format('b')}nodes: 2\n", encoding="utf-8")

    def meanwhile(loaded: Loaded, selection: Selection, name: str) -> Rendering:
        other.write_text(f"{EXPERIMENT.format('c')}node: 2\n", encoding="utf-8")
        return render_one(loaded, selection, name)

    with monkeypatch.context() as patched:
        patched.setattr(MADE, meanwhile)
        first = run_cli("validate", "-C", root)
    rendered.clear()
    second = run_cli("validate", "-C", root)

    assert (0, 1, ["c"]) == (first.exit_code, second.exit_code, rendered)


def test_nothing_is_kept_in_the_workspace_or_when_it_is_turned_off(
    repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    root = repo(WORKSPACE)
    before = sorted(root.rglob("*"))
    run_cli("validate", "-C", root)

    assert before == sorted(root.rglob("*"))
    assert not (tmp_path / "home").exists()


def test_links_are_not_remembered(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str]
) -> None:
    root = repo(WORKSPACE)
    (root / "experiments/d").symlink_to(root / "experiments/a", target_is_directory=True)
    run_cli("validate", "-C", root)
    run_cli("validate", "-C", root)

    assert [*"abcd", *"abcd"] == rendered


@pytest.mark.usefixtures("rendered")
def test_only_what_changed_is_verified_again_unless_all_is_asked_for(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    first = run_cli("verify", "-C", root)
    again = run_cli("verify", "-C", root)
    file = root / "experiments/b/experiment.yaml"
    file.write_text(f"{EXPERIMENT.format('b')}nodes: 2\n", encoding="utf-8")
    run_cli("render", "--all", "-C", root)
    edited = run_cli("verify", "-C", root)
    everything = run_cli("verify", "--all", "-C", root)

    assert first.stdout.startswith("6 overlays build to what is meant")
    assert "proven before" not in first.stdout + everything.stdout
    assert again.stdout.endswith("; 6 of them were proven before\n")
    assert edited.stdout.endswith("; 4 of them were proven before\n")


@pytest.mark.usefixtures("rendered")
def test_what_differs_is_built_each_time(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    base = root / "bases/a/pytorchjob.yaml"
    base.write_text(base.read_text("utf-8").replace("image: b", "image: c"), encoding="utf-8")

    ended = [run_cli("verify", "-C", root).exit_code for _ in range(2)]

    assert [1, 1] == ended


CROWD = {
    "genjob.yaml": "version: genjob/v1\n",
    "environments/dev.yaml": (
        f"{ENVIRONMENT.format('dev')}queues: {{train: {{local_queue: train, gpus: 16}}}}\n"
        "node_pools: [{name: a100, accelerator: a100, gpus_per_node: 8, nodes: 2}]\n"
    ),
    "environments/prod.yaml": ENVIRONMENT.format("prod"),
    **{
        f"experiments/r{n}/experiment.yaml": (
            f"{EXPERIMENT.format(f'r{n}')}resources: {{gpus_per_node: 4, accelerator: a100}}\n"
            f"{'scheduling: {queue: train}' if n % 2 else ''}\n"
        )
        for n in range(2 * FEW)
    },
}


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_all_runs_take_is_added_up_over_workers_and_what_is_remembered(
    repo: MakesWorkspace, rendered: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("genjob.workers.can_fork", lambda: True)
    monkeypatch.setattr("genjob.workers._cores", lambda: 2)
    root, selection = repo(CROWD), Selection()
    alone = render(load(root), selection)
    expected = plan(load(root), alone, selection)
    store = Store(tmp_path / "store", "x")

    memory = Memory(root, store)
    memory.learn(Layout())

    in_workers = survey(load(root), selection, memory, planned=True)
    memory.keep(in_workers.found)
    assert planned_files(in_workers, selection) == expected
    changed = root / "experiments/r3/experiment.yaml"
    changed.write_text(changed.read_text("utf-8") + "labels: {a: b}\n", encoding="utf-8")
    remembering = survey(load(root), selection, Memory(root, store))

    assert ["r3"] == rendered  # the others were made by workers, or are remembered
    assert in_workers.diagnostics == alone.diagnostics
    assert {"GJ845", "GJ846"} <= {found.code for found in alone.diagnostics}
    assert remembering.diagnostics == render(load(root), selection).diagnostics


def test_a_cluster_is_asked_though_all_else_is_remembered(
    repo: MakesWorkspace, run_cli: RunsCommand, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo(WORKSPACE)
    monkeypatch.setenv("KUBECONFIG", str(root / "none"))
    words = ("validate", "--env", "dev", "-C", root)
    before = run_cli(*words)
    asked = run_cli(*words, "--server")
    rendered.clear()
    after = run_cli(*words)

    assert (0, 3, 0) == (before.exit_code, asked.exit_code, after.exit_code)
    assert asked.stderr.startswith("genjob: kubectl cannot ask the cluster: ")
    assert (before.stdout, []) == (after.stdout, rendered)


def test_what_did_not_change_is_not_compared_again(
    repo: MakesWorkspace, run_cli: RunsCommand, compared: list[str]
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    repository = Repository.of(root)
    said = []

    def diff(*words: str) -> list[str]:
        compared.clear()
        said.append(run_cli("diff", "--against", "HEAD", *words, "-C", root))
        return [*compared]

    first, again, otherwise = diff(), diff(), diff("--format", "json")
    file = root / "experiments/b/experiment.yaml"
    file.write_text(f"{EXPERIMENT.format('b')}nodes: 2\n", encoding="utf-8")
    edited = diff()
    run_cli("render", "--all", "-C", root)
    rendered, again_rendered = diff(), diff()
    repository.commit()
    committed, of_one = diff(), diff("--env", "dev")

    assert ([*"abc"], [], []) == (first, again, otherwise)
    assert (["b"], ["b"], [], ["b"]) == (edited, rendered, again_rendered, committed)
    assert [*"abc"] == of_one  # other environments, other findings
    assert [0] * len(said) == [ran.exit_code for ran in said]
    assert said[0] == said[1]
    assert "no effect: 6" in said[0].stdout
    assert "new run: 2, no effect: 4" in said[3].stdout
    assert said[3].stdout == said[4].stdout == said[5].stdout


def test_findings_are_said_again(
    repo: MakesWorkspace, run_cli: RunsCommand, compared: list[str]
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    Repository.of(root)
    file = root / "experiments/b/experiment.yaml"
    file.write_text(f"{EXPERIMENT.format('b')}env: {{NCCL_DEBUGG: INFO}}\n", encoding="utf-8")
    first = run_cli("diff", "--against", "HEAD", "-C", root)
    compared.clear()
    again = run_cli("diff", "--against", "HEAD", "-C", root)
    strictly = run_cli("diff", "--against", "HEAD", "--exit-code", "-C", root)

    assert "GJ20" in first.stderr
    assert (first, []) == (again, compared)
    assert 1 == strictly.exit_code


def test_what_is_as_it_was_is_not_taken_out_of_git(
    repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a clone may lack it."""
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    Repository.of(root)
    (root / "experiments/b/notes.txt").write_text("8\n", encoding="utf-8")
    written: list[str] = []

    def noted(self: Opened, blobs: Iterable[Blob], folder: Path) -> Path:
        there = [*blobs]
        written.extend(blob.quoted for blob in there)
        return extract(self, there, folder)

    extract = Opened.extract
    monkeypatch.setattr("genjob.git.repository.Repository.extract", noted)
    ran = run_cli("diff", "--against", "HEAD", "-C", root)

    assert "no effect: 6" in ran.stdout
    assert {path for path in written if "/b/" not in path} == {
        "genjob.yaml",
        "environments/dev.yaml",
        "environments/prod.yaml",
    }
    assert any(path.startswith("overlays/dev/b/") for path in written)
