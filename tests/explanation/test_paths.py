"""What a person types to name a value → its route."""

from __future__ import annotations

import pytest

from genjob.explanation.paths import parse_path, spelled_out
from genjob.jsontypes import dotted
from tests.written import job


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nodes", ("nodes",)),
        ("nccl.ib_hca", ("nccl", "ib_hca")),
        ("storage[0].pvc", ("storage", 0, "pvc")),
        ("labels['a.b/c']", ("labels", "a.b/c")),
        ('labels["no"].x', ("labels", "no", "x")),
        ("storage[data]", ("storage", "data")),
        ("", None),
        ("a[", None),
        ("a..b", None),
        ("a]", None),
    ],
)
def test_a_path_is_read(text: str, expected: tuple[str | int, ...] | None) -> None:
    assert expected == parse_path(text)


@pytest.mark.parametrize(
    "path", [("a",), ("env", "A_B", 3), ("labels", "a.b/c"), ("x", "no", 0, 1)]
)
def test_a_path_that_we_print_is_read_back(path: tuple[str | int, ...]) -> None:
    assert path == parse_path(dotted(path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("storage.data.mount_path", ("storage", 1, "mount_path")),
        ("storage[data]", ("storage", 1)),
        ("labels.example.com/tier", ("labels", "example.com/tier")),
        ("storage.none", ("storage", "none")),
        ("storage.data.none", ("storage", "data", "none")),
        ("labels.example.com", ("labels", "example", "com")),
    ],
)
def test_names_of_items_and_keys_with_dots_are_found(
    text: str, expected: tuple[str | int, ...]
) -> None:
    found = job(
        "labels: {example.com/tier: dev}\n"
        "storage: [{name: a, mount_path: /a, empty_dir: {}}, "
        "{name: data, mount_path: /d, empty_dir: {}}]\n"
    )
    typed = parse_path(text)

    assert typed is not None
    assert expected == spelled_out(found, typed)
