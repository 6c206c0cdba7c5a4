"""The tables of environment variables beside the collected facts, where that folder is there.

A fact that the table words in another way is listed below with its reason, so that no difference
is there by accident. Without the folder there is nothing to compare, and the lists stay empty.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import yaml

from genjob.catalog.variables import REGISTRY
from genjob.catalog.variables.misnomers import MISNOMERS
from genjob.catalog.variables.variable import LEVELS, ValueType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.jsontypes import Json, JsonObject

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "nccl.yaml"

TYPES = {
    "bool01": {ValueType.FLAG01},
    "bool_str": {ValueType.FLAG_WORD},
    "int": {ValueType.INTEGER},
    "size": {ValueType.SIZE},
    "list": {ValueType.LIST},
    "string": {ValueType.TEXT},
    "enum": {ValueType.CHOICE, ValueType.CODE},
}
OTHER_TYPE = {"NCCL_CUMEM_ENABLE": "the source also takes -2, its own choice"}
OTHER_RANGE = {"NCCL_CUMEM_ENABLE": "the same"}
OTHER_DEFAULT = {
    "NCCL_TOPO_FILE": "the path alone, without the remark on it",
    "OFI_NCCL_DISABLE_DMABUF": "chosen by the platform: no text to write",
    "OFI_NCCL_MR_CACHE_DISABLE": "the same",
    "OFI_NCCL_PLATFORM": "an empty text is no default",
    "OFI_NCCL_PROTOCOL": "the word alone, without the remark on it",
    "PET_RDZV_CONF": "an empty text is no default",
    "PET_RDZV_ENDPOINT": "the same",
}


def facts() -> JsonObject:
    """Return the collected facts, or empty ones."""
    if not FACTS.exists():
        return {"variables": [], "source_only_params": {"params": {}}, "not_variables": []}
    read = yaml.load(FACTS.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return cast("JsonObject", json.loads(json.dumps(read)))


def variables() -> list[JsonObject]:
    """Return the facts on variables."""
    return cast("list[JsonObject]", facts()["variables"])


def differing(
    expected: Mapping[str, Json], actual: dict[str, Json]
) -> dict[str, tuple[Json, Json]]:
    """Return what differs, by name of the variable: the fact and the table."""
    return {
        name: (fact, actual.get(name)) for name, fact in expected.items() if fact != actual[name]
    }


def named(key: str) -> dict[str, Json]:
    """Return one field of all facts, by name of the variable."""
    return {str(fact["name"]): fact.get(key) for fact in variables()}


def test_every_variable_has_a_row() -> None:
    assert set() == named("name").keys() - REGISTRY.keys()


def test_every_row_has_the_type_of_its_fact() -> None:
    wrong = {
        name for name, kind in named("type").items() if REGISTRY[name].type not in TYPES[str(kind)]
    }
    assert wrong <= OTHER_TYPE.keys()


def test_every_row_has_the_default_of_its_fact() -> None:
    rows: dict[str, Json] = {name: row.default for name, row in REGISTRY.items()}
    assert differing(named("default"), rows).keys() <= OTHER_DEFAULT.keys()


def test_every_row_has_the_range_of_its_fact() -> None:
    rows: dict[str, Json] = {
        name: None if row.minimum is row.maximum is None else [row.minimum, row.maximum]
        for name, row in REGISTRY.items()
    }
    assert differing(named("range"), rows).keys() <= OTHER_RANGE.keys()


def test_every_row_has_the_choices_of_its_fact() -> None:
    rows: dict[str, Json] = {name: [*row.choices] for name, row in REGISTRY.items()}
    facts_on = {name: choices for name, choices in named("allowed").items() if choices}
    assert {} == differing(facts_on, rows)


def test_every_row_has_the_release_of_its_fact() -> None:
    rows: dict[str, Json] = {name: row.since or None for name, row in REGISTRY.items()}
    assert {} == differing(named("since"), rows)


def test_every_row_has_the_sensitivity_to_case_of_its_fact() -> None:
    rows: dict[str, Json] = {name: row.case_sensitive for name, row in REGISTRY.items()}
    told = {name: fact for name, fact in named("case_sensitive").items() if fact is not None}
    told.pop("NCCL_NET", None)  # any text is the name of some plugin
    assert {} == differing(told, rows)


def test_every_row_has_the_replacement_and_the_removal_of_its_fact() -> None:
    for key, rows in (
        ("renamed_to", {name: row.replaced_by or None for name, row in REGISTRY.items()}),
        ("removed", {name: row.removed or None for name, row in REGISTRY.items()}),
    ):
        assert {} == differing(named(key), cast("dict[str, Json]", rows))


def test_every_row_has_the_source_and_the_confidence_of_its_fact() -> None:
    sources: dict[str, Json] = {name: row.source for name, row in REGISTRY.items()}
    assert {} == differing(named("source"), sources)
    unsure = {name: fact for name, fact in named("confidence").items() if fact}
    rows: dict[str, Json] = {name: row.confidence for name, row in REGISTRY.items()}
    assert {} == differing(unsure, rows)


def test_what_the_operator_sets_is_marked() -> None:
    told = {name for name, fact in named("operator_sets").items() if fact}
    marked = {name for name, row in REGISTRY.items() if row.operator_sets}
    assert told in (set(), marked)


def test_every_parameter_of_the_source_is_known() -> None:
    params = cast("dict[str, JsonObject]", facts())["source_only_params"]["params"]
    assert set() == set(cast("JsonObject", params)) - REGISTRY.keys()


def test_every_name_that_nobody_reads_is_known() -> None:
    told = {str(fact["name"]) for fact in cast("list[JsonObject]", facts()["not_variables"])}
    assert told in (set(), set(MISNOMERS))


def test_levels_are_those_of_the_facts_in_their_order() -> None:
    levels = cast("list[JsonObject]", facts().get("topology_levels", []))
    assert [level["name"] for level in levels] in ([], [*LEVELS])


def test_no_meaning_is_the_sentence_of_its_fact() -> None:
    same = {name for name, fact in named("meaning").items() if fact == REGISTRY[name].meaning}
    assert set() == same
