"""core.py: what breaks each rule of a ConfigMap, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ490",
        {"data > train script": "x"},
        {"data > train_script.sh": "x"},
        "@data > train script",
        "key 'train script' contains a space",
        "write letters, digits, '-', '_' and '.'",
    ),
    (
        "GJ491",
        {"data > topology.bin": "x"},
        {"data > topology.xml": "x"},
        "@binaryData > topology.bin",
        "key 'topology.bin' is in 'data' too",
        "remove one of the two",
    ),
    (
        "GJ492",
        {"data > a": "x" * 1_048_576},
        {"data > a": "x" * 190_000},
        "metadata > name",
        "the ConfigMap has 1048582 bytes of values, 1048576 are allowed",
        "keep large files in a volume or in the image",
    ),
    (
        "GJ493",
        {"binaryData > topology.bin": "plain text"},
        {"binaryData > topology.bin": "AA\nEC"},
        "binaryData > topology.bin",
        "the value of 'topology.bin' is not base64",
        "write the output of 'base64', or write the text under 'data'",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_config_map: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_config_map(bad)
    assert [] == changed_config_map(good)
