"""Fields that differ have the names of experiment.yaml, and say which layer changed them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.difference.fields import changed_fields
from genjob.rendering import job_of
from genjob.workspace.loading import load
from tests.difference.a_repository import FILES, LLAMA, PROD

if TYPE_CHECKING:
    from genjob.resolve.job import Job
    from tests.conftest import MakesWorkspace

NAMED = "experiment"
POOL = "node pool h100"
ENVIRONMENT = "environment prod"

Row = tuple[str, str | None, str | None, str, str | None]

EDITS: dict[str, tuple[str, str, str, list[Row]]] = {
    "a value": (LLAMA, "nodes: 4", "nodes: 5", [("nodes", "4", "5", NAMED, f"{LLAMA}:6")]),
    "a value that was a default": (
        LLAMA,
        "nodes: 4",
        "nodes: 4\nlauncher: python",
        [
            ("launcher", "torchrun", "python", NAMED, f"{LLAMA}:7"),
            ("nproc_per_node", "auto (8)", "auto (1)", ENVIRONMENT, f"{PROD}:1"),
        ],
    ),
    "a value that goes": (
        LLAMA,
        "{EPOCHS: 10}",
        "{}",
        [("config.EPOCHS", "10", None, NAMED, None)],
    ),
    "a storage in front": (
        LLAMA,
        "storage:\n",
        "storage:\n  - {name: tmp, mount_path: /t, empty_dir: {}}\n",
        [
            ("storage.tmp.name", None, "tmp", NAMED, f"{LLAMA}:11"),
            ("storage.tmp.mount_path", None, "/t", NAMED, f"{LLAMA}:11"),
        ],
    ),
    "a node pool": (PROD, "ib_tc: 41", "ib_tc: 1", [("nccl.ib_tc", "41", "1", POOL, f"{PROD}:11")]),
    "an environment that takes over": (
        LLAMA,
        "environments: {prod: {}}",
        "environments: {prod: {nodes: 6}}",
        [("nodes", "4", "6", "experiment, environment prod", f"{LLAMA}:15")],
    ),
    "what a word means": (
        PROD,
        "shared: lustre",
        "shared: ceph",
        [
            (
                "storage.checkpoints.pvc.storage_class",
                "shared (lustre)",
                "shared (ceph)",
                ENVIRONMENT,
                f"{PROD}:1",
            )
        ],
    ),
    "the namespace": (
        PROD,
        "ml-prod",
        "ml-new",
        [("namespace", "ml-prod", "ml-new", ENVIRONMENT, f"{PROD}:3")],
    ),
    "a price": (PROD, "hour: 40", "hour: 41", []),
    "a comment": (LLAMA, "nodes: 4", "nodes: 4 # four", []),
}
"""What is edited → where, and the changes that are found."""


def job(repo: MakesWorkspace, files: dict[str, str]) -> Job:
    found, _ = job_of(load(repo(files)), "llama", "prod")
    assert found is not None
    return found


@pytest.mark.parametrize("what", EDITS)
def test_a_field_that_differs_is_named(what: str, repo: MakesWorkspace) -> None:
    file, old, new, expected = EDITS[what]
    assert 1 == FILES[file].count(old)
    before = job(repo, FILES)
    after = job(repo, {**FILES, file: FILES[file].replace(old, new)})

    found = [
        (
            each.path,
            each.before,
            each.after,
            each.layer,
            f"{each.place.file}:{each.place.line}" if each.place else None,
        )
        for each in changed_fields(before, after)
    ]

    assert expected == found


def test_a_value_that_is_a_default_again_is_nobodys(repo: MakesWorkspace) -> None:
    set_ = {**FILES, LLAMA: FILES[LLAMA].replace("nodes: 4", "nodes: 4\nlauncher: python")}

    changed, _ = changed_fields(job(repo, set_), job(repo, FILES))

    assert ("python", "torchrun", "default", None) == (
        changed.before,
        changed.after,
        changed.layer,
        changed.place,
    )


def test_a_file_beside_is_a_field(repo: MakesWorkspace) -> None:
    script = "experiments/llama/train.py"
    before, after = job(repo, FILES), job(repo, {**FILES, script: "print(22)\n"})
    without = job(
        repo, {**FILES, LLAMA: FILES[LLAMA].replace("files: [train.py]", "empty_dir: {}")}
    )

    (changed,) = changed_fields(before, after)
    gone = changed_fields(before, without)[-1]

    assert ("file train.py", "9 bytes, cc421550") == (changed.path, changed.before)
    assert changed.after is not None
    assert changed.after.startswith("10 bytes, ")
    assert ("file train.py", None) == (gone.path, gone.after)
