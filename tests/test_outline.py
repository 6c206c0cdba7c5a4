"""A commented file says the descriptions of the models, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.authoring import editor
from genjob.authoring.outline import catalogue, described, properties
from genjob.document import read_document, value_of
from genjob.yamltext import UnwritableError

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

SCHEMA: JsonObject = {
    "properties": {
        "lr": {"description": "The learning rate.", "default": "1e-4"},
        "network": {"$ref": "#/$defs/Network"},
        "storage": {
            "description": "What is mounted.",
            "items": {"$ref": "#/$defs/Storage"},
            "default": [],
        },
        "elastic": {"description": "May grow."},
        "environments": {
            "description": "Where it runs.",
            "additionalProperties": {"$ref": "#/$defs/PartialExperiment"},
            "default": {},
        },
    },
    "$defs": {
        "Network": {
            "description": "How the ranks talk.",
            "properties": {
                "backend": {"description": "The back end.", "default": "nccl"},
                "port": {"description": "A port."},
            },
        },
        "Storage": {"properties": {"name": {}, "mount_path": {}}},
        "PartialExperiment": {"properties": {"lr": {}}},
    },
}


def test_what_is_set_stands_in_the_order_given_with_its_description() -> None:
    values: JsonObject = {"network": {"port": 29500, "backend": "no"}, "lr": "1e-4"}

    assert [
        "# How the ranks talk.",
        "# Fields: backend, port.",
        "network:",
        "  # A port.",
        "  port: 29500",
        "",
        "  # The back end.",
        '  backend: "no"',
        "",
        "# The learning rate.",
        'lr: "1e-4"',
    ] == described(SCHEMA, values)


def test_what_is_not_set_is_commented_out_with_its_default() -> None:
    assert [
        "# The learning rate.",
        "# lr: 1e-4",
        "",
        "# What is mounted.",
        "# Fields: name, mount_path.",
        "# storage: []",
        "",
        "# May grow.",
        "# elastic:",
        "",
        "# Where it runs.",
        "# environments: {}",
    ] == catalogue(SCHEMA, {"network": {}})


def test_a_mapping_of_sections_is_written_as_it_is() -> None:
    assert [
        "# Where it runs.",
        "environments:",
        "  dev: {}",
    ] == described(SCHEMA, {"environments": {"dev": {}}})


def test_a_long_description_is_broken_into_lines_of_at_most_100_columns() -> None:
    schema: JsonObject = {"properties": {"x": {"description": "word " * 60}}}
    lines = catalogue(schema, {})

    assert len(lines) > 2
    assert all(len(line) <= 100 for line in lines)


def test_a_text_that_no_yaml_holds_is_refused() -> None:
    with pytest.raises(UnwritableError, match=r"U\+0001"):
        described(SCHEMA, {"lr": "\x01"})


@pytest.mark.parametrize("kind", editor.KINDS)
def test_every_default_can_be_uncommented(kind: str) -> None:
    schema = editor.schema(kind)
    written = [
        line.removeprefix("# ")
        for line in catalogue(schema, {})
        if line.removeprefix("# ").partition(":")[0] in properties(schema)
        and not line.endswith(":")
    ]
    document = read_document("\n".join(written).encode(), "x.yaml").document
    assert document is not None
    held: Json = value_of(document.data)
    assert isinstance(held, dict)

    assert {
        name: field["default"] for name, field in properties(schema).items() if "default" in field
    } == {name: held[name] for name in held if "default" in properties(schema)[name]}
