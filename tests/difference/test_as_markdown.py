"""A comment keeps its limit and its totals, whatever and however much changes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genjob.difference.as_markdown import MARK, markdown
from genjob.difference.change import RunChange, change_of
from genjob.difference.comparison import Comparison, EnvironmentChange
from genjob.difference.effect import Effect, Verdict
from genjob.difference.limits import GITHUB_LIMIT
from genjob.difference.side import Place, Run
from genjob.difference.usage import sum_of
from genjob.git.base import Base

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

LEFT = re.compile(r"what changes in (\d+) runs?")


def job(name: str, lines: int, text: str) -> JsonObject:
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {f"key{n}": f"{text} {n}" for n in range(lines)},
    }


def changed(number: int, lines: int, text: str) -> RunChange:
    place = Place("prod", f"experiment-{number}")
    before, after = (
        Run(place, (job(f"{place.experiment}-{side}", lines, f"{side} {text}"),), None)
        for side in ("old", "new")
    )
    effects = (Effect(Verdict.NEW_RUN), Effect(Verdict.METADATA, f"{number}: {text}"))
    return change_of(place, before, after, effects)


def comparison(runs: list[RunChange], environments: int = 1) -> Comparison:
    nothing = sum_of([])
    carried = [
        EnvironmentChange(f"env-{number}", nothing, nothing, ()) for number in range(environments)
    ]
    return Comparison(Base("c" * 40, "main"), tuple(runs), tuple(carried))


@settings(max_examples=40)
@given(
    runs=st.integers(0, 60),
    lines=st.integers(0, 60),
    environments=st.integers(1, 300),
    text=st.text(max_size=60),
    limit=st.sampled_from([4000, 20_000, GITHUB_LIMIT]),
)
def test_a_comment_keeps_to_its_limit_and_says_what_is_left_out(
    runs: int, lines: int, environments: int, text: str, limit: int
) -> None:
    text = "".join(c for c in text if c.isprintable() and not "\ud800" <= c <= "\udfff")
    found = comparison([changed(n, lines, text) for n in range(runs)], environments)

    comment = markdown(found, limit=limit)

    assert limit >= len(comment.encode())
    assert comment.startswith(f"{MARK}\n")
    assert f"**{f'new run: {runs}' if runs else 'no runs'}**" in comment
    left = LEFT.search(comment)
    titles = re.findall(r"<summary>experiment-\d+ in prod: new run</summary>", comment)
    assert runs == len(titles) + (int(left[1]) if left else 0)
    assert comment.count("<details>") == comment.count("</details>")


def test_what_matters_most_is_kept() -> None:
    runs = [changed(n, 30, "x") for n in range(40)]
    worst = replace(runs[-1], effects=(Effect(Verdict.DELETES_DATA, "gone"),))

    comment = markdown(comparison([*runs[:-1], worst]), limit=4000)

    assert "<summary>experiment-39 in prod: deletes data</summary>" in comment


def test_yaml_of_the_first_is_shown_where_there_is_room_for_some() -> None:
    comment = markdown(comparison([changed(n, 60, "x") for n in range(10)]), limit=20_000)

    assert "```diff" in comment
    assert re.search(r"the YAML of \d+ of those above", comment)


@pytest.mark.parametrize("number", [1, 3])
def test_errors_are_said_first(number: int) -> None:
    base = comparison([])
    comment = markdown(Comparison(base.base, (), (), number))

    errors = "1 error" if number == 1 else "3 errors"
    assert f"**{errors}: this cannot be rendered.**" in comment
