"""Text stays readable, however much changes."""

from __future__ import annotations

from genjob.difference.as_text import Tone, text_lines
from tests.difference.test_as_markdown import changed, comparison


def test_of_very_many_the_first_have_a_row_and_the_rest_is_counted() -> None:
    lines = text_lines(comparison([changed(n, 3, "x") for n in range(200)]), objects=False)

    rows = [line for line in lines if line.text.startswith("new run  experiment-")]
    assert 40 == len(rows)
    assert {Tone.STARTS} == {line.tone for line in rows}
    assert "… and 160 more" in [line.text for line in lines]


def test_lines_of_yaml_have_the_colours_of_their_signs() -> None:
    lines = text_lines(comparison([changed(1, 1, "x")]), objects=True)

    tones = {line.text.strip()[:1]: line.tone for line in lines if line.text.startswith("    ")}
    assert {Tone.ADDED, Tone.REMOVED, Tone.PLACE} == {tones[sign] for sign in "+-@"}
