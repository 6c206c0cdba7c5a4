"""metadata.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ650",
        {"metadata": {"generateName": "llama-"}},
        {"metadata > name": "llama-2"},
        "@metadata > generateName",
        "the object has no fixed name; it cannot be kept in Git",
        "write 'metadata.name'",
    ),
    (
        "GJ651",
        {"metadata > labels > team name": "nlp"},
        {"metadata > labels > example.com/Team_1": "nlp"},
        "@metadata > labels > team name",
        "label key 'team name' contains a space",
        "write letters, digits, '-', '_' and '.', at most 63",
    ),
    (
        "GJ652",
        {"spec > pytorchReplicaSpecs > Worker > template > metadata > labels > note": "two words"},
        {"spec > pytorchReplicaSpecs > Worker > template > metadata > labels > note": ""},
        "worker > template > metadata > labels > note",
        "label value 'two words' contains a space",
        "write it as an annotation",
    ),
    (
        "GJ653",
        {"metadata > annotations > a/b/c": "1"},
        {"metadata > annotations > Example.com/C": "any text, at all"},
        "@metadata > annotations > a/b/c",
        "annotation key 'a/b/c' has a prefix that contains '/'",
        "write letters, digits, '-', '_' and '.', at most 63",
    ),
    (
        "GJ654",
        {"metadata > annotations > note": "x" * 262_145},
        {"metadata > annotations > note": "x" * 190_000},
        "@metadata > annotations",
        "the annotations have 262179 bytes, 262144 are allowed",
        "keep the text in a ConfigMap",
    ),
    (
        "GJ655",
        {"main > args": ["-c", "x" * 200_001]},
        {"main > args": ["-c", "x" * 190_000]},
        "metadata > name",
        "the object has 205298 bytes; a client-side apply fails at about 256 KiB",
        "keep the text in a file, or apply server-side",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
