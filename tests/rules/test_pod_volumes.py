"""pod_volumes.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = tuple[str, dict[str, object], dict[str, object], str, str, str]
"""Code, a change that breaks the rule, one that does not; then place, message and hint."""

CASES: list[Case] = [
    (
        "GJ450",
        {"pod > volumes > 3 > name": "Host_Dev"},
        {"pod > volumes > 3 > name": "host-dev"},
        "pod > volumes > 3 > name",
        "volume name 'Host_Dev' contains 'H'",
        "write 'host-dev'",
    ),
    (
        "GJ451",
        {"pod > volumes > 3 > name": "nfs"},
        {"pod > volumes > 3 > name": "nfs-2"},
        "pod > volumes > 4 > name",
        "another volume of the pod is named 'nfs' too",
        "give each volume its own name",
    ),
    (
        "GJ452",
        {"pod > volumes > 4 > emptyDir": {}},
        {"pod > volumes > 4 > emptyDir": None},
        "@pod > volumes > 4 > emptyDir",
        "the volume has 2 sources: 'nfs', 'emptyDir'",
        "keep one of them",
    ),
    (
        "GJ453",
        {"pod > volumes > 4 > nfs": None},
        {"pod > volumes > 4": {"name": "nfs", "emptyDir": None}},
        "@pod > volumes > 4",
        "the volume has no source; Kubernetes makes it an emptyDir, lost with the pod",
        "write its source, or 'emptyDir: {}'",
    ),
    (
        "GJ454",
        {"pod > volumes > 0 > persistentVolumeClaim > claimName": ""},
        {"pod > volumes > 0 > persistentVolumeClaim > claimName": "x"},
        "pod > volumes > 0 > persistentVolumeClaim > claimName",
        "claimName of persistentVolumeClaim is empty",
        "write 'claimName'",
    ),
    (
        "GJ454",
        {"pod > volumes > 5 > projected > sources > 0 > secret": {}},
        {"pod > volumes > 5 > projected > sources > 0 > secret": {"name": "x", "optional": True}},
        "@pod > volumes > 5 > projected > sources > 0 > secret",
        "secret has no name",
        "write 'name'",
    ),
    (
        "GJ455",
        {"pod > volumes > 3 > hostPath > path": "/dev/../etc"},
        {"pod > volumes > 3 > hostPath > path": "/dev/..data"},
        "pod > volumes > 3 > hostPath > path",
        "the path on the host contains '..'",
        "write the whole path",
    ),
    (
        "GJ455",
        {"pod > volumes > 3 > hostPath > type": "directory"},
        {"pod > volumes > 3 > hostPath > type": ""},
        "pod > volumes > 3 > hostPath > type",
        (
            "hostPath type is 'directory', expected 'Directory', 'DirectoryOrCreate', "
            "'File', 'FileOrCreate', 'Socket', 'CharDevice' or 'BlockDevice'"
        ),
        "did you mean 'Directory'?",
    ),
    (
        "GJ456",
        {"pod > volumes > 4 > nfs > path": "export"},
        {"pod > volumes > 4 > nfs > path": "/"},
        "pod > volumes > 4 > nfs > path",
        "the path 'export' on the NFS server does not begin with '/'",
        "write '/export'",
    ),
    (
        "GJ457",
        {"pod > volumes > 1 > emptyDir > medium": "memory"},
        {"pod > volumes > 1 > emptyDir > medium": "HugePages-2Mi"},
        "pod > volumes > 1 > emptyDir > medium",
        "emptyDir medium is 'memory', expected 'Memory', 'HugePages' or none",
        "did you mean 'Memory'?",
    ),
    (
        "GJ458",
        {"pod > volumes > 1 > emptyDir > sizeLimit": "64GB"},
        {"pod > volumes > 1 > emptyDir > sizeLimit": "64G"},
        "pod > volumes > 1 > emptyDir > sizeLimit",
        "sizeLimit is '64GB' (string), expected a quantity that is not negative",
        "write '64G'",
    ),
    (
        "GJ458",
        {"pod > volumes > 1 > emptyDir > sizeLimit": -1},
        {"pod > volumes > 1 > emptyDir > sizeLimit": 0},
        "pod > volumes > 1 > emptyDir > sizeLimit",
        "sizeLimit is -1 (integer), expected a quantity that is not negative",
        "write '1'",
    ),
    (
        "GJ459",
        {"pod > volumes > 2 > configMap > defaultMode": 644},
        {"pod > volumes > 2 > configMap > defaultMode": 511},
        "pod > volumes > 2 > configMap > defaultMode",
        "file mode 644 is 0o1204 in octal, expected 0 to 0o777",
        "write 420, which is 644 in octal",
    ),
    (
        "GJ459",
        {"pod > volumes > 2 > configMap > items > 0 > mode": -1},
        {"pod > volumes > 2 > configMap > items > 0 > mode": 0},
        "pod > volumes > 2 > configMap > items > 0 > mode",
        "file mode -1 is -0o1 in octal, expected 0 to 0o777",
        "write at most 511, which is 777 in octal",
    ),
    (
        "GJ460",
        {"pod > volumes > 5 > projected > sources > 0 > configMap": {"name": "c"}},
        {"pod > volumes > 5 > projected > sources > 0 > configMap": None},
        "@pod > volumes > 5 > projected > sources > 0 > configMap",
        "the source has 2 kinds: 'secret', 'configMap'",
        "write each as its own source",
    ),
    (
        "GJ461",
        {"pod > volumes > 2 > configMap > items > 0 > key": ""},
        {"pod > volumes > 2 > configMap > items > 0 > key": "b"},
        "pod > volumes > 2 > configMap > items > 0 > key",
        "key is empty",
        "write a key of the object",
    ),
    (
        "GJ461",
        {"pod > volumes > 2 > configMap > items > 0 > path": "/etc/x"},
        {"pod > volumes > 2 > configMap > items > 0 > path": "etc/x"},
        "pod > volumes > 2 > configMap > items > 0 > path",
        "path '/etc/x' begins with '/'",
        "write a path inside the volume",
    ),
    (
        "GJ461",
        {"pod > volumes > 2 > configMap > items > 0 > path": "../x"},
        {"pod > volumes > 2 > configMap > items > 0 > path": "a/b"},
        "pod > volumes > 2 > configMap > items > 0 > path",
        "path '../x' contains '..'",
        "write a path inside the volume",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_broken_rule_is_found_once_at_its_place(
    case: Case, changed_job: Callable[[dict[str, object]], list[tuple[str, str, str, str]]]
) -> None:
    code, bad, good, at, message, hint = case

    assert [(code, at, message, hint)] == changed_job(bad)
    assert [] == changed_job(good)
