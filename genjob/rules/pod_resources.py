"""The resources of a job's containers → what the API server refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.quantity import meant_quantity, read_quantity
from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import as_object, containers, get
from genjob.wording import did_you_mean, found, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from genjob.jsontypes import DocPath, Json, JsonObject

STANDARD = ("cpu", "memory", "ephemeral-storage")
HUGE_PAGES = "hugepages-"
DEVICE_HINT = "write a device with its domain: 'nvidia.com/gpu'"
KINDS = ("requests", "limits")


def quantity_invalid(job: JsonObject) -> Iterator[Hit]:
    """An amount is a Kubernetes quantity: a number with a unit such as 'm', 'Gi' or 'G'."""
    for path, value in _amounts(job):
        if isinstance(value, str | int | float) and read_quantity(value) is None:
            message = f"{quoted(str(path[-1]))} is {found(value)}, expected a quantity"
            meant = meant_quantity(str(value))
            hint = f"write '{meant}'" if meant else "write a number with a unit: '500m', '64Gi'"
            yield Hit(path, message, hint)


def quantity_negative(job: JsonObject) -> Iterator[Hit]:
    """An amount is not negative."""
    for path, value in _amounts(job):
        if (amount := read_quantity(value)) is not None and amount < 0:
            message = f"{quoted(str(path[-1]))} is negative: {value}"
            yield Hit(path, message, "write a positive amount")


def resource_name_unknown(job: JsonObject) -> Iterator[Hit]:
    """A resource without a domain is CPU, memory, ephemeral storage or huge pages."""
    for path, _ in _amounts(job):
        name = str(path[-1])
        if "/" not in name and name not in STANDARD and not _is_huge_page(name):
            hint = DEVICE_HINT if "gpu" in name.lower() else did_you_mean(name, STANDARD)
            yield Hit(
                path, f"resource {quoted(name)} is not known", hint or DEVICE_HINT, at_key=True
            )
        elif "/" in name and (fault := names.qualified_name(name)):
            message = f"resource name {quoted(name)} {fault}"
            yield Hit(path, message, "write 'domain/name'", at_key=True)


def extended_resource_fraction(job: JsonObject) -> Iterator[Hit]:
    """A device is given as a whole: the amount of an extended resource is an integer."""
    for path, value in _amounts(job):
        amount = read_quantity(value)
        if amount is not None and _is_extended(str(path[-1])) and amount.denominator != 1:
            message = f"{quoted(str(path[-1]))} is {found(value)}, expected a whole number"
            yield Hit(path, message, "write how many devices a pod gets")


def request_above_limit(job: JsonObject) -> Iterator[Hit]:
    """A request is not above its limit."""
    for path, name, request, limit in _pairs(job):
        if not _is_whole(name) and request > limit >= 0:
            message = f"the request of {quoted(name)} is above its limit"
            yield Hit(path, message, "raise the limit or lower the request")


def device_request_differs(job: JsonObject) -> Iterator[Hit]:
    """Devices and huge pages are not shared: where both are given, request equals limit."""
    for path, name, request, limit in _pairs(job):
        if _is_whole(name) and request != limit:
            message = f"the request of {quoted(name)} differs from its limit"
            yield Hit(path, message, "write the limit alone; the request follows it")


def device_without_limit(job: JsonObject) -> Iterator[Hit]:
    """Devices and huge pages are given by their limit; a request alone is refused."""
    for path, container in containers(job):
        requests, limits = _of(container, "requests"), _of(container, "limits")
        for name, value in requests.items():
            if _is_whole(name) and name not in limits and read_quantity(value) is not None:
                message = f"{quoted(name)} is requested without a limit"
                yield Hit((*path, "resources", "requests", name), message, "write it as a limit")


def huge_pages_alone(job: JsonObject) -> Iterator[Hit]:
    """A container with huge pages also needs CPU or memory."""
    for path, container in containers(job):
        given = {name: kind for kind in KINDS for name in _of(container, kind)}
        huge = next((name for name in given if _is_huge_page(name)), None)
        if huge is not None and not given.keys() & {"cpu", "memory"}:
            message = f"{quoted(huge)} needs an amount of cpu or memory beside it"
            yield Hit((*path, "resources", given[huge], huge), message, "add memory", at_key=True)


def huge_page_fraction(job: JsonObject) -> Iterator[Hit]:
    """Huge pages are given as whole pages: the amount is a multiple of the page size."""
    for path, value in _amounts(job):
        name = str(path[-1])
        page = read_quantity(name.removeprefix(HUGE_PAGES)) if _is_huge_page(name) else None
        amount = read_quantity(value)
        if page and amount is not None and amount >= 0 and amount % page:
            message = f"{quoted(name)} is {found(value)}, expected whole pages"
            yield Hit(path, message, f"write a multiple of {name.removeprefix(HUGE_PAGES)}")


def _of(container: JsonObject, kind: str) -> JsonObject:
    return as_object(get(container, "resources", kind))


def _amounts(job: JsonObject) -> Iterator[tuple[DocPath, Json]]:
    for path, container in containers(job):
        for kind in KINDS:
            for name, value in _of(container, kind).items():
                yield (*path, "resources", kind, name), value


def _pairs(job: JsonObject) -> Iterator[tuple[DocPath, str, Fraction, Fraction]]:
    """Yield the requests that also have a limit, where both can be read."""
    for path, container in containers(job):
        limits = _of(container, "limits")
        for name, value in _of(container, "requests").items():
            request, limit = read_quantity(value), read_quantity(limits.get(name))
            if request is not None and limit is not None:
                yield (*path, "resources", "requests", name), name, request, limit


def _is_huge_page(name: str) -> bool:
    return name.startswith(HUGE_PAGES)


def _is_extended(name: str) -> bool:
    return "/" in name and "kubernetes.io/" not in name


def _is_whole(name: str) -> bool:
    """Return whether a machine cannot promise more of a resource than it has."""
    return _is_extended(name) or _is_huge_page(name)
