"""What a researcher changes starts a run when it reaches the pods, and only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.runs.identity import run_hash
from tests.runs.a_workspace import DEV, EXPERIMENT, FILES, PROD, Workspace

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

SCRIPT = "experiments/a/train.py"

STARTS: dict[str, tuple[str, str, str]] = {
    "an image": (EXPERIMENT, "train:1.0", "train:1.1"),
    "a variable": (EXPERIMENT, "LR: 1e-4", "LR: 2e-4"),
    "a number that is spelled otherwise, as text": (EXPERIMENT, "LR: 1e-4", "LR: 0.0001"),
    "a setting": (EXPERIMENT, "EPOCHS: 10", "EPOCHS: 11"),
    "an argument": (EXPERIMENT, "nodes: 2", "nodes: 2\nargs: [-v]"),
    "the number of nodes": (EXPERIMENT, "nodes: 2", "nodes: 3"),
    "memory": (EXPERIMENT, "64Gi", "65Gi"),
    "a mount": (EXPERIMENT, "mount_path: /data", "mount_path: /data2"),
    "a file beside": (SCRIPT, "print(1)", "print(2)"),
    "its part for this environment": (EXPERIMENT, "prod: {}", "prod: {args: [-v]}"),
    "something for the Master": (EXPERIMENT, "nodes: 2", "nodes: 2\nmaster: {args: [-v]}"),
}
"""An edit of the researcher that reaches the pods of prod."""

STAYS: dict[str, tuple[str, str, str]] = {
    "a label": (EXPERIMENT, "nodes: 2", "nodes: 2\nlabels: {team: nlp}"),
    "an annotation": (EXPERIMENT, "nodes: 2", "nodes: 2\nannotations: {note: x}"),
    "a run policy": (EXPERIMENT, "nodes: 2", "nodes: 2\nrun_policy: {backoff_limit: 7}"),
    "a comment": (EXPERIMENT, "nodes: 2", "nodes: 2  # two"),
    "the order of keys": (
        EXPERIMENT,
        "image: train:1.0\nscript: /code/train.py",
        "script: /code/train.py\nimage: train:1.0",
    ),
    "an equal amount": (EXPERIMENT, "64Gi", "65536Mi"),
    "a default that is written down": (EXPERIMENT, "nodes: 2", "nodes: 2\nlauncher: torchrun"),
    "a larger claim": (EXPERIMENT, "size: 1Ti", "size: 2Ti"),
    "another environment": (EXPERIMENT, "dev: {nodes: 1}", "dev: {nodes: 2}"),
    "the queue": (EXPERIMENT, "queue: nlp, ", "queue: nlp-1, "),
}
"""An edit of the researcher that does not."""

HELD = (PROD, "REGION: eu", "REGION: us")


@pytest.fixture
def workspace(repo: MakesWorkspace, run_cli: RunsCommand) -> Workspace:
    """Give a workspace that was rendered once."""
    return Workspace.rendered(repo, run_cli)


def region(workspace: Workspace) -> str:
    """Return what the pods get from their environment."""
    worker = workspace.job()["spec"]["pytorchReplicaSpecs"]["Worker"]
    entries = worker["template"]["spec"]["containers"][0]["env"]
    return next(str(entry["value"]) for entry in entries if entry["name"] == "REGION")


def test_a_run_is_named_by_its_experiment_and_its_content(workspace: Workspace) -> None:
    job = workspace.job()

    assert f"a-{run_hash(job)}" == workspace.run()
    assert workspace.run("dev") != workspace.run()


def test_a_run_is_found_by_its_labels(workspace: Workspace) -> None:
    job = workspace.job()
    pods = [role["template"] for role in job["spec"]["pytorchReplicaSpecs"].values()]
    expected = {
        "genjob.dev/experiment": "a",
        "genjob.dev/environment": "prod",
        "genjob.dev/run": workspace.run(),
    }

    for body in (job, *pods):
        labels = body["metadata"]["labels"]
        assert expected == {key: labels[key] for key in expected}


def test_the_pods_of_a_run_keep_apart_by_its_name(workspace: Workspace) -> None:
    assert f'"training.kubeflow.org/job-name": "{workspace.run()}"' in str(
        workspace.job()["spec"]
    ).replace("'", '"')


@pytest.mark.parametrize("what", STARTS)
def test_a_new_run_starts_with(what: str, workspace: Workspace) -> None:
    before = workspace.run()
    workspace.edit(*STARTS[what])

    workspace.render()

    assert before != workspace.run()
    assert "is what would be rendered" in workspace.render("--all", "--check")


@pytest.mark.parametrize("what", STARTS)
def test_a_new_run_takes_all_that_was_held_back_with(what: str, workspace: Workspace) -> None:
    before = workspace.run()
    workspace.edit(*HELD)
    workspace.render()
    assert (before, "eu") == (workspace.run(), region(workspace))
    workspace.edit(*STARTS[what])

    said = workspace.render()

    assert "held" not in said
    assert before != workspace.run()
    assert "us" == region(workspace)


@pytest.mark.parametrize("what", STAYS)
def test_the_run_goes_on_with(what: str, workspace: Workspace) -> None:
    before = workspace.run(), workspace.lock()["hash"]
    workspace.edit(*STAYS[what])

    said = workspace.render()

    assert "held" not in said
    assert before == (workspace.run(), workspace.lock()["hash"])


@pytest.mark.parametrize("what", STAYS)
def test_a_held_run_stays_held_with(what: str, workspace: Workspace) -> None:
    before = workspace.reaches_pods(), workspace.run()
    workspace.edit(*HELD)
    workspace.edit(*STAYS[what])

    for _ in range(2):
        said = workspace.render()

        assert "1 run held: prod changed REGION" in said
        assert before == (workspace.reaches_pods(), workspace.run())


def test_the_claim_of_a_held_run_grows(workspace: Workspace) -> None:
    workspace.edit(*HELD)
    workspace.edit(*STAYS["a larger claim"])
    workspace.render()

    sizes = [b["spec"] for b in workspace.built() if b["kind"] == "PersistentVolumeClaim"]
    assert "'storage': '2Ti'" in str(sizes)


def test_a_default_against_the_environment_is_an_edit(workspace: Workspace) -> None:
    """`launcher: torchrun` says something where the environment says otherwise."""
    workspace.edit(PROD, "defaults: {", "defaults: {launcher: python, ")
    workspace.render("--all", "--rerun", "a")
    before = workspace.run()
    workspace.edit(EXPERIMENT, "nodes: 2", "nodes: 2\nlauncher: torchrun")

    said = workspace.render()

    assert "held" not in said
    assert before != workspace.run()


def test_a_rerun_takes_what_is_held_back_as_a_new_run(workspace: Workspace) -> None:
    runs = workspace.run(), workspace.run("dev")
    workspace.edit(*HELD)

    said = workspace.render("--env", "prod", "--rerun", "a")

    assert "held" not in said
    assert runs[0] != workspace.run()
    assert runs[1] == workspace.run("dev")
    assert "us" == region(workspace)
    assert workspace.holds_the_laws()


def test_a_rerun_in_one_environment_leaves_the_other_held(workspace: Workspace) -> None:
    """Also where its overlay is written again, because the base changes."""
    runs = workspace.run(), workspace.run("dev")
    workspace.edit(*HELD)
    workspace.edit(DEV, "ml-dev\n", "ml-dev\ndefaults: {env: {REGION: us}}\n")
    workspace.edit(EXPERIMENT, "nodes: 2", "nodes: 2\nlabels: {team: nlp}")

    said = workspace.render("--env", "prod", "--rerun", "a")

    assert "1 run held: dev changed REGION (a)\n" in said
    assert runs[0] != workspace.run()
    assert runs[1] == workspace.run("dev")
    assert "nlp" == workspace.job("dev")["metadata"]["labels"]["team"]
    assert workspace.holds_the_laws()


def test_a_rerun_of_what_is_not_held_says_how_to_run_the_same_once_more(
    workspace: Workspace,
) -> None:
    before = workspace.run()

    said = workspace.render("--all", "--rerun", "a")

    assert before == workspace.run()
    assert said.startswith(
        "the run of a stays: what reaches its pods is the same; `run: {id: …}` runs the same once "
        "more\n"
    )


def test_a_rerun_takes_a_policy_that_is_held_back_into_the_run(workspace: Workspace) -> None:
    before = workspace.run()
    workspace.edit(PROD, "defaults: {", "defaults: {run_policy: {active_deadline: 1h}, ")
    workspace.render()
    assert "activeDeadlineSeconds" not in workspace.job()["spec"]["runPolicy"]

    workspace.render("--all", "--rerun", "a")

    assert before == workspace.run()
    assert 3600 == workspace.job()["spec"]["runPolicy"]["activeDeadlineSeconds"]
    assert "is what would be rendered" in workspace.render("--all", "--check")


def test_a_rerun_leaves_a_run_in_its_queue(workspace: Workspace) -> None:
    """Kueue refuses another one once it has admitted the job."""
    queue = "kueue.x-k8s.io/queue-name"
    workspace.edit(PROD, "local_queue: nlp-1", "local_queue: nlp-2")

    said = workspace.render("--all", "--rerun", "a")

    assert "1 run held: prod changed queue (a)\n" in said
    assert "nlp-1" == workspace.job()["metadata"]["labels"][queue]
    workspace.edit(EXPERIMENT, "nodes: 2", with_id(2))
    workspace.render()
    assert "nlp-2" == workspace.job()["metadata"]["labels"][queue]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--all", "--rerun", "b"), 1, "there is no experiment 'b' [GJ109]"),
        (("c", "--all", "--rerun", "a"), 2, "--rerun a: it is not among what is rendered"),
    ],
)
def test_a_rerun_of_what_is_not_rendered_is_refused(
    words: tuple[str, ...], code: int, said: str, workspace: Workspace
) -> None:
    text = FILES[EXPERIMENT].replace("name: a", "name: c").replace(", files: [train.py]}", "}")
    other = workspace.root / "experiments/c/experiment.yaml"
    other.parent.mkdir()
    other.write_text(text.replace("mount_path: /code", "mount_path: /code, empty_dir: {}"))

    ran = workspace.genjob("render", *words)

    assert code == ran.exit_code
    assert said in ran.stderr


STABLE = ("nodes: 2", "nodes: 2\nrun: {name: stable}")


def test_a_stable_name_is_that_of_the_experiment_and_an_edit_changes_the_run_in_place(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    files = FILES | {EXPERIMENT: FILES[EXPERIMENT].replace(*STABLE)}
    workspace = Workspace.rendered(lambda _: repo(files), run_cli)
    before = workspace.lock()["hash"]
    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")

    workspace.render()

    assert ("a", "a") == (workspace.run(), workspace.run("dev"))
    assert before != workspace.lock()["hash"]


def test_a_stable_run_is_held_all_the_same(repo: MakesWorkspace, run_cli: RunsCommand) -> None:
    files = FILES | {EXPERIMENT: FILES[EXPERIMENT].replace(*STABLE)}
    workspace = Workspace.rendered(lambda _: repo(files), run_cli)
    before = workspace.reaches_pods()
    workspace.edit(*HELD)

    assert "1 run held: prod changed REGION (a)" in workspace.render()
    assert before == workspace.reaches_pods()


def with_id(number: int) -> str:
    return f'nodes: 2\nrun: {{id: "{number}"}}'


def test_an_id_names_a_run_and_the_same_runs_again_under_another(workspace: Workspace) -> None:
    pods = workspace.lock()["hash"]
    workspace.edit(EXPERIMENT, "nodes: 2", with_id(3))
    workspace.render()
    assert ("a-3", pods) == (workspace.run(), workspace.lock()["hash"])
    workspace.edit(EXPERIMENT, with_id(3), with_id(4))

    workspace.render()

    assert ("a-4", pods) == (workspace.run(), workspace.lock()["hash"])
    assert workspace.holds_the_laws()


def test_a_change_under_an_id_that_is_taken_is_refused_and_changes_nothing(
    workspace: Workspace,
) -> None:
    workspace.edit(EXPERIMENT, "nodes: 2", with_id(3))
    workspace.render()
    before = workspace.built()
    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")

    ran = workspace.genjob("render", "--all")

    assert 1 == ran.exit_code
    assert "error: run 'a-3' was rendered with other pods [GJ713]" in ran.stderr
    assert before == workspace.built()
    workspace.edit(EXPERIMENT, with_id(3), with_id(4))
    workspace.render()
    assert "a-4" == workspace.run()


def test_a_run_with_an_id_is_held_and_a_rerun_needs_another_id(workspace: Workspace) -> None:
    workspace.edit(EXPERIMENT, "nodes: 2", with_id(3))
    workspace.render()
    workspace.edit(*HELD)

    assert "1 run held: prod changed REGION (a)" in workspace.render()
    ran = workspace.genjob("render", "--all", "--rerun", "a")
    assert 1 == ran.exit_code
    assert "[GJ713]" in ran.stderr


def test_a_run_keeps_its_name_when_its_id_is_taken_away(workspace: Workspace) -> None:
    workspace.edit(EXPERIMENT, "nodes: 2", with_id(3))
    workspace.render()
    workspace.edit(EXPERIMENT, with_id(3), "nodes: 2")

    workspace.render()

    assert "a-3" == workspace.run()


@pytest.mark.parametrize("name", ["Warm", "-1", "1-", "a_b", "a.b", '""'])
def test_an_id_that_no_name_can_end_with_is_refused(name: str, workspace: Workspace) -> None:
    workspace.edit(EXPERIMENT, "nodes: 2", f"nodes: 2\nrun: {{id: {name}}}")

    ran = workspace.genjob("validate")

    assert 1 == ran.exit_code
    assert "[GJ103]" in ran.stderr
