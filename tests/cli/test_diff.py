"""`genjob diff`: what is said of each kind of change, as goldens; its options and its bad input.

A golden is `tests/diff/<case>.<face>`; `--update-golden` rewrites them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from genjob.difference.effect import Verdict
from tests.difference.a_repository import BERT, DEV, FILES, LLAMA, PROD, Workspace
from tests.git_repository import Repository
from tests.runs.newer_tool import NewerTool

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import MakesWorkspace, RunsCommand

GOLDEN = Path(__file__).parent.parent / "diff"
PAGE = Path(__file__).parents[2] / "docs/diff.md"

STABLE = "run: {name: stable}\nenvironments: {prod: {}}"
NAMED_STABLE = (LLAMA, "environments: {prod: {}}", STABLE)
NO_QUEUE = (LLAMA, "scheduling: {queue: nlp}\n", "")


def renamed(workspace: Workspace) -> None:
    workspace.move("experiments/llama", "experiments/llama-2")
    workspace.edit("experiments/llama-2/experiment.yaml", "name: llama\n", "name: llama-2\n")


def environment_renamed(workspace: Workspace) -> None:
    workspace.move(DEV, "environments/test.yaml")
    workspace.edit("environments/test.yaml", "name: dev\n", "name: test\n")
    workspace.edit(BERT, "{dev: ", "{test: ")


def grown(workspace: Workspace) -> None:
    workspace.edit(LLAMA, "nodes: 4", "nodes: 8")
    workspace.edit(LLAMA, "--lr=1e-4", "--lr=3e-4")
    workspace.write("experiments/llama/train.py", "print(2)\n")


def taken(workspace: Workspace) -> None:
    workspace.edit(PROD, "ib_tc: 41", "ib_tc: 106")
    workspace.render()
    workspace.repository.commit("held")
    workspace.render("--rerun", "llama")


def added(workspace: Workspace) -> None:
    text = FILES[BERT].replace("name: bert", "name: bart").replace("bert.train", "bart.train")
    workspace.write("experiments/bart/experiment.yaml", f"{text}args: [-v]\nlabels: {{a: b}}\n")


def over_the_quota(workspace: Workspace) -> None:
    text = FILES[LLAMA].replace("name: llama", "name: gpt").replace("nodes: 4", "nodes: 5")
    workspace.write("experiments/gpt/experiment.yaml", text)
    workspace.write("experiments/gpt/train.py", "print(1)\n")


def tree(root: Path) -> dict[str, bytes]:
    """Return the files below a folder, those of Git too."""
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def edit(file: str, old: str, new: str) -> Callable[[Workspace], None]:
    return lambda workspace: workspace.edit(file, old, new)


CASES: dict[str, Callable[[Workspace], None]] = {
    "nothing": edit(LLAMA, "nodes: 4", "nodes: 4  # machines"),
    "new-run": grown,
    "held": edit(PROD, "ib_tc: 41", "ib_tc: 106"),
    "held-and-taken": taken,
    "metadata": edit(LLAMA, "nodes: 4", "nodes: 4\nlabels: {team: nlp}"),
    "shorter-deadline": edit(LLAMA, "72h", "24h"),
    "another-queue": edit(LLAMA, "queue: nlp", "queue: all"),
    "larger-claim": edit(LLAMA, "500Gi", "1Ti"),
    "claim-renamed": edit(LLAMA, "{name: checkpoints", "{name: states"),
    "suspended": edit(BERT, "prod: {}", "prod: {run_policy: {suspend: true}}"),
    "retired": edit(BERT, ", prod: {}", ""),
    "added": added,
    "renamed": renamed,
    "environment-renamed": environment_renamed,
    "over-the-quota": over_the_quota,
}
"""Case → what is edited after the commit."""


@pytest.fixture
def workspace(repo: MakesWorkspace, run_cli: RunsCommand) -> Workspace:
    """Give a workspace that was rendered and committed."""
    return Workspace.committed(repo, run_cli)


def compare(name: str, found: str, *, update_golden: bool) -> None:
    """See that a text is the golden of this name."""
    golden = GOLDEN / name
    if update_golden:
        golden.write_text(found, encoding="utf-8", newline="\n")
    assert golden.read_text(encoding="utf-8") == found


@pytest.mark.parametrize("case", CASES)
def test_a_change_is_said_like_this(
    case: str, workspace: Workspace, *, update_golden: bool
) -> None:
    CASES[case](workspace)

    compare(f"{case}.txt", workspace.shown(), update_golden=update_golden)


@pytest.mark.parametrize("case", CASES)
def test_it_is_the_same_before_and_after_rendering(case: str, workspace: Workspace) -> None:
    CASES[case](workspace)
    before = workspace.shown()
    workspace.render()

    assert before == workspace.shown()


@pytest.mark.parametrize("name", ["evicted", "mixed"])
def test_an_edit_of_a_run_with_a_stable_name_is_said_like_this(
    name: str, repo: MakesWorkspace, run_cli: RunsCommand, *, update_golden: bool
) -> None:
    edits = [NAMED_STABLE, *([NO_QUEUE] if name == "mixed" else [])]
    workspace = Workspace.committed(repo, run_cli, *edits)
    workspace.edit(LLAMA, "llama:2.6.0", "llama:2.7.0")

    compare(f"{name}.txt", workspace.shown(), update_golden=update_golden)


@pytest.mark.parametrize("case", ["new-run", "held", "renamed"])
def test_a_comment_is_like_this(case: str, workspace: Workspace, *, update_golden: bool) -> None:
    CASES[case](workspace)

    compare(f"{case}.md", workspace.shown("--format", "markdown"), update_golden=update_golden)


def test_json_is_like_this(workspace: Workspace, *, update_golden: bool) -> None:
    CASES["held"](workspace)
    commit = workspace.repository.git("rev-parse", "HEAD")

    found = workspace.diff("--format", "json").stdout.replace(commit, "COMMIT")

    compare("held.json", found, update_golden=update_golden)


def test_objects_are_shown_on_demand(workspace: Workspace, *, update_golden: bool) -> None:
    CASES["metadata"](workspace)

    compare("objects.txt", workspace.shown("--objects"), update_golden=update_golden)


def test_colours_are_for_terminals_alone(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    CASES["new-run"](workspace)
    plain = workspace.shown("--objects")
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)

    coloured = workspace.shown("--objects")

    assert "\x1b" not in plain
    assert plain == click.unstyle(coloured)
    assert {"\x1b[32m", "\x1b[31m"} <= {*re.findall(r"\x1b\[3[12]m", coloured)}


def test_an_environment_can_be_chosen(workspace: Workspace) -> None:
    CASES["held"](workspace)
    workspace.edit(DEV, "namespace: ml-dev", "namespace: ml-dev\nlabels: {a: b}")

    assert "prod" not in workspace.shown("--env", "dev")
    assert workspace.shown() == workspace.shown("--env", "dev", "--env", "prod")


def test_an_unknown_environment_is_an_error(workspace: Workspace) -> None:
    ran = workspace.diff("--env", "porod")

    assert 1 == ran.exit_code
    assert "there is no environment 'porod'" in ran.stderr
    assert "did you mean 'prod'?" in ran.stderr


def test_a_difference_is_no_failure_unless_one_asks(workspace: Workspace) -> None:
    assert 0 == workspace.diff("--exit-code").exit_code
    CASES["metadata"](workspace)

    assert [0, 1] == [workspace.diff(*words).exit_code for words in ((), ("--exit-code",))]


def test_a_branch_is_compared_with_where_it_began(workspace: Workspace) -> None:
    workspace.repository.git("checkout", "--quiet", "-b", "branch")
    CASES["new-run"](workspace)
    workspace.render()
    workspace.repository.commit()
    workspace.repository.git("checkout", "--quiet", "main")
    CASES["shorter-deadline"](workspace)
    workspace.render()
    workspace.repository.commit()
    workspace.repository.git("checkout", "--quiet", "branch")

    assert "new run: 1, no effect: 2\n" in workspace.shown()
    assert "active_deadline  24h → 72h" in workspace.shown("--against", "main")
    assert "no effect: 3\n" in workspace.shown("--against", "HEAD")


def test_nothing_is_written_and_nothing_is_staged(workspace: Workspace) -> None:
    CASES["new-run"](workspace)
    before = tree(workspace.root)

    workspace.shown()

    assert before == tree(workspace.root)


def test_a_workspace_in_a_folder_of_its_repository_is_found(
    tmp_path: Path, run_cli: RunsCommand
) -> None:
    root = tmp_path / "repository/ml/work space"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    run_cli("render", "--all", "-C", root)
    workspace = Workspace(root, run_cli, Repository.of(tmp_path / "repository"))
    CASES["new-run"](workspace)

    golden = (GOLDEN / "new-run.txt").read_text(encoding="utf-8")
    assert golden == workspace.shown()


def test_folders_that_have_moved_since_are_found_where_they_were(workspace: Workspace) -> None:
    workspace.write("genjob.yaml", "paths: {experiments: jobs, overlays: out}\n")
    workspace.move("experiments", "jobs")
    workspace.remove("overlays")
    workspace.render()

    assert "no effect: 3\n" in workspace.shown()


def test_what_was_never_rendered_is_compared_by_its_files(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo(FILES)
    workspace = Workspace(root, run_cli, Repository.of(root))
    CASES["new-run"](workspace)

    golden = (GOLDEN / "new-run.txt").read_text(encoding="utf-8")
    assert golden == workspace.shown()


def test_what_an_engine_applies_counts_and_not_what_should_have_been_rendered(
    workspace: Workspace,
) -> None:
    CASES["new-run"](workspace)
    workspace.repository.commit("edited and not rendered")
    workspace.render()

    assert "new run: 1, no effect: 2\n" in workspace.shown()


def test_a_newer_version_of_the_program_is_said_of_every_run(
    workspace: Workspace, tmp_path: Path
) -> None:
    shown = NewerTool(tmp_path / "newer")("diff", "-C", workspace.root)

    assert "metadata only: 3\n" in shown
    assert "no file says so: this version of genjob renders otherwise" in shown
    *_, held = shown.split("held back as before, or by this version of genjob\n")
    assert ["dev: bert", "prod: bert", "prod: llama"] == re.findall(
        r"priorityClassName in (.*)$", held, re.MULTILINE
    )


def test_changes_that_are_alike_are_told_once(workspace: Workspace) -> None:
    workspace.edit(PROD, "namespace: ml-prod", "namespace: ml-other")

    assert "llama and 1 more in prod: held" in workspace.shown()
    assert "\n\nthe same: bert\n\n" in workspace.shown("--format", "markdown")


def test_what_was_held_before_is_no_news(workspace: Workspace) -> None:
    CASES["held"](workspace)
    workspace.render()
    workspace.repository.commit()

    shown = workspace.shown()

    assert "no effect: 3\n" in shown
    assert shown.endswith(
        "held back as before, or by this version of genjob\n  NCCL_IB_TC in prod: llama\n"
    )


# bad input


def test_a_folder_that_is_no_repository_says_so(
    repo: MakesWorkspace, run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo(FILES)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))

    ran = run_cli("diff", "-C", root)

    assert (1, "") == (ran.exit_code, ran.stdout)
    assert ".:1:1: error: this workspace is in no Git repository" in ran.stderr


def test_a_revision_without_a_workspace_makes_everything_new(workspace: Workspace) -> None:
    git = workspace.repository.git
    git("checkout", "--quiet", "--orphan", "empty")
    git("rm", "--quiet", "-r", "--cached", ".")
    git("commit", "--quiet", "--allow-empty", "--message", "empty")
    git("checkout", "--quiet", "--force", "main")

    ran = workspace.diff("--against", "empty")

    assert 0 == ran.exit_code
    assert ".:1:1: warning: there is no workspace at 'empty', so everything is new [GJ823]" in (
        ran.stderr
    )
    assert "new experiment: 3\n" in ran.stdout


@pytest.mark.parametrize("file", [LLAMA, PROD])
def test_a_file_of_an_older_version_is_compared_as_it_was_committed(
    file: str, workspace: Workspace
) -> None:
    workspace.edit(file, "genjob/v1", "genjob/v0")
    old = workspace.repository.commit("an older version")
    workspace.edit(file, "genjob/v0", "genjob/v1")
    CASES["new-run"](workspace)

    ran = workspace.diff()

    assert 0 == ran.exit_code
    warning = f"{old[:9]}:{file}:1:10: warning: the file cannot be used as it was: "
    assert ran.stderr.startswith(f"{warning}found 'genjob/v0' (string); expected")
    assert "new run: 1, no effect: 2\n" in ran.stdout


def test_what_can_neither_be_read_nor_built_cannot_be_compared(workspace: Workspace) -> None:
    workspace.edit(LLAMA, "genjob/v1", "genjob/v0")
    workspace.write("overlays/prod/llama/patch.yaml", "# Rendered by genjob\n- op: x\n")
    workspace.repository.commit("broken")
    workspace.edit(LLAMA, "genjob/v0", "genjob/v1")
    workspace.remove("overlays/prod/llama")
    workspace.render()

    assert "cannot be compared: 1, no effect: 2\n" in workspace.diff().stdout


def test_a_conflict_marker_is_an_error_and_the_rest_is_compared(workspace: Workspace) -> None:
    CASES["suspended"](workspace)
    text = (workspace.root / LLAMA).read_text(encoding="utf-8")
    marked = text.replace("nodes: 4\n", "<<<<<<< ours\nnodes: 4\n=======\nnodes: 8\n>>>>>>> x\n")
    workspace.write(LLAMA, marked)

    ran = workspace.diff()
    comment = workspace.diff("--format", "markdown").stdout

    assert 1 == ran.exit_code
    assert f"{LLAMA}:6:1: error: found a Git conflict marker" in ran.stderr
    assert "evicts a running job: 1, cannot be compared: 1, no effect: 1\n" in ran.stdout
    assert "**1 error: this cannot be rendered.** `genjob validate` shows them." in comment


def test_a_conflict_marker_at_the_revision_is_a_warning(workspace: Workspace) -> None:
    workspace.edit(LLAMA, "nodes: 4\n", "<<<<<<< ours\nnodes: 4\n=======\nnodes: 8\n>>>>>>> x\n")
    workspace.repository.commit("a conflict")
    workspace.write(LLAMA, FILES[LLAMA])

    ran = workspace.diff()

    assert 0 == ran.exit_code
    assert "[GJ824]" in ran.stderr
    assert "no effect: 3\n" in ran.stdout


def test_a_value_that_no_yaml_carries_is_shown_all_the_same(workspace: Workspace) -> None:
    workspace.edit(LLAMA, "args: [--lr=1e-4]", 'args: ["\\ufffe"]')

    ran = workspace.diff("--objects")

    assert 1 == ran.exit_code
    assert "[GJ609]" in ran.stderr
    assert r"\ufffe" in ran.stdout


def test_a_renamed_experiment_that_cannot_be_rendered_is_not_retired(workspace: Workspace) -> None:
    CASES["renamed"](workspace)
    workspace.edit("experiments/llama-2/experiment.yaml", "nodes: 4", "nodes: four")

    assert "cannot be compared: 1, no effect: 2\n" in workspace.diff().stdout


def test_an_unprotected_claim_that_goes_is_deleted_with_its_data(workspace: Workspace) -> None:
    claim = workspace.root / "bases/llama/pvc-checkpoints.yaml"
    text = claim.read_text(encoding="utf-8")
    kept = re.sub(r"  annotations:\n(    .*\n)+", "", text)
    assert kept != text
    workspace.write("bases/llama/pvc-checkpoints.yaml", kept)
    workspace.repository.commit("by hand")
    workspace.remove("experiments/llama")

    shown = workspace.shown()

    assert "deletes data: 1, no effect: 2\n" in shown
    assert "claim 'llama-checkpoints' is deleted with its data" in shown


def test_a_comment_keeps_its_totals_in_little_room(workspace: Workspace) -> None:
    CASES["new-run"](workspace)

    comment = workspace.shown("--format", "markdown", "--limit", "4000")

    assert 4000 >= len(comment.encode())
    assert "**new run: 1, no effect: 2**" in comment
    assert "All of it: `genjob diff --objects --against COMMIT`" in comment


@pytest.mark.parametrize("case", ["new-run", "renamed", "environment-renamed"])
def test_json_says_what_text_says(case: str, workspace: Workspace) -> None:
    CASES[case](workspace)

    found = json.loads(workspace.diff("--format", "json").stdout)

    counts = ", ".join(f"{verdict}: {count}" for verdict, count in found["verdicts"].items())
    assert f"\n{counts}\n" in (GOLDEN / f"{case}.txt").read_text(encoding="utf-8")
    assert {run["verdict"] for run in found["runs"]} == {*found["verdicts"]} - {"no effect"}


def test_an_overlay_that_did_not_build_is_what_its_files_said(workspace: Workspace) -> None:
    workspace.write("overlays/prod/llama/patch.yaml", "# Rendered by genjob\n- op: x\n")
    workspace.repository.commit("broken")
    workspace.remove("overlays/prod/llama")
    workspace.render()

    assert "no effect: 3\n" in workspace.shown()


def test_an_environment_that_was_not_rendered_is_new(workspace: Workspace) -> None:
    workspace.remove("overlays/dev")
    workspace.repository.commit("not rendered")

    for words in ((), ("--env", "dev")):
        assert "new experiment: 1" in workspace.shown(*words)


def test_a_partial_clone_is_not_filled(workspace: Workspace, tmp_path: Path) -> None:
    workspace.edit(LLAMA, "nodes: 4", "nodes: 5")
    workspace.repository.commit()
    for option in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        workspace.repository.git("config", option, "true")
    for kind in ("blob:none", "tree:0"):
        clone = workspace.repository.clone(tmp_path / kind[:4], f"--filter={kind}")

        ran = workspace.run_cli("diff", "--against", "HEAD~1", "-C", clone.root)

        assert (1, "") == (ran.exit_code, ran.stdout)
        assert ran.stderr.startswith(".:1:1: error: this clone does not have all files of 'HEAD~1'")
        hint = re.search("`git (fetch .*)`", ran.stderr)
        assert hint is not None
        clone.git(*hint[1].split())
        assert 0 == workspace.run_cli("diff", "--against", "HEAD~1", "-C", clone.root).exit_code


def test_an_unknown_revision_is_an_error(workspace: Workspace) -> None:
    ran = workspace.diff("--against", "v9")

    assert (1, "") == (ran.exit_code, ran.stdout)
    assert ".:1:1: error: found no commit 'v9' in this clone [GJ821]" in ran.stderr


# the engine


REPOSITORY = "repo: {url: https://git.example.com/ml/jobs.git}\n"


def with_engine(repo: MakesWorkspace, run_cli: RunsCommand, engine: str) -> Workspace:
    """Return a workspace that an engine applies, rendered and committed."""
    root = repo({**FILES, "genjob.yaml": f"{REPOSITORY}gitops: {{engine: {engine}}}\n"})
    workspace = Workspace(root, run_cli, Repository(root))
    workspace.render()
    Repository.of(root)
    return workspace


def test_another_engine_is_said_with_what_to_do(
    repo: MakesWorkspace, run_cli: RunsCommand, *, update_golden: bool
) -> None:
    workspace = with_engine(repo, run_cli, "argocd")
    workspace.edit("genjob.yaml", "argocd", "flux")

    compare("another-engine.txt", workspace.shown(), update_golden=update_golden)
    assert "dev: argocd → flux: two engines" in workspace.shown("--format", "markdown")


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_what_an_engine_reads_is_compared_too(
    engine: str, repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    workspace = with_engine(repo, run_cli, engine)
    assert "what the GitOps engine reads" not in workspace.shown()
    workspace.edit("genjob.yaml", "jobs.git", "other.git")

    found = json.loads(workspace.diff("--format", "json").stdout)

    assert {"no effect": 3} == found["verdicts"]
    assert {engine} == {each["path"].split("/")[1] for each in found["wiring"]}
    assert 1 == workspace.diff("--exit-code").exit_code
    assert "other.git" in workspace.shown("--objects")


# the page


def test_the_page_shows_a_golden() -> None:
    golden = (GOLDEN / "new-run.txt").read_text(encoding="utf-8").replace("COMMIT", "31e0d56b0")

    assert f"```text\n{golden}```" in PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_verdict_in_its_order() -> None:
    rows = re.findall(
        r"^\| ([A-Za-z ]+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.ASCII
    )

    assert [*Verdict] == [row for row in rows if row in {*Verdict}]


def test_the_verdicts_of_the_gitops_page_are_those_that_are_said() -> None:
    text = (PAGE.parent / "gitops.md").read_text(encoding="utf-8")
    table = text.partition("| change | verdict |")[2].partition("\n\n")[0]
    cells = [row.split("|")[2].strip() for row in table.splitlines()[2:]]
    said = {cell.split(",")[0].split(":")[0].split(";")[0].split(" and ")[0] for cell in cells}

    assert said - {*Verdict} == {"none", "every run of it ends", "see below"}
