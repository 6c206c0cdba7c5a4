"""The command and args of a container, and the fields that run the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.importing.program import program

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


@pytest.mark.parametrize(
    ("command", "args", "fields"),
    [
        (["torchrun", "t.py"], ["-a"], {"script": "t.py", "args": ["-a"]}),
        (["torchrun"], ["t.py", "--lr", "1e-4"], {"script": "t.py", "args": ["--lr", "1e-4"]}),
        (["torchrun", "-m", "train"], [], {"module": "train"}),
        (
            ["torchrun", "--nnodes=2", "--rdzv-backend", "c10d", "--standalone", "t.py"],
            [],
            {
                "script": "t.py",
                "launcher_args": ["--nnodes=2", "--rdzv-backend", "c10d", "--standalone"],
            },
        ),
        (
            ["python", "-u", "-X", "dev", "-m", "train", "-m"],
            [],
            {
                "module": "train",
                "launcher": "python",
                "launcher_args": ["-u", "-X", "dev"],
                "args": ["-m"],
            },
        ),
        ([], ["--backend", "gloo"], {"command": [], "args": ["--backend", "gloo"]}),
        ([], [], {"command": []}),
    ],
)
def test_words_that_start_a_script_become_fields(
    command: list[Json], args: list[Json], fields: JsonObject
) -> None:
    assert fields == program({"command": command, "args": args})


@pytest.mark.parametrize(
    "command",
    [
        ["python", "-c", "print(1)"],
        ["python3", "train.py"],
        ["torchrun", "--no-python", "train"],
        ["torchrun", "--unknown", "2", "train.py"],
        ["torchrun", "--module", "train"],
        ["torchrun"],
        ["torchrun", "--nnodes"],
        ["python", "-m"],
        ["torchrun", ""],
        ["sh", "-c", "torchrun train.py"],
    ],
)
def test_other_words_stay_a_command(command: list[Json]) -> None:
    assert {"command": command} == program({"command": command})


def test_a_command_that_is_no_list_of_texts_is_left_to_the_overrides() -> None:
    container: JsonObject = {"command": ["train", 1], "args": ["a"]}

    assert {"command": []} == program(container)
    assert {"command": ["train", 1], "args": ["a"]} == container
