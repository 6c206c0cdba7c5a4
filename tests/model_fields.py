"""A model and what was written → the fields of it and of the models below that were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.model.fields import _below, alternatives, is_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

    from genjob.document import Raw
    from genjob.jsontypes import Key


def every_field(model: type[BaseModel]) -> set[tuple[str, str]]:
    """Return (name of the model, name of the field) of a model and all models below it."""
    return {
        (found.__name__, field) for found in _models_from(model) for field in found.model_fields
    }


def written_fields(model: type[BaseModel], raw: Raw) -> set[tuple[str, str]]:
    """Return the fields that `raw`, a document of this model, sets."""
    return set(_written([model], raw))


def _models_from(model: type[BaseModel]) -> set[type[BaseModel]]:
    found: set[type[BaseModel]] = set()
    waiting: list[object] = [model]
    while waiting:
        annotation = waiting.pop()
        if not is_model(annotation):
            waiting += _below(annotation, "")
        elif annotation not in found:
            found.add(annotation)
            fields = annotation.model_fields.values()
            waiting += [below for field in fields for below in alternatives(field.annotation)]
    return found


def _written(annotations: list[object], raw: Raw) -> Iterator[tuple[str, str]]:
    for key, child in _children(raw):
        for annotation in filter(is_model, annotations):
            if key in annotation.model_fields:
                yield annotation.__name__, str(key)
        below = [type_ for annotation in annotations for type_ in _below(annotation, key)]
        yield from _written(below, child)


def _children(raw: Raw) -> list[tuple[Key, Raw]]:
    if isinstance(raw, dict):
        return [*raw.items()]
    return [*enumerate(raw)] if isinstance(raw, list) else []
