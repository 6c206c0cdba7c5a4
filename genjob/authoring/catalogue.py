"""Rows of the catalogue, fabrics and machines → the words in which they are shown."""

from __future__ import annotations

import json
from math import floor
from typing import TYPE_CHECKING, Final

from genjob.catalog.fabrics import PerSite
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.catalog.hardware.machine import GIB, allocatable_cpus, allocatable_memory
from genjob.catalog.sources import SOURCES
from genjob.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.catalog.fabrics import Fabric, Part
    from genjob.catalog.fabrics.fabric import Value
    from genjob.catalog.hardware import InstanceType
    from genjob.jsontypes import Json, JsonObject

UNCERTAIN: Final = "~"
"""What stands before a value of a machine that nobody looked up."""

NEVER_SURE: Final = "not certain"


def shown_value(part: Part) -> str:
    """Return the value of a part in short, or what it depends on."""
    value = part.value
    if isinstance(value, PerSite):
        return value.shown
    if isinstance(value, list):
        return ", ".join(map(_shown_item, value))
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shown_item(item: Value) -> str:
    if not isinstance(item, dict):
        return str(item)
    paths = [item.get("host_path"), item.get("hostPath")]
    host = next((path["path"] for path in paths if isinstance(path, dict)), "")
    inside = item.get("mount_path")
    return f"{item['name']} ({host}{f' at {inside}' if inside else ''})"


def remarks(part: Part) -> str:
    """Return what there is to say of a part beside its value; nothing for most."""
    only, never = ", ".join(part.only_on), ", ".join(part.not_on)
    words = (
        f"only on {only}" if only else "",
        f"not on {never}" if never else "",
        "" if part.is_certain else NEVER_SURE,
        part.note,
    )
    return "; ".join(word for word in words if word)


def machines_of(fabric: Fabric) -> list[str]:
    """Return the instance types that have a fabric."""
    return [row.name for row in INSTANCE_TYPES.values() if row.fabric == fabric.name]


def pool_fields(fabric: Fabric) -> list[tuple[str, str]]:
    """Return the fields of the node pool that a fabric reads, with their meaning."""
    return [
        (need.field, need.meaning + ("; required" if need.is_required else ""))
        for need in fabric.needs
    ]


def sources_of(fabric: Fabric) -> list[tuple[str, str]]:
    """Return the sources that a profile cites, each with its title."""
    keys = dict.fromkeys(part.source for part in fabric.parts)
    return [(key, SOURCES[key]) for key in keys]


def fabric_as_json(fabric: Fabric) -> JsonObject:
    """Return a profile for machines to read."""
    return {
        "name": fabric.name,
        "meaning": fabric.meaning,
        "sets": [_part_as_json(part) for part in fabric.parts],
        "node_pool": [
            {"field": need.field, "meaning": need.meaning, "required": need.is_required}
            for need in fabric.needs
        ],
        "forbids": {**fabric.forbids},
        "machines": [*machines_of(fabric)],
    }


def _part_as_json(part: Part) -> JsonObject:
    per_site = isinstance(part.value, PerSite)
    value: Json = None if isinstance(part.value, PerSite) else json.loads(json.dumps(part.value))
    return {
        "field": part.name,
        "value": value,
        "depends": shown_value(part) if per_site else "",
        "only_on": [*part.only_on],
        "not_on": [*part.not_on],
        "certain": part.is_certain,
        "note": part.note,
        "source": SOURCES[part.source],
    }


def machine_cells(row: InstanceType) -> tuple[str, str, str, str]:
    """Return GPUs, fabric, CPUs and memory of a machine: what pods may have, of what it has."""
    memory = (
        f" of {_sure(row, 'gpu_memory_gib')}{row.gpu_memory_gib}Gi" if row.gpu_memory_gib else ""
    )
    nics = f", {_sure(row, 'nics')}{row.nics} NIC{'s' * (row.nics > 1)}" if row.nics else ""
    cpus = floor(allocatable_cpus(row.cpus)) if row.cpus else None
    free = floor(allocatable_memory(row.memory_gib) / GIB) if row.memory_gib else None
    return (
        f"{row.gpus} {row.accelerator}{memory}",
        f"{row.fabric}{nics}",
        f"{cpus} of {_sure(row, 'cpus')}{row.cpus}" if cpus else "",
        f"{free}Gi of {_sure(row, 'memory_gib')}{row.memory_gib}Gi" if free else "",
    )


def _sure(row: InstanceType, field: str) -> str:
    return UNCERTAIN if field in row.uncertain else ""


def machine_line(row: InstanceType) -> str:
    """Return a machine in one line."""
    gpus, fabric, cpus, memory = machine_cells(row)
    parts = (gpus, fabric, f"{cpus} CPUs" if cpus else "", memory)
    return "; ".join(part for part in parts if part)


def machine_facts(row: InstanceType) -> dict[str, str]:
    """Return all that is known of a machine, with labels for a reader."""
    gpus, fabric, cpus, memory = machine_cells(row)
    unsure = sorted(row.uncertain)
    return {
        "provider": row.provider,
        "GPUs": gpus,
        "fabric": fabric,
        "adapters": ", ".join(row.hcas),
        "CPUs": f"about {cpus} for pods" if cpus else "not known: write cpu in the node pool",
        "memory": f"about {memory} for pods"
        if memory
        else "not known: write memory in the node pool",
        "selected by": _labels(row.selector) or "node_selector of the node pool",
        "labels": _labels(row.labels),
        NEVER_SURE: f"{listed(unsure)}; the node pool may say them" if unsure else "",
        "source": SOURCES[row.source],
    }


def _labels(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in labels.items())


def machine_as_json(row: InstanceType) -> JsonObject:
    """Return a machine for machines to read; memory in GiB, `free_` is what pods may have."""
    return {
        "name": row.name,
        "provider": row.provider,
        "accelerator": row.accelerator,
        "gpus": row.gpus,
        "gpu_memory_gib": row.gpu_memory_gib,
        "fabric": row.fabric,
        "nics": row.nics,
        "hcas": [*row.hcas],
        "cpus": row.cpus,
        "free_cpus": floor(allocatable_cpus(row.cpus)) if row.cpus else None,
        "memory_gib": row.memory_gib,
        "free_memory_gib": floor(allocatable_memory(row.memory_gib) / GIB)
        if row.memory_gib
        else None,
        "selector": {**row.selector},
        "labels": {**row.labels},
        "uncertain": [*sorted(row.uncertain)],
        "source": SOURCES[row.source],
    }
