"""What `diff` remembers changes nothing but the time, nor do the processes that it starts."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genjob.workers import made
from tests.git_repository import ENVIRON, Repository
from tests.properties.test_memory_laws import EDITS, FIRST, A, told
from tests.tree_on_disk import fill

if TYPE_CHECKING:
    from collections.abc import Callable

    Edit = Callable[[Path], None]

D = "experiments/d/experiment.yaml"


def _moved(old: str, new: str) -> Edit:
    """Rename an experiment; its folder may lack, or be taken."""

    def edit(root: Path) -> None:
        if (root / old).is_file() and not (root / new).parent.exists():
            shutil.move((root / old).parent, (root / new).parent)
            text = (root / new).read_text("utf-8")
            name = f"name: {Path(new).parent.name}"
            (root / new).write_text(text.replace(f"name: {Path(old).parent.name}", name), "utf-8")

    return edit


def _written(path: str, text: str) -> Edit:
    return partial(fill, files={path: text})


def _committed(root: Path) -> None:
    Repository(root).commit()


def _rendered(root: Path) -> None:
    told(root, ("render", "--all"), None)


def _and(*edits: Edit) -> Edit:
    def edit(root: Path) -> None:
        for each in edits:
            each(root)

    return edit


CHANGES: dict[str, Edit] = {
    **EDITS,
    "nothing": lambda _: None,
    "a commit": _committed,
    "all rendered": _rendered,
    "all rendered and committed": _and(_rendered, _committed),
    "another name": _moved(A, D),
    "the name as before": _moved(D, A),
    "a file beside": _written("experiments/a/train.py", "print(1)\n"),
    "another file beside": _written("experiments/a/train.py", "print(2)\n"),
    "an engine to apply it": _written(
        "genjob.yaml",
        "version: genjob/v1\nrepo: {url: https://example.com/x.git}\ngitops: {engine: flux}\n",
    ),
    "other ends of lines": _written(".gitattributes", "* eol=crlf\n"),
    "the usual ends of lines": _written(".gitattributes", "\n"),
    "other ends of lines below": _written("experiments/.gitattributes", "*.py eol=crlf\n"),
}
WORDS = st.tuples(
    st.sampled_from([(), ("--env", "prod"), ("--env", "dev", "--exit-code")]),
    st.sampled_from(["HEAD", "HEAD", "first"]),
    st.sampled_from(["text", "markdown", "json"]),
    st.sampled_from([(), ("--objects",)]),
)
STEPS = st.tuples(st.lists(st.sampled_from([*CHANGES]), max_size=2), WORDS)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@settings(max_examples=12)
@given(
    st.lists(st.sampled_from([*CHANGES]), max_size=3),
    st.lists(STEPS, min_size=2, max_size=4),
)
def test_a_comparison_is_the_same_with_what_is_remembered_and_with_processes(
    before: list[str],
    steps: list[tuple[list[str], tuple[tuple[str, ...], str, str, tuple[str, ...]]]],
) -> None:
    forking = mock.patch("genjob.difference.reading.made", partial(made, few=2))
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, ENVIRON):
        root, memory = Path(folder, "r"), Path(folder, "m")
        fill(root, FIRST)
        _rendered(root)
        Repository.of(root).git("tag", "first")
        for name in [*before, "a commit"]:
            CHANGES[name](root)
        for names, (chosen, against, shape, more) in steps:
            for name in names:
                CHANGES[name](root)
            words = ("diff", *chosen, "--against", against, "--format", shape, *more)
            alone = told(root, words, None)

            assert alone == told(root, words, memory)
            assert alone == told(root, words, memory)
            with forking, mock.patch("genjob.workers._cores", return_value=2):
                assert alone == told(root, words, None)
