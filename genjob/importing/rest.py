"""A piece of a manifest → what a field takes of it; the rest stays, and goes to the overrides.

The pieces are working copies. A function here takes a value only where the field can hold it as it
is, so that whatever is unusual stays in the copy, and nothing gets lost between the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifests.trace import is_empty

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from genjob.jsontypes import Json, JsonObject


def take_text(rest: JsonObject, key: str) -> str | None:
    """Take a text that says something."""
    value = rest.get(key)
    if not isinstance(value, str) or not value:
        return None
    del rest[key]
    return value


def take_word(rest: JsonObject, key: str, known: Collection[str]) -> str | None:
    """Take a text that is one of the known ones."""
    return take_text(rest, key) if rest.get(key) in known else None


def take_count(
    rest: JsonObject, key: str, *, least: int = 0, most: int | None = None
) -> int | None:
    """Take a whole number within the bounds."""
    value = rest.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        return None
    if most is not None and value > most:
        return None
    del rest[key]
    return value


def take_flag(rest: JsonObject, key: str) -> bool | None:
    """Take a boolean."""
    value = rest.get(key)
    if not isinstance(value, bool):
        return None
    del rest[key]
    return value


def take_texts(rest: JsonObject, key: str) -> list[Json]:
    """Take a list of texts."""
    value = rest.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return []
    del rest[key]
    return value


def take_words(rest: JsonObject, key: str) -> list[Json]:
    """Take a list of texts that all say something."""
    value = rest.get(key)
    return take_texts(rest, key) if isinstance(value, list) and all(value) else []


def take_text_map(rest: JsonObject, key: str) -> JsonObject:
    """Take a mapping whose values are texts."""
    value = rest.get(key)
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        return {}
    del rest[key]
    return value


def take_objects(rest: JsonObject, key: str) -> list[Json]:
    """Take a list of mappings."""
    value = rest.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return []
    del rest[key]
    return value


def take_each(
    rest: JsonObject, key: str, inverse: Callable[[JsonObject], JsonObject | None]
) -> list[Json]:
    """Take a list when the inverse has an answer for every item of it, else nothing."""
    value = rest.get(key)
    items = value if isinstance(value, list) else []
    made = [inverse({**item}) if isinstance(item, dict) else None for item in items]
    if not made or any(each is None for each in made):
        return []
    del rest[key]
    return [*made]


def below(rest: JsonObject, key: str) -> JsonObject:
    """Return the mapping at a key, of which more can be taken; an empty one where there is none."""
    value = rest.get(key)
    return value if isinstance(value, dict) else {}


def drop_if_empty(rest: JsonObject, *keys: str) -> None:
    """Remove the keys under which nothing is left."""
    for key in keys:
        if is_empty(rest.get(key)):
            rest.pop(key, None)


def present(**fields: Json) -> JsonObject:
    """Return the fields that have a value: None, an empty list and an empty mapping are none."""
    return {name: value for name, value in fields.items() if not is_empty(value)}
