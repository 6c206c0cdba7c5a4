"""The limits of a container → its GPUs, and the devices beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.quantity import read_quantity
from genjob.rules.fabric_signs import is_network_device
from genjob.rules.topology import GPU_RESOURCES
from genjob.rules.walk import as_object, get

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

_GPU_VENDORS: Final = ("nvidia.com/", "amd.com/")
"""Device plugins may be told to name a GPU otherwise: `nvidia.com/a40`, `nvidia.com/mig-1g.5gb`."""


def gpus_of(container: JsonObject) -> int:
    """Return the GPUs that a container is given, under whatever name."""
    counts = [read_quantity(count) or 0 for name, count in _limits(container) if is_gpu(name)]
    return int(sum(counts))


def devices_of(container: JsonObject) -> dict[str, str]:
    """Return the devices of a container that are no GPUs: resource → count, as it is written."""
    found = _limits(container)
    return {name: str(count) for name, count in found if "/" in name and not is_gpu(name)}


def is_gpu(resource: str) -> bool:
    """Tell whether one unit of a resource is a GPU, or a part of one."""
    known = resource in GPU_RESOURCES or resource.startswith(_GPU_VENDORS)
    return known and not is_network_device(resource)


def _limits(container: JsonObject) -> list[tuple[str, Json]]:
    return [*as_object(get(container, "resources", "limits")).items()]
