"""The keys of annotations on which the real Kustomize stops are exactly those that we refuse."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from genjob.kustomize.engine import BuildError, build, find_engine
from genjob.kustomize.refusal import refused_annotations
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import JsonObject

REFUSED = [
    "1",
    "08",
    "010",
    "0o17",
    "0b1",
    "0x1f",
    "1_000",
    "1.5",
    "1.",
    "1e3",
    "9_9.5",
    "true",
    "False",
    "NULL",
    "2026-01-02",
    "0x_1",
]
KEPT = [
    "no",
    "y",
    "on",
    "tRue",
    "nan",
    "inf",
    "1-2",
    "1.2.3",
    "1e",
    "0xAG",
    "a.b/1",
    "example.com/true",
    "2026-01-02t03",
    "1a",
]


def kustomize_stops(folder: Path, body: JsonObject) -> bool:
    (folder / "a.yaml").write_text(to_yaml(body), "utf-8")
    (folder / "kustomization.yaml").write_text("namespace: ml\nresources: [a.yaml]\n", "utf-8")
    try:
        return build(find_engine(os.environ), folder)[0]["metadata"] is None
    except BuildError:
        return True


@pytest.mark.parametrize(
    ("key", "expected"), [(k, True) for k in REFUSED] + [(k, False) for k in KEPT]
)
def test_a_key_is_refused_where_kustomize_stops(key: str, expected: bool, tmp_path: Path) -> None:  # noqa: FBT001 # the two columns of a table
    body: JsonObject = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "a", "annotations": {key: "x"}},
    }

    assert expected == (key in refused_annotations(body))
    assert expected == kustomize_stops(tmp_path, body)
