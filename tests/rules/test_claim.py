"""core.py: what breaks each rule of a PersistentVolumeClaim, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ656",
        {"metadata > name": "check_points"},
        {"metadata > name": "check.points"},
        "metadata > name",
        "name 'check_points' contains '_'",
        "write 'check-points'",
    ),
    (
        "GJ480",
        {"spec > accessModes": []},
        {"spec > accessModes": ["ReadOnlyMany"]},
        "spec > accessModes",
        "the claim has no access mode",
        "write 'ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany' or 'ReadWriteOncePod'",
    ),
    (
        "GJ481",
        {"spec > accessModes > 0": "ReadWriteMay"},
        {"spec > accessModes > 0": "ReadWriteOnce"},
        "spec > accessModes > 0",
        (
            "access mode is 'ReadWriteMay', expected 'ReadWriteOnce', 'ReadOnlyMany', "
            "'ReadWriteMany' or 'ReadWriteOncePod'"
        ),
        "did you mean 'ReadWriteMany'?",
    ),
    (
        "GJ482",
        {"spec > accessModes > 1": "ReadWriteOncePod"},
        {"spec > accessModes": ["ReadWriteOncePod"]},
        "spec > accessModes > 1",
        "'ReadWriteOncePod' goes with no other access mode",
        "keep one of the two",
    ),
    (
        "GJ483",
        {"spec > resources": ...},
        {"spec > resources > requests > storage": 1},
        "spec > resources > requests > storage",
        "the claim asks for no amount of storage",
        "write 'spec.resources.requests.storage', such as '500Gi'",
    ),
    (
        "GJ484",
        {"spec > resources > requests > storage": "0Gi"},
        {"spec > resources > requests > storage": "1e12"},
        "spec > resources > requests > storage",
        "storage is '0Gi' (string), expected a quantity above 0",
        "write a size such as '500Gi'",
    ),
    (
        "GJ485",
        {"spec > volumeMode": "block"},
        {"spec > volumeMode": "Block"},
        "spec > volumeMode",
        "volumeMode is 'block', expected 'Filesystem' or 'Block'",
        "did you mean 'Block'?",
    ),
    (
        "GJ486",
        {"spec > storageClassName": "Fast SSD"},
        {"spec > storageClassName": ""},
        "spec > storageClassName",
        "storageClassName 'Fast SSD' contains 'F'",
        "write the name of a StorageClass",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_claim: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_claim(bad)
    assert [] == changed_claim(good)
