"""The hooks, run by the real pre-commit on real commits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from genjob.authoring.pipelines import Place, pipeline_files

if TYPE_CHECKING:
    from tests.pipelines.repository import Repository

ROOT = Path(__file__).parents[2]
CONFIG = ".pre-commit-config.yaml"
MANIFEST = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def hooks_of(folder: str) -> list[dict[str, Any]]:
    """Return the hooks that `init` writes for a workspace."""
    text = pipeline_files("pre-commit", Place(folder))[CONFIG]
    hooks: list[dict[str, Any]] = yaml.safe_load(text)["repos"][0]["hooks"]
    return hooks


def from_manifest(folder: str) -> list[dict[str, Any]]:
    """Return the hooks of our own repository, for a workspace in a folder."""
    return [{**hook, "args": ["-C", folder]} for hook in MANIFEST]


@pytest.fixture(params=["init", "manifest"])
def hooked(clone: Repository, request: pytest.FixtureRequest) -> Repository:
    """Give a clone with the hooks installed; they run the genjob of this checkout."""
    folder = clone.workspace
    hooks = hooks_of(f"{folder}/") if request.param == "init" else from_manifest(folder)
    for hook in hooks:
        hook.pop("additional_dependencies", None)
        hook |= {"language": "system", "entry": f"{sys.executable} -m {hook['entry']}"}
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (clone.folder / CONFIG).write_text(yaml.safe_dump(config), encoding="utf-8")
    clone.git("add", CONFIG)
    return clone


def pre_commit(clone: Repository, tmp_path: Path) -> tuple[int, str]:
    """Stage everything and run the hooks on what is staged."""
    clone.git("add", "--all")
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "PRE_COMMIT_HOME": str(tmp_path / "store"),
    }
    ran = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--color=never"],
        cwd=clone.folder,
        env=environ,
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    return ran.returncode, ran.stdout


def outcomes(printed: str) -> list[str]:
    """Return how each hook ended."""
    lines = [line.rpartition(".") for line in printed.splitlines() if line.startswith("genjob ")]
    return [end.split(")")[-1] for _, _, end in lines]


def test_the_manifest_and_the_hooks_of_init_say_the_same() -> None:
    keys = ("id", "name", "entry", "language", "pass_filenames")

    assert [{key: hook[key] for key in keys} for hook in MANIFEST] == [
        {key: hook[key] for key in keys} for hook in hooks_of("")
    ]


def test_what_is_rendered_passes(hooked: Repository, tmp_path: Path) -> None:
    hooked.replace("nodes: 2", "nodes: 3")
    hooked.render()
    code, printed = pre_commit(hooked, tmp_path)

    assert (0, ["Passed", "Passed"]) == (code, outcomes(printed)), printed


def test_a_mistake_and_a_stale_overlay_stop_the_commit(hooked: Repository, tmp_path: Path) -> None:
    hooked.replace("nodes: 2", "nodes: 3")
    stale, said = pre_commit(hooked, tmp_path)
    hooked.replace("nodes: 3", "nodse: 3")
    wrong, found = pre_commit(hooked, tmp_path)

    assert (1, 1) == (stale, wrong)
    assert (["Passed", "Failed"], ["Failed", "Failed"]) == (outcomes(said), outcomes(found))
    assert "run `genjob render` and commit" in said
    assert "error: unknown key 'nodse' [GJ101]" in found


@pytest.mark.parametrize(
    ("file", "runs"),
    [
        ("README.md", False),
        ("ml x/README.md", False),
        ("ml x/genjob.yaml", True),
        ("ml x/experiments/hello/train.py", True),
        ("ml x/overlays/dev/hello/note.txt", True),
    ],
)
def test_the_hooks_run_for_the_files_that_matter(
    file: str,
    *,
    runs: bool,
    hooked: Repository,
    tmp_path: Path,
) -> None:
    path = hooked.folder / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    path.write_text(f"{text}\n# edited\n", encoding="utf-8")
    hooked.git("add", file)
    _, printed = pre_commit(hooked, tmp_path)

    assert runs == (["Skipped", "Skipped"] != outcomes(printed)), printed
