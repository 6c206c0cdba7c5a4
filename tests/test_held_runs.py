"""Edits around a run hold it, byte for byte in what reaches its pods, and are said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.runs.identity import objects_digest
from tests.rendered_workspace import read_texts
from tests.runs.a_workspace import DEV, EXPERIMENT, FILES, PROD, Workspace
from tests.runs.newer_tool import NewerTool

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

ADVICE = (
    "a held run stays as it was rendered; `--rerun NAME` takes the change, as a new run when it "
    "reaches the pods\n"
)
UNCHANGED = "1 experiment, 2 overlays: 17 unchanged\n"

DEFAULTS = "defaults: {"
HELD: dict[str, tuple[str, str]] = {
    "REGION": ("REGION: eu", "REGION: us"),
    "NCCL_IB_TC": ("REGION: eu", "REGION: eu, NCCL_IB_TC: 106"),
    "namespace": ("namespace: ml-prod", "namespace: ml-other"),
    "image": ("labels:", "registry: {mirror: {docker.io: hub.example.com}}\nlabels:"),
    "envFrom": ("SITE: x", "SITE: y"),
    "cpu": (DEFAULTS, f"{DEFAULTS}resources: {{cpu: 4}}, "),
    "queue": ("local_queue: nlp-1", "local_queue: nlp-2"),
    "activeDeadlineSeconds": (DEFAULTS, f"{DEFAULTS}run_policy: {{active_deadline: 1h}}, "),
    "restartPolicy": (DEFAULTS, f"{DEFAULTS}run_policy: {{restart_policy: Never}}, "),
    "/x, x": (DEFAULTS, f"{DEFAULTS}storage: [{{name: x, mount_path: /x, empty_dir: {{}}}}], "),
}
"""What is said to have changed → an edit of the environment."""


@pytest.fixture
def workspace(repo: MakesWorkspace, run_cli: RunsCommand) -> Workspace:
    """Give a workspace that was rendered once."""
    return Workspace.rendered(repo, run_cli)


def rendered_files(workspace: Workspace) -> dict[str, str]:
    return {
        f"{folder}/{path}": text
        for folder in ("bases", "overlays")
        for path, text in read_texts(workspace.root / folder).items()
    }


@pytest.mark.parametrize("what", HELD)
def test_an_edit_of_the_environment_changes_no_byte_and_is_said(
    what: str, workspace: Workspace
) -> None:
    before = rendered_files(workspace)
    workspace.edit(PROD, *HELD[what])

    said = workspace.render()

    assert f"1 run held: prod changed {what} (a)\n{ADVICE}{UNCHANGED}" == said
    assert before == rendered_files(workspace)


def test_check_and_verify_agree_with_held_runs(workspace: Workspace) -> None:
    for what in ("REGION", "namespace", "image", "envFrom", "queue", "restartPolicy"):
        workspace.edit(PROD, *HELD[what])
    workspace.edit(DEV, "ml-dev", "ml-dev-2")

    said = workspace.render()

    assert said.startswith("1 run held: dev changed namespace (a)\n1 run held: prod changed ")
    assert workspace.holds_the_laws()


def test_an_edit_that_is_taken_back_leaves_nothing_held(workspace: Workspace) -> None:
    workspace.edit(PROD, "REGION: eu", "REGION: us")
    workspace.render()
    workspace.edit(PROD, "REGION: us", "REGION: eu")

    assert UNCHANGED == workspace.render()


def test_runs_that_one_change_holds_are_counted_together(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    text = FILES[EXPERIMENT].replace(", files: [train.py]}", ", empty_dir: {}}")
    more = {f"experiments/{n}/experiment.yaml": text.replace("name: a", f"name: {n}") for n in "bc"}
    workspace = Workspace(repo(FILES | more), run_cli)
    workspace.render()
    workspace.edit(PROD, "REGION: eu", "REGION: us")

    assert f"3 runs held: prod changed REGION (a, b, c)\n{ADVICE}" in workspace.render()


def test_many_changes_and_runs_are_shortened(workspace: Workspace) -> None:
    workspace.edit(PROD, "REGION: eu", "A: 1, B: 1, C: 1, D: 1, E: 1")

    assert "prod changed A, B, C, D, and 2 more (a)\n" in workspace.render()


def test_labels_and_run_policy_reach_a_held_run_and_its_pods_do_not_change(
    workspace: Workspace,
) -> None:
    before = workspace.reaches_pods()
    workspace.edit(PROD, "REGION: eu", "REGION: us")
    edited = "labels: {team: nlp}\nrun_policy: {backoff_limit: 7}\nnodes: 2"
    workspace.edit(EXPERIMENT, "nodes: 2", edited)

    said = workspace.render()

    job = workspace.job()
    assert said.startswith("1 run held: prod changed REGION (a)\n")
    assert before == workspace.reaches_pods()
    assert "nlp" == job["metadata"]["labels"]["team"]
    assert 7 == job["spec"]["runPolicy"]["backoffLimit"]
    assert workspace.holds_the_laws()


def test_labels_of_the_environment_reach_a_held_run(workspace: Workspace) -> None:
    workspace.edit(PROD, "REGION: eu", "REGION: us")
    workspace.edit(PROD, "owner: platform", "owner: infra")
    workspace.render()

    assert "infra" == workspace.job()["metadata"]["labels"]["owner"]


def test_suspend_of_the_researcher_reaches_a_held_run(workspace: Workspace) -> None:
    workspace.edit(DEV, "ml-dev\n", "ml-dev\ndefaults: {env: {REGION: us}}\n")
    workspace.edit(EXPERIMENT, "queue: nlp, ", "")
    workspace.edit(EXPERIMENT, "dev: {", "dev: {run_policy: {suspend: true}, ")

    said = workspace.render()

    assert "1 run held: dev changed REGION (a)\n" in said
    assert True is workspace.job("dev")["spec"]["runPolicy"]["suspend"]


def test_a_held_run_keeps_its_config_map_and_its_claim(workspace: Workspace) -> None:
    text = "storage: [{name: more, mount_path: /more, pvc: {size: 1Gi}}], config: {SITE: x}"
    workspace.edit(PROD, "config: {SITE: x}", text)
    workspace.render("--all", "--rerun", "a")
    before = workspace.built()
    workspace.edit(PROD, text, "config: {SITE: y}")

    workspace.render()

    kinds = [str(body["kind"]) for body in workspace.built()]
    assert objects_digest(before) == objects_digest(workspace.built())
    assert 2 == kinds.count("PersistentVolumeClaim")
    assert workspace.holds_the_laws()


def test_a_run_stays_in_its_namespace_until_a_new_one_starts(workspace: Workspace) -> None:
    workspace.edit(PROD, "ml-prod", "ml-other")
    workspace.render()
    assert "ml-prod" == workspace.job()["metadata"]["namespace"]

    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")
    workspace.render()

    assert {"ml-other"} == {body["metadata"]["namespace"] for body in workspace.built()}  # type: ignore[index, call-overload] # objects have it
    assert workspace.holds_the_laws()


def test_a_claim_keeps_its_class_in_every_run(workspace: Workspace) -> None:
    """The API server refuses the change, and the sync of the new run would fail with it."""
    before = [body for body in workspace.built() if body["kind"] == "PersistentVolumeClaim"]
    workspace.edit(PROD, "fast: gp3", "fast: io2")
    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")

    ran = workspace.genjob("render", "--all")

    found = "warning: claim 'a-data' keeps its storage class 'gp3'; it cannot become 'io2' [GJ714]"
    assert 0 == ran.exit_code
    assert found in ran.stderr
    assert before == [b for b in workspace.built() if b["kind"] == "PersistentVolumeClaim"]


def test_build_prints_the_held_run(workspace: Workspace) -> None:
    workspace.edit(PROD, "REGION: eu", "REGION: us")

    ran = workspace.genjob("build", "a", "--env", "prod")

    assert 0 == ran.exit_code
    assert "value: eu\n" in ran.stdout
    assert f"  name: {workspace.run()}\n" in ran.stdout


def test_another_shape_of_the_same_objects_is_the_same_run(workspace: Workspace) -> None:
    """What counts is what base and overlay build to, here with an object that comes and goes."""
    before = workspace.built()
    files = {
        "bases/a/more.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n",
        "overlays/prod/a/more.delete.yaml": "$patch: delete\napiVersion: v1\nkind: ConfigMap\n"
        "metadata: {name: more}\n",
    }
    for path, text in files.items():
        (workspace.root / path).write_text(f"# Rendered by genjob\n{text}", encoding="utf-8")
    workspace.edit("bases/a/kustomization.yaml", "resources:\n", "resources:\n- more.yaml\n")
    overlay = "overlays/prod/a/kustomization.yaml"
    workspace.edit(overlay, "patches:\n", "patches:\n- path: more.delete.yaml\n")
    assert objects_digest(before) == objects_digest(workspace.built())
    workspace.edit(PROD, "REGION: eu", "REGION: us")

    said = workspace.render()

    assert said.startswith("1 run held: prod changed REGION (a)\n")
    assert objects_digest(before) == objects_digest(workspace.built())
    assert not (workspace.root / "bases/a/more.yaml").exists()


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> NewerTool:
    """Give a newer version of the program."""
    return NewerTool(tmp_path_factory.mktemp("newer"))


def essentials(workspace: Workspace) -> list[object]:
    return [workspace.reaches_pods(e) for e in ("dev", "prod")] + [workspace.run()]


def test_a_newer_version_of_the_program_holds_every_run(
    workspace: Workspace, newer: NewerTool
) -> None:
    before, files = essentials(workspace), rendered_files(workspace)
    policies = [workspace.job(e)["spec"]["runPolicy"] for e in ("dev", "prod")]

    said = newer("render", "--all", "-C", workspace.root)

    held = "backoffLimit, NEWER, image, priorityClassName"
    assert f"1 run held: dev changed {held} (a)\n1 run held: prod changed {held} (a)\n" in said
    assert "NEWER" in workspace.text("bases/a/pytorchjob.yaml")
    assert files != rendered_files(workspace)
    assert before == essentials(workspace)
    assert policies == [workspace.job(e)["spec"]["runPolicy"] for e in ("dev", "prod")]
    assert "is what would be rendered" in newer("render", "--all", "--check", "-C", workspace.root)
    assert "2 overlays build to what is meant" in newer("verify", "-C", workspace.root)


def test_a_new_run_is_rendered_by_the_newer_version(workspace: Workspace, newer: NewerTool) -> None:
    newer("render", "--all", "-C", workspace.root)
    workspace.edit(EXPERIMENT, "train:1.0", "train:1.1")

    said = newer("render", "--all", "-C", workspace.root)

    pods = workspace.job()["spec"]["pytorchReplicaSpecs"]
    images = [r["template"]["spec"]["containers"][0]["image"] for r in pods.values()]
    assert "held" not in said
    assert ["train:1.1-newer", "train:1.1-newer"] == images


def test_the_older_version_takes_over_again(workspace: Workspace, newer: NewerTool) -> None:
    before = rendered_files(workspace)
    newer("render", "--all", "-C", workspace.root)

    workspace.render()

    assert before == rendered_files(workspace)
