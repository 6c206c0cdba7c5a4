"""The text that people read: place, message, source line and caret, hint, summary."""

from __future__ import annotations

from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.report import FORMATS, Findings

EXPERIMENT = "experiments/x/experiment.yaml"
SOURCE = "version: genjob/v1\nname: x\nnodes: four\nnccl: {ib_hac: mlx5_0}\n"

NODES = Diagnostic(
    "GJ101",
    "expected an integer, found 'four'",
    Location(EXPERIMENT, 3, 8, 12),
    "write a number: 'nodes: 4'",
)
NCCL = Diagnostic(
    "GJ102", "unknown key 'ib_hac'", Location(EXPERIMENT, 4, 8, 14), "did you mean 'ib_hca'?"
)
QUEUE = Diagnostic(
    "GJ501", "queue 'nlp' is not known", Location("environments/prod.yaml"), "", Severity.WARNING
)


def text(*diagnostics: Diagnostic, source: str = SOURCE) -> str:
    """Return the text format."""
    return FORMATS["text"](Findings(diagnostics, {EXPERIMENT: source}))


def test_every_finding_has_place_message_code_source_caret_and_hint() -> None:
    assert (
        text(NCCL, QUEUE, NODES)
        == """\
environments/prod.yaml:1:1: warning: queue 'nlp' is not known [GJ501]
experiments/x/experiment.yaml:3:8: error: expected an integer, found 'four' [GJ101]
3 | nodes: four
  |        ^~~~
  hint: write a number: 'nodes: 4'
experiments/x/experiment.yaml:4:8: error: unknown key 'ib_hac' [GJ102]
4 | nccl: {ib_hac: mlx5_0}
  |        ^~~~~~
  hint: did you mean 'ib_hca'?
2 errors, 1 warning in 2 files
"""
    )


def test_nothing_to_say_is_no_text() -> None:
    assert text() == ""


def test_a_finding_is_told_once() -> None:
    assert text(NODES) == text(NODES, NODES)


def test_one_of_each_is_counted_in_the_singular() -> None:
    note = Diagnostic("GJ503", "held back", Location(EXPERIMENT), "", Severity.INFO)

    assert text(NODES, note).splitlines()[-1] == "1 error, 1 note in 1 file"


def test_a_line_that_is_not_there_is_not_shown() -> None:
    """A finding at the end of a file, or in a file that could not be read."""
    beyond = Diagnostic("GJ004", "the file ends too early", Location(EXPERIMENT, 9, 1))

    assert text(beyond) == (
        "experiments/x/experiment.yaml:9:1: error: the file ends too early [GJ004]\n"
        "1 error in 1 file\n"
    )


def test_lines_end_as_they_do_in_yaml() -> None:
    """CRLF and a lone CR end a line; U+2028, on which Python splits, does not."""
    source = "a: \u2028x\r\nb: y\rnodes: four\n"

    assert "\n3 | nodes: four\n" in text(NODES, source=source)


def test_a_value_cannot_move_the_cursor() -> None:
    evil = Diagnostic("GJ101", "found '\x1b[2J'\nok", Location(EXPERIMENT), "\r")

    assert r"found '\x1b[2J'\nok [GJ101]" in text(evil)
    assert r"hint: \r" in text(evil)


def test_the_caret_stands_below_its_line_where_the_number_is_long() -> None:
    far = Diagnostic("GJ101", "found 'four'", Location(EXPERIMENT, 100, 8, 12))

    lines = text(far, source="\n" * 99 + "nodes: four").splitlines()

    assert lines[1:3] == ["100 | nodes: four", "    |        ^~~~"]


def test_colour_is_there_when_it_is_asked_for() -> None:
    plain = FORMATS["text"](Findings([NODES, QUEUE], {EXPERIMENT: SOURCE}))
    coloured = FORMATS["text"](Findings([NODES, QUEUE], {EXPERIMENT: SOURCE}, colour=True))

    assert "\x1b" not in plain
    assert "\x1b[1mexperiments/x/experiment.yaml:3:8:\x1b[0m \x1b[31;1merror:\x1b[0m" in coloured
    assert "\n  |        \x1b[32m^~~~\x1b[0m\n" in coloured
