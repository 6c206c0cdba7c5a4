"""The files of a new workspace and of a new experiment."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from posixpath import normpath

import pytest

from genjob.authoring import editor
from genjob.authoring.outline import description, properties
from genjob.authoring.scaffold import experiment_text, workspace_files
from genjob.model.workspace import Paths

PATHS = [Paths(), Paths(experiments="ml/train/experiments", environments="clusters")]
SNAPSHOT = "schemas/snapshot.schema.json"
"""The schema of the file that `genjob snapshot` writes, which names it."""

WHOLE = {
    "experiment": experiment_text("llama", path="experiments/llama/experiment.yaml"),
    "environment": workspace_files()["environments/prod.yaml"],
    "workspace": workspace_files()["genjob.yaml"],
}


@pytest.mark.parametrize("kind", WHOLE)
def test_a_new_file_names_every_field_of_its_model(kind: str) -> None:
    named = set(re.findall(r"^(?:# )?(\w+):", WHOLE[kind], re.MULTILINE))

    assert {*editor.KINDS[kind].model_fields} == named & {*editor.KINDS[kind].model_fields}


@pytest.mark.parametrize("kind", WHOLE)
def test_a_new_file_has_the_description_of_every_field(kind: str) -> None:
    schema = editor.schema(kind)
    text = " ".join(WHOLE[kind].replace("\n# ", " ").split())
    described = {
        name: " ".join(description(schema, field).split())
        for name, field in properties(schema).items()
    }

    assert [] == [name for name, words in described.items() if not words or words not in text]


@pytest.mark.parametrize("paths", PATHS)
def test_each_file_leads_an_editor_to_its_schema(paths: Paths) -> None:
    files = workspace_files(paths)
    written = {path: text for path, text in files.items() if path.endswith(".yaml")}
    led = {
        normpath(PurePosixPath(path).parent / text.split("\n")[0].partition("$schema=")[2])
        for path, text in written.items()
    }

    assert {f"schemas/{name}" for name in editor.schemas()} == led | {SNAPSHOT}
    assert led <= files.keys()


@pytest.mark.parametrize("paths", PATHS)
def test_the_files_are_where_the_settings_say(paths: Paths) -> None:
    folder, environments = paths.experiments, paths.environments

    assert {
        ".gitattributes",
        "genjob.yaml",
        f"{folder}/hello/experiment.yaml",
        f"{folder}/hello/train.py",
        f"{environments}/dev.yaml",
        f"{environments}/prod.yaml",
        *(f"schemas/{name}" for name in editor.schemas()),
    } == {*workspace_files(paths)}


def test_the_script_of_the_first_experiment_is_python() -> None:
    script = workspace_files()["experiments/hello/train.py"]

    assert compile(script, "train.py", "exec").co_consts[0].startswith("Add up the ranks")


def test_no_line_ends_in_a_space_and_none_is_too_long() -> None:
    lines = [line for text in WHOLE.values() for line in text.split("\n")]

    assert [] == [line for line in lines if line != line.rstrip() or len(line) > 100]
