"""What is typed in `env`, `config` and `args` is what the pods get, to the letter.

The way is the whole one: our reader, our writer, and for the awkward words the real Kustomize.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genjob.kustomize.engine import build, find_engine
from genjob.kustomize.rebuild import expected
from tests.rendered_experiment import files
from tests.rendered_workspace import write_texts
from tests.strategies import AWKWARD_WORDS, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject

ENVIRONMENT = "version: genjob/v1\nname: dev\nnamespace: team-a\n"
NULLS = {"~", "null", "Null", "NULL"}
PLAIN_WORDS = sorted(
    word
    for word in {*AWKWARD_WORDS, "1_000.5", "0b11", "1e1000", "190:20:30", "12e03", "0.10", "+12"}
    if re.fullmatch(r"[-+.\w/:,<>=$]*\w[-+.\w/<>=$]*", word, re.ASCII) and word not in NULLS
)
"""Words that a person writes without quotes and some reader takes for something else."""


class Arrived(NamedTuple):
    """The texts that pods get, in the order in which they were written."""

    env: list[Json]
    config: list[Json]
    args: list[Json]


def experiment(base: Sequence[str], override: Sequence[str]) -> str:
    """Return an experiment with scalars, as they stand in a file, in all three sections."""
    head = "version: genjob/v1\nname: train\nimage: train:2.6\nscript: train.py\n"
    return f"{head}{_sections(base, '')}environments:\n  dev:\n{_sections(override, '    ')}"


def _sections(scalars: Sequence[str], indent: str) -> str:
    lines = []
    for section, prefix in (("env", "V"), ("config", "K")):
        lines.append(f"{section}:")
        lines += [f"  {prefix}{number:04}: {text}" for number, text in enumerate(scalars)]
    lines += ["args:", *(f"- {text}" for text in scalars)]
    return "".join(f"{indent}{line}\n" for line in lines)


def arrived(objects: Sequence[JsonObject]) -> Arrived:
    """Return what the objects of an experiment give to its container."""
    by_kind = {str(body["kind"]): body for body in objects}
    container = _at(by_kind["PyTorchJob"], "spec", "pytorchReplicaSpecs", "Master", "template")
    container = _at(container, "spec", "containers", 0)
    env, data, args = (
        _at(container, "env"),
        _at(by_kind["ConfigMap"], "data"),
        _at(container, "args"),
    )
    assert isinstance(env, list)
    assert isinstance(data, dict)
    assert isinstance(args, list)
    return Arrived([_at(e, "value") for e in env], [data[key] for key in sorted(data)], args)


def _at(value: Json, *path: str | int) -> Json:
    for key in path:
        if isinstance(value, list) and isinstance(key, int):
            value = value[key]
        else:
            assert isinstance(value, dict)
            value = value[str(key)]
    return value


def everywhere(texts: Sequence[str]) -> Arrived:
    """Return these texts in all three sections."""
    return Arrived([*texts], [*texts], [*texts])


def quoted(text: str) -> str:
    """Return a text as a double-quoted scalar: JSON, with all that YAML may fold escaped."""
    whole = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in whole)


def plain(text: str) -> str:
    """Return a text as it is."""
    return text


def escaped(text: str) -> str:
    """Return a text that refers to no variable, so that `env` keeps the order of its names."""
    return text.replace("$(", "$$(")


def built(tmp_path: Path, base: Sequence[str], override: Sequence[str]) -> dict[str, Arrived]:
    """Return what the real Kustomize makes of the base and of the overlay."""
    texts = files(experiment(base, override), ENVIRONMENT)
    engine = find_engine(os.environ)
    folders = {"base": tmp_path / "bases/train", "overlay": tmp_path / "overlays/dev/train"}
    for folder, content in zip(folders.values(), texts, strict=True):
        write_texts(folder, content)
    return {side: arrived(build(engine, folder)) for side, folder in folders.items()}


@pytest.mark.parametrize(
    ("words_", "written"), [(AWKWARD_WORDS, quoted), (PLAIN_WORDS, plain)], ids=["quoted", "plain"]
)
def test_awkward_words_come_through_kustomize(
    tmp_path: Path, words_: Sequence[str], written: Callable[[str], str]
) -> None:
    """Each word is the value of the base in one place and of the overlay in another."""
    texts = [escaped(word) for word in words_]
    turned = texts[::-1]
    sides = built(tmp_path, [written(text) for text in texts], [written(t) for t in turned])

    assert {"base": everywhere(texts), "overlay": everywhere(turned)} == sides


@given(st.lists(words().map(escaped), min_size=1, max_size=4), st.data())
def test_any_text_arrives(texts: list[str], data: st.DataObject) -> None:
    others = data.draw(st.permutations(texts))
    made = files(experiment([*map(quoted, texts)], [*map(quoted, others)]), ENVIRONMENT)

    assert everywhere(others) == arrived(expected(*made))


def test_the_plain_words_are_the_ones_that_readers_change() -> None:
    """Learning rates, versions, identifiers, answers and times are among them."""
    assert {"1e-4", "1.10", "010", "08", "yes", "no", "y", "12:30:00", "1_000"} <= {*PLAIN_WORDS}
