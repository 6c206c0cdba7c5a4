"""Two resolved jobs → the fields that differ, by their names in experiment.yaml, and who did it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.document import Plain
from genjob.explanation.text import flow
from genjob.explanation.values import DEFAULT, all_values
from genjob.jsontypes import dotted
from genjob.resolve.merge import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.diagnostics import Location
    from genjob.explanation.values import Value
    from genjob.jsontypes import DocPath, Key
    from genjob.resolve.job import Job

_DIGITS: Final = 8
_NAME: Final = "name"
"""The field that says which experiment it is; it differs when one is renamed."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that is not what it was; None where nobody sets it, on the one side or the other.

    `layer` is of whoever sets it now, or set it before when nobody does now; then there is no
    `place`.
    """

    path: str
    before: str | None
    after: str | None
    layer: str
    place: Location | None


def changed_fields(before: Job, after: Job) -> list[FieldChange]:
    """Return the fields that differ between two resolved jobs, in the order of the models."""
    old, new = _by_path(before), _by_path(after)
    paths = [*new, *(path for path in old if path not in new)]
    found = [_compared(path, old.get(path), new.get(path), after) for path in paths]
    return [
        *_namespace(before, after),
        *(each for each in found if each is not None),
        *_files(before, after),
    ]


def _by_path(job: Job) -> dict[str, Value]:
    return {dotted(_by_names(job, value.path)): value for value in all_values(job)}


def _by_names(job: Job, path: DocPath) -> DocPath:
    """Return a route in which items of lists are called by their names, where they have one."""
    return tuple(_called(job, path[: depth + 1]) for depth in range(len(path)))


def _called(job: Job, path: DocPath) -> Key:
    if not isinstance(path[-1], int):
        return path[-1]
    name = value_at(job.tree, (*path, "name"))
    text = name.text if isinstance(name, Plain) else name
    return text if isinstance(text, str) else path[-1]


def _compared(path: str, old: Value | None, new: Value | None, after: Job) -> FieldChange | None:
    was, now = _shown(old), _shown(new)
    if was == now or path == _NAME:
        return None
    said_alike = old is not None and new is not None and old.value == new.value
    if said_alike and after.environment is not None:  # the same word means something else there
        file = after.inputs.environment
        place = file.document.locate(()) if file else None
        return FieldChange(path, was, now, f"environment {after.environment.name}", place)
    sets = [value.claims[0] for value in (new, old) if value is not None and value.claims]
    layer = sets[0].layer if sets else DEFAULT
    return FieldChange(path, was, now, layer, sets[0].place if now is not None and sets else None)


def _shown(value: Value | None) -> str | None:
    if value is None or not value.is_set:
        return None
    return flow(value.value) + (f" ({value.means})" if value.means else "")


def _namespace(before: Job, after: Job) -> Iterator[FieldChange]:
    files = [job.inputs.environment for job in (before, after)]
    names = [file.model.namespace if file else None for file in files]
    if names[0] != names[1] and files[1] is not None:
        place = files[1].document.locate(("namespace",))
        layer = f"environment {files[1].model.name}"
        yield FieldChange("namespace", names[0], names[1], layer, place)


def _files(before: Job, after: Job) -> Iterator[FieldChange]:
    for name in sorted({*before.files, *after.files}):
        was, now = (_digest(job.files.get(name)) for job in (before, after))
        if was != now:
            yield FieldChange(f"file {name}", was, now, "experiment", None)


def _digest(content: bytes | None) -> str | None:
    if content is None:
        return None
    return f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()[:_DIGITS]}"
