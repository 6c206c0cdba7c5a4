"""The lock is read back as it was written, and a broken one says how to repair it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genjob.diagnostics import Location
from genjob.runs.decision import Decision, Now, decide
from genjob.runs.lock import Lock, read_lock
from genjob.runs.own import Own

OWN = Own("f" * 64, "e" * 64, "c" * 64, "b" * 64)
LOCK = Lock("llama-0a1b2c3d", "0a1b2c3d", *OWN, "d" * 64)
TEXT = f"""\
# Rendered by genjob
hash: "0a1b2c3d"
objects: {"d" * 64}
own: {"f" * 64}
policy: {"c" * 64}
queue: {"b" * 64}
run: llama-0a1b2c3d
version: genjob/v1
written: {"e" * 64}
"""
REPAIR = "take it back"


def test_a_lock_is_written_like_this_and_read_back() -> None:
    assert TEXT == LOCK.text(header="Rendered by genjob")
    assert (LOCK, []) == read_lock(TEXT.encode(), "run.lock", repair=REPAIR)


@pytest.mark.parametrize("digits", ["12345678", "00000000", "1e345678"])
def test_a_hash_that_looks_like_a_number_stays_text(digits: str) -> None:
    lock = Lock(f"a-{digits}", digits, *(digit * 64 for digit in "01234"))

    assert (lock, []) == read_lock(lock.text(header="x").encode(), "run.lock", repair=REPAIR)


@settings(max_examples=300)
@given(
    st.integers(0, len(TEXT)),
    st.integers(0, 12),
    st.sampled_from(["", "0", "a", '"', "'", " ", "#", "\n", "run: b\n", ": ", "\r\n"]),
)
def test_a_lock_that_was_touched_is_what_the_document_says(at: int, gone: int, put: str) -> None:
    text = (TEXT[:at] + put + TEXT[at + gone :]).encode()
    by_document, _ = read_lock(text + b"\n# another comment\n", "run.lock", repair=REPAIR)

    assert by_document == read_lock(text, "run.lock", repair=REPAIR)[0]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (TEXT.replace('"0a1b2c3d"', "0a1b"), 2, "'hash' is not what genjob wrote"),
        (TEXT.replace("run: llama-0a1b2c3d\n", ""), 2, "'run' is not what genjob wrote"),
        (TEXT.replace("e" * 64, "e" * 63), 9, "'written' is not what genjob wrote"),
        (TEXT.replace("genjob/v1", "genjob/v9"), 8, "'version' is not what genjob wrote"),
        ("", 1, "found nothing in the file"),
        (f"<<<<<<< ours\n{TEXT}", 1, "found a Git conflict marker"),
    ],
)
def test_a_lock_that_was_edited_or_conflicts_is_a_finding(text: str, line: int, why: str) -> None:
    lock, (found,) = read_lock(text.encode(), "overlays/prod/llama/run.lock", repair=REPAIR)

    assert lock is None
    assert (line, "overlays/prod/llama/run.lock") == (found.location.line, found.location.file)
    assert found.message.startswith(f"the lock cannot be read: {why}")
    assert REPAIR == found.hint


def test_a_finding_points_at_the_value_that_was_edited() -> None:
    _, (found,) = read_lock(TEXT.replace('"0a1b2c3d"', "0a1b").encode(), "run.lock", repair=REPAIR)

    assert Location("run.lock", 2, 7, 11) == found.location


EDITED = OWN._replace(said="0", written="1")
TYPED, UPGRADED = OWN._replace(written="1"), OWN._replace(said="0")
"""What the researcher says after an edit, after a default was written down, and to a newer version
of the program, which has other defaults."""


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (Now(LOCK.hash, OWN), Decision.SAME),
        (Now(LOCK.hash, EDITED), Decision.SAME),
        (Now("other", OWN), Decision.HELD),
        (Now("other", TYPED), Decision.HELD),
        (Now("other", UPGRADED), Decision.HELD),
        (Now("other", OWN, insists=True), Decision.HELD),
        (Now("other", UPGRADED, insists=True), Decision.HELD),
        (Now("other", TYPED, insists=True), Decision.NEW),
        (Now("other", EDITED), Decision.NEW),
    ],
)
def test_only_the_researcher_starts_a_run(now: Now, expected: Decision) -> None:
    assert expected == decide(LOCK, now)


def test_a_rerun_takes_what_is_held_back() -> None:
    assert Decision.NEW == decide(LOCK, Now("other", OWN), rerun=True)


def test_a_rerun_of_the_same_is_the_same_run() -> None:
    assert Decision.SAME == decide(LOCK, Now(LOCK.hash, OWN), rerun=True)


def test_what_was_never_rendered_is_a_first_run() -> None:
    assert Decision.FIRST == decide(None, Now("a", OWN))
