"""Requests and limits of a container → the fields of `resources`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.hardware.accelerator import NVIDIA_GPU
from genjob.importing.rest import below, drop_if_empty
from genjob.quantity import read_quantity

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

_BOTH: Final = {
    "memory": ("memory", "memory_limit"),
    "ephemeral-storage": ("ephemeral_storage", "ephemeral_storage_limit"),
}
"""Resource → its fields: the first is the limit too, where the second is not given."""

_EQUAL: Final = {"hugepages-2Mi": "hugepages_2mi", "hugepages-1Gi": "hugepages_1gi"}


def resources(container: JsonObject) -> JsonObject:
    """Take requests and limits; what is asked for and has no limit stays, but for CPUs."""
    asked = below(container, "resources")
    requests, limits = below(asked, "requests"), below(asked, "limits")
    made: JsonObject = {}
    _cpus(made, requests, limits)
    for name, (request, limit) in _BOTH.items():
        _limited(made, (requests, limits), name, (request, limit))
    _devices(made, requests, limits)
    drop_if_empty(asked, "requests", "limits")
    drop_if_empty(container, "resources")
    return made


def _cpus(made: JsonObject, requests: JsonObject, limits: JsonObject) -> None:
    for field, table in (("cpu", requests), ("cpu_limit", limits)):
        _move(made, field, table, "cpu")


def _limited(
    made: JsonObject, tables: tuple[JsonObject, JsonObject], name: str, fields: tuple[str, str]
) -> None:
    requests, limits = tables
    request, limit = fields
    if name not in limits or not all(_is_amount(table[name]) for table in tables if name in table):
        return
    same = read_quantity(requests.get(name)) == read_quantity(limits[name])
    if name in requests:
        _move(made, request, requests, name)
    if same:
        del limits[name]
    else:
        _move(made, limit, limits, name)


def _devices(made: JsonObject, requests: JsonObject, limits: JsonObject) -> None:
    """Take what stands in both tables, or in the limits alone, which are the requests then."""
    extended: JsonObject = {}
    for name in [name for name in limits if name not in {"cpu", *_BOTH}]:
        amount = read_quantity(limits[name])
        wanted = read_quantity(requests.get(name, limits[name]))
        if amount is None or amount != wanted or amount < 0:
            continue
        requests.pop(name, None)
        value = _text(limits.pop(name))
        if name == NVIDIA_GPU and amount and amount.denominator == 1:
            made["gpus_per_node"] = int(amount)
        elif name in _EQUAL:
            made[_EQUAL[name]] = value
        else:
            extended[name] = value
    if extended:
        made["extended"] = extended


def _move(made: JsonObject, field: str, table: JsonObject, name: str) -> None:
    if _is_amount(table.get(name)):
        made[field] = _text(table.pop(name))


def _is_amount(value: Json) -> bool:
    amount = read_quantity(value)
    return amount is not None and amount >= 0


def _text(value: Json) -> Json:
    return value if isinstance(value, int) else str(value)
