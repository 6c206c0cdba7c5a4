"""A PyTorchJob that uses every corner of its API, and ways to spoil it."""

from __future__ import annotations

import copy
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

POD: DocPath = ("spec", "pytorchReplicaSpecs", "Worker", "template", "spec")
CONTAINER: DocPath = (*POD, "containers", 0)


class Absent(Enum):
    """Nothing, where even null would be something."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


def whole_job() -> JsonObject:
    """Return the job, a new one each time."""
    file = Path(__file__).parent / "data/whole-pytorchjob.yaml"
    job: JsonObject = yaml.safe_load(file.read_text(encoding="utf-8"))
    return job


def changed(body: JsonObject, path: DocPath, value: Json | Absent) -> JsonObject:
    """Return `body` with `value` at `path`, or with nothing there when it is ABSENT.

    What lies beside the path is shared with `body`, which stays as it was.
    """
    made: Any = copy.copy(body)
    place = made
    for key in path[:-1]:
        place[key] = copy.copy(place[key])
        place = place[key]
    if value is ABSENT:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return cast("JsonObject", made)


def places(value: Json, path: DocPath = ()) -> Iterator[tuple[DocPath, Json]]:
    """Yield a value and every value inside it, with its path."""
    yield path, value
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from places(child, (*path, index))
