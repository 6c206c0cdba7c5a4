"""A model and a route of keys → the fields that may stand there, read from the annotations."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel

from genjob.catalog.variables import FIELDS
from genjob.model.nccl import SECTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pydantic.fields import FieldInfo

    from genjob.jsontypes import DocPath


def known_keys(model: type[BaseModel], path: DocPath) -> list[str]:
    """Return the keys that may stand below `path` of a model; nothing when any may."""
    return [name for each in _at(model, path) if is_model(each) for name in each.model_fields]


def takes_any_key(model: type[BaseModel], path: DocPath) -> bool:
    """Tell whether any key may stand below `path` of a model: it is a mapping of a person's own."""
    depths = [_at(model, path[:depth]) for depth in range(len(path) + 1)]
    is_raw = any(each is Any for types_here in depths for each in types_here)
    return is_raw or any(get_origin(each) is dict for each in depths[-1])


def through_lists(model: type[BaseModel], names: Iterable[str]) -> DocPath:
    """Return the route that names lead to when each list on it is entered: `storage.pvc`."""
    path: DocPath = ()
    for name in names:
        path = (*path, name)
        if any(get_origin(each) is list for each in _at(model, path)):
            path = (*path, 0)
    return path


def _at(model: type[BaseModel], path: DocPath) -> list[Any]:
    """Return the types that a value at `path` of a model may have."""
    types_here: list[Any] = [model]
    for key in path:
        types_here = [below for each in types_here for below in _below(each, key)]
    return types_here


def field_at(model: type[BaseModel], path: DocPath) -> FieldInfo | None:
    """Return the field at `path` of a model, or None when there is none."""
    here = _at(model, path[:-1])
    fields = [each.model_fields.get(str(path[-1])) for each in here if is_model(each)]
    return next((field for field in fields if field is not None), None)


def home_of(model: type[BaseModel], path: DocPath) -> str:
    """Return the hint that says where a key belongs that is known, but elsewhere; or nothing."""
    *above, key = map(str, path)
    if above and key in model.model_fields:
        return f"it belongs outside of '{above[0]}'"
    homes = sorted(_homes(model, key), key=len)
    return f"it belongs under '{'.'.join(homes[0])}'" if homes else ""


def _homes(
    model: type[BaseModel], key: str, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    for name, field in model.model_fields.items():
        if name == SECTION and key in FIELDS:
            yield (*path, name)
        for below in alternatives(field.annotation):
            if is_model(below):
                if key in below.model_fields:
                    yield (*path, name)
                yield from _homes(below, key, (*path, name))


def is_model(annotation: Any) -> typing.TypeGuard[type[BaseModel]]:  # noqa: ANN401 # a type
    """Return whether a type is one of our models."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _below(annotation: Any, key: str | int) -> list[Any]:  # noqa: ANN401 # a type
    """Return the types that a value at `key` of this type may have."""
    if is_model(annotation):
        field = annotation.model_fields.get(str(key))
        return alternatives(field.annotation) if field else []
    arguments = get_args(annotation)
    return alternatives(arguments[-1]) if get_origin(annotation) in {dict, list} else []


def alternatives(annotation: Any) -> list[Any]:  # noqa: ANN401 # a type
    """Return what an annotation may be: the members of a union, without `Annotated` around."""
    origin = get_origin(annotation)
    if origin is typing.Annotated:
        return alternatives(get_args(annotation)[0])
    if origin in {typing.Union, types.UnionType}:
        return [below for part in get_args(annotation) for below in alternatives(part)]
    return [annotation]
