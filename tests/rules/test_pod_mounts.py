"""pod_mounts.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

SHM = "/dev/shm"  # noqa: S108 - where a pod mounts a volume, not a file of ours

CASES: list[Case] = [
    (
        "GJ462",
        {"main > volumeMounts > 0 > name": "dta"},
        {"main > volumeMounts > 0 > name": "nfs"},
        "main > volumeMounts > 0 > name",
        "no volume of the pod is named 'dta'",
        "did you mean 'data'?",
    ),
    (
        "GJ463",
        {"main > volumeMounts > 0 > mountPath": SHM},
        {"main > volumeMounts > 0 > mountPath": f"{SHM}2"},
        "main > volumeMounts > 1 > mountPath",
        "volume 'data' is mounted on '/dev/shm' too",
        "give each mount its own path",
    ),
    (
        "GJ464",
        {"main > volumeMounts > 0 > mountPath": ""},
        {"main > volumeMounts > 0 > mountPath": "/"},
        "main > volumeMounts > 0 > mountPath",
        "mountPath is empty",
        "write a path such as '/data'",
    ),
    (
        "GJ465",
        {"main > volumeMounts > 0 > mountPath": "/data:ro"},
        {"main > volumeMounts > 0 > mountPath": "data"},
        "main > volumeMounts > 0 > mountPath",
        "mountPath '/data:ro' contains ':'",
        "write a path without ':'",
    ),
    (
        "GJ466",
        {"main > volumeMounts > 0 > subPath": "a/../../b"},
        {"main > volumeMounts > 0 > subPath": "..a"},
        "main > volumeMounts > 0 > subPath",
        "subPath 'a/../../b' contains '..'",
        "write a path inside the volume",
    ),
    (
        "GJ467",
        {"main > volumeMounts > 0 > subPathExpr": "$(POD_IP)"},
        {
            "main > volumeMounts > 0 > subPath": ...,
            "main > volumeMounts > 0 > subPathExpr": "$(POD_IP)",
        },
        "@main > volumeMounts > 0 > subPathExpr",
        "'subPathExpr' is given beside 'subPath'",
        "remove one of the two",
    ),
    (
        "GJ468",
        {"main > volumeMounts > 0 > mountPropagation": "HostToPod"},
        {"main > volumeMounts > 0 > mountPropagation": "HostToContainer"},
        "main > volumeMounts > 0 > mountPropagation",
        ("mountPropagation is 'HostToPod', expected 'None', 'HostToContainer' or 'Bidirectional'"),
        "",
    ),
    (
        "GJ469",
        {"main > volumeMounts > 1": {"name": "shm", "mountPath": "/cache"}},
        {"main > volumeMounts > 1": {"name": "shm", "mountPath": f"{SHM}/"}},
        "main",
        "8 GPUs and no volume on /dev/shm: 64 MiB are too little",
        "mount an emptyDir with 'medium: Memory' on /dev/shm",
    ),
    (
        "GJ470",
        {"pod > volumes > 1 > emptyDir > sizeLimit": "1000Gi"},
        {"pod > volumes > 1 > emptyDir > sizeLimit": "999Gi"},
        "pod > volumes > 1 > emptyDir > sizeLimit",
        "sizeLimit of a memory volume is not below the container's memory limit",
        "lower it, or raise the memory limit: the volume counts against it",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
