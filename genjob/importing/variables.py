"""The `env` and `envFrom` of a container → the fields `env`, `nccl` and `env_from`.

An experiment has its variables by name and brings them into an order in which each reference is
resolved. A list that means something else, because a name stands twice in it or a reference comes
too early, stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.catalog.variables import FIELDS
from genjob.catalog.variables.variable import PREFIX, ValueType
from genjob.importing.rest import (
    below,
    drop_if_empty,
    present,
    take_each,
    take_flag,
    take_text,
)
from genjob.quantity import binary_text
from genjob.rules.walk import as_list, as_object, get
from genjob.variables import check_field, field_name, render_field
from genjob.variables.fields import takes_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from genjob.catalog.variables.variable import Variable
    from genjob.jsontypes import Json, JsonObject

REFERENCE: Final = re.compile(r"\$\(([^()]+)\)")
"""What Kubernetes replaces in the value of a variable."""

_FLAGS: Final = (ValueType.FLAG01, ValueType.FLAG_WORD)
_SIGNS: Final = "^="
"""What stands for a whole list before its first item; so written out, the list stays one text."""

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)")


class Variables(NamedTuple):
    """The fields `env` and `nccl`."""

    env: JsonObject
    nccl: JsonObject


def variables(container: JsonObject, *, with_nccl: bool) -> Variables:
    """Take the variables of a container; those of NCCL as `nccl`, if there is such a section."""
    entries = [as_object(entry) for entry in as_list(container.get("env"))]
    by_name = {name: _value({**entry}) for entry in entries if (name := _name(entry))}
    if len(by_name) != len(entries) or not _in_order(entries, by_name):
        return Variables({}, {})
    container["env"] = [entry for entry in entries if by_name[_name(entry)] is None]
    drop_if_empty(container, "env")
    env: JsonObject = {name: value for name, value in by_name.items() if value is not None}
    nccl: JsonObject = {}
    for name in [*env] if with_nccl else []:
        value = _setting(name, env[name])
        if value is not None:
            nccl[field_name(name)] = value
            del env[name]
    return Variables(env, nccl)


def _name(entry: JsonObject) -> str:
    name = entry.get("name")
    return name if isinstance(name, str) else ""


def _in_order(entries: list[JsonObject], by_name: Mapping[str, Json]) -> bool:
    """Return whether each reference leads to an earlier variable that has a field, or to none."""
    seen: set[str] = set()
    for entry in entries:
        for needed in REFERENCE.findall(str(entry.get("value", ""))):
            if needed in by_name and (needed not in seen or by_name[needed] is None):
                return False
        seen.add(_name(entry))
    return True


def _value(entry: JsonObject) -> Json:
    """Return the value of a variable as a field holds it, None when none can."""
    del entry["name"]
    if {*entry} == {"value"} and isinstance(entry["value"], str):
        return entry["value"]
    if not entry:
        return ""
    source = below(entry, "valueFrom")
    if {*entry} != {"valueFrom"} or len(source) != 1:
        return None
    kind, body = next(iter(source.items()))
    if kind not in _SOURCES or not isinstance(body, dict):
        return None
    rest = {**body}
    made = _SOURCES[kind](rest)
    return None if rest else made


def _keyed(kind: str) -> Callable[[JsonObject], JsonObject | None]:
    def inverse(rest: JsonObject) -> JsonObject | None:
        name, key = take_text(rest, "name"), take_text(rest, "key")
        if name is None or key is None:
            return None
        return present(**{kind: name}, key=key, optional=take_flag(rest, "optional") or None)

    return inverse


def _field(rest: JsonObject) -> JsonObject | None:
    path = take_text(rest, "fieldPath")
    return None if path is None else {"field": path}


def _resource(rest: JsonObject) -> JsonObject | None:
    name = take_text(rest, "resource")
    divisor = rest.pop("divisor", None)
    unit = divisor if isinstance(divisor, int) else (str(divisor) if divisor else None)
    return None if name is None else present(resource=name, divisor=unit)


_SOURCES: Final[dict[str, Callable[[JsonObject], JsonObject | None]]] = {
    "secretKeyRef": _keyed("secret"),
    "configMapKeyRef": _keyed("config_map"),
    "fieldRef": _field,
    "resourceFieldRef": _resource,
}
"""Where Kubernetes looks up a value → the fields that say so."""


def _setting(name: str, text: Json) -> Json:
    """Return the value of a variable of NCCL as a person writes it, None when none means `text`."""
    field = field_name(name) if name.startswith(PREFIX) else ""
    if field not in FIELDS or name != PREFIX + field.upper() or not isinstance(text, str):
        return None
    for value in _spellings(FIELDS[field], text):
        if check_field(field, value) is None and render_field(field, value) == text:
            return value
    return None


def _spellings(variable: Variable, text: str) -> Iterator[Json]:
    """Yield the values that may stand for a text, the plainest first."""
    if variable.type in _FLAGS and text in {"0", "1"}:
        yield text == "1"
    if _INTEGER.fullmatch(text):
        if variable.type is ValueType.SIZE:
            yield binary_text(int(text))
        yield int(text)
    if takes_list(variable) and variable.separator in text and text[0] not in _SIGNS:
        yield [*text.split(variable.separator)]
    yield text


def env_from(container: JsonObject, *, without: str) -> list[Json]:
    """Take the sources of whole sets of variables; all of them, or none.

    The ConfigMap `without`, the last of them, is taken too, and left out.
    """
    sources = as_list(container.get("envFrom"))
    if without and sources and get(sources[-1], "configMapRef", "name") == without:
        del sources[-1]
    drop_if_empty(container, "envFrom")
    return take_each(container, "envFrom", _source)


def _source(entry: JsonObject) -> JsonObject | None:
    prefix = take_text(entry, "prefix")
    if entry.get("prefix") == "":
        del entry["prefix"]
    if len(entry) != 1:
        return None
    kind, body = next(iter(entry.items()))
    fields = {"configMapRef": "config_map", "secretRef": "secret"}
    if kind not in fields or not isinstance(body, dict):
        return None
    rest = {**body}
    name, optional = take_text(rest, "name"), take_flag(rest, "optional") or None
    if name is None or rest:
        return None
    return present(**{fields[kind]: name}, prefix=prefix, optional=optional)
