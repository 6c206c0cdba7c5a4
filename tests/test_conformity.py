"""The compiled validator says that an object is right only when jsonschema finds nothing in it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from genjob.crd.conformity import conformity
from genjob.crd.library import schemas_root
from genjob.crd.violations import compiled, validate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.jsontypes import Json, JsonObject

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared/corpus/pytorchjobs"
SCHEMA: JsonObject = json.loads((schemas_root() / "kubeflow.org/pytorchjob-1.9.json").read_bytes())
CONFORMS, VALIDATOR = conformity(json.dumps(SCHEMA)), compiled(SCHEMA)


def jobs() -> Iterator[JsonObject]:
    """Yield the PyTorchJobs of this repository and its tests, and of the corpus if it is there."""
    files = [*(ROOT / "bases").rglob("*.yaml"), *(ROOT / "tests").rglob("*.yaml")]
    for path in [*sorted(files), *sorted(CORPUS.rglob("*.y*ml"))]:
        try:
            documents = [*yaml.safe_load_all(path.read_text(encoding="utf-8"))]
        except (yaml.YAMLError, ValueError):
            continue
        for found in documents:
            if isinstance(found, dict) and found.get("kind") == "PyTorchJob":
                yield found


JOBS = [json.loads(json.dumps(job, default=str)) for job in jobs()]

NUMBERS: list[Json] = [
    *(2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**70),
    *(0, -1, 1.0, 1.5, 1e300, float(2**31), float(2**63), float(-(2**63)), True, False),
]
OTHERS: list[Json] = [
    *(None, "", "no", "08", "1e-4", "10Gi", "10Gi\n", "10GiB", "\u0663Gi", "é" * 300, "\ud800"),
    [],
    {},
    ["a", "a"],
    [1, 1.0, True],
    {"name": "x"},
    {"": None},
]
"""What stands where something else is expected."""


def agrees(body: JsonObject) -> bool:
    """Return whether the compiled validator does not pass what jsonschema finds fault with."""
    return not CONFORMS(body) or not validate(body, VALIDATOR)


def test_there_are_jobs_to_compare() -> None:
    assert len(JOBS) > 50


def test_both_say_the_same_of_every_job() -> None:
    assert [] == [job for job in JOBS if CONFORMS(job) == bool(validate(job, VALIDATOR))]


@given(st.data())
def test_a_job_with_a_spoiled_value_is_passed_by_neither(data: st.DataObject) -> None:
    job = copy.deepcopy(data.draw(st.sampled_from(JOBS)))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from([*places(job)]))
        if data.draw(st.booleans()):
            _put(holder, key, data.draw(st.sampled_from(NUMBERS + OTHERS)))
        elif isinstance(holder, dict):
            holder[data.draw(st.sampled_from(("replicas", "nme", "Image", "")))] = holder.pop(
                str(key)
            )

    assert agrees(job)


def places(value: Json) -> Iterator[tuple[JsonObject | list[Json], str | int]]:
    """Yield every value below, as what holds it and its key."""
    if not isinstance(value, dict | list):
        return
    pairs: Iterable[tuple[str | int, Json]]
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, below in pairs:
        yield value, key
        yield from places(below)


def _put(holder: JsonObject | list[Json], key: str | int, value: Json) -> None:
    if isinstance(holder, dict):
        holder[str(key)] = copy.deepcopy(value)
    else:
        holder[int(key)] = copy.deepcopy(value)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "format": "int32"},
        {"type": "integer", "format": "int64", "minimum": 0},
        {"type": ["integer", "string"], "format": "int32", "maximum": 5},
        {"format": "int64"},
    ],
)
def test_the_formats_of_integers_have_bounds(schema: JsonObject, number: Json) -> None:
    whole: JsonObject = {"type": "object", "properties": {"n": schema}}
    body: JsonObject = {"n": number}

    assert conformity(json.dumps(whole))(body) == (not validate(body, compiled(whole)))


def test_a_property_that_is_called_format_is_no_format() -> None:
    schema: JsonObject = {"properties": {"format": {"type": "string"}}, "type": "object"}

    assert conformity(json.dumps(schema))({"format": "int32"})


@pytest.mark.parametrize("schema", [{"pattern": "("}, {"$ref": "#/nowhere"}])
def test_a_schema_that_cannot_be_compiled_passes_nothing(schema: JsonObject) -> None:
    whole = json.dumps({"type": "object", "properties": {"a": schema}})

    assert not conformity(whole)({"a": "b"})


@pytest.mark.parametrize("body", [{1: "a"}, {"a": object()}, {"a": {2}}])
def test_what_is_no_json_is_not_passed(body: JsonObject) -> None:
    schema = json.dumps({"type": "object", "additionalProperties": {"type": "string"}})

    assert not conformity(schema)(body)
