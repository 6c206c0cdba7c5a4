"""The tables of fabrics and machines → their pages of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.authoring.catalogue import (
    machine_cells,
    machines_of,
    pool_fields,
    remarks,
    shown_value,
    sources_of,
)
from genjob.catalog.fabrics import FABRICS, PerSite
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.catalog.sources import SOURCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from genjob.catalog.fabrics import Fabric, Part
    from genjob.catalog.hardware import InstanceType

    Table = Callable[[Sequence[str], Sequence[Sequence[str]]], str]

FABRICS_ARE = """\
What a job gets on each kind of network between machines. `network: {fabric: auto}` takes the fabric
of the node pool, which is that of its `instance_type` unless it says another. A job without NCCL
gets no part of it, and a job on one machine has `nvlink`.

A profile is a layer: each line below is a field of an experiment, and whatever the environment, the
node pool or the experiment says of it wins. What differs from site to site is a field of the node
pool. *Not certain* means that the vendor's own documents differ, or change by release; look there
first when something does not work. `genjob fabrics NAME` prints one.

/dev/shm is not part of a profile: a job with GPUs on a node pool gets 8Gi for each of them, at most
half of its memory, unless it says `resources.shm_size`. A profile claims no ComputeDomain: NVLink
between machines (MNNVL) needs `pod_overrides`."""

MACHINES_ARE = """\
What is known of an `instance_type` of a node pool. Each of these values can be written in the node
pool (`accelerator`, `gpus_per_node`, `cpu`, `memory`, `nics`, `fabric`, `node_selector`), and what
stands there wins.

CPUs and memory are what pods may have, estimated, of what the machine has: the kubelet and the
hypervisor take about one CPU and 7.5 % of the memory and 10 GiB. A job that asks for GPUs and says
nothing else gets its share of them, less a tenth for the cluster's own pods. `~` stands before what
nobody looked up: it is taken for such shares, and a request that is larger is a warning, not an
error."""

PROFILE_HEAD = ("field", "value", "remarks", "source")
MACHINE_HEAD = ("instance type", "GPUs", "fabric", "CPUs for pods", "memory for pods", "source")


def fabrics_page(generated: str, table: Table) -> str:
    """Return the page of the fabric profiles."""
    head = table(
        ("fabric", "what it is"),
        [(f"[{row.name}](#{row.name})", row.meaning) for row in FABRICS.values()],
    )
    parts = [generated, "# Fabrics", FABRICS_ARE, head]
    for fabric in FABRICS.values():
        parts += [f"## {fabric.name}", f"{fabric.meaning[0].upper()}{fabric.meaning[1:]}."]
        parts += _tables(fabric, table)
    return "\n\n".join(parts) + "\n"


def _tables(fabric: Fabric, table: Table) -> Iterator[str]:
    rows = [(f"`{part.name}`", _value(part), remarks(part), part.source) for part in fabric.parts]
    if rows:
        yield table(PROFILE_HEAD, rows)
    of_pool = [(f"`{field}`", meaning) for field, meaning in pool_fields(fabric)]
    if of_pool:
        yield table(("from the node pool", "meaning"), of_pool)
    forbidden = [(f"`{name}`", why) for name, why in fabric.forbids.items()]
    if forbidden:
        yield table(("must not be set", "because"), forbidden)
    if machines := machines_of(fabric):
        yield f"Machines: {', '.join(machines)}."
    if sources := sources_of(fabric):
        yield "Sources: " + "; ".join(f"*{key}*: {title}" for key, title in sources) + "."


def _value(part: Part) -> str:
    text = shown_value(part)
    return text if isinstance(part.value, PerSite) else f"`{text}`"


def machines_page(generated: str, table: Table) -> str:
    """Return the page of the instance types."""
    parts = [generated, "# Machines", MACHINES_ARE]
    for provider in dict.fromkeys(row.provider for row in INSTANCE_TYPES.values()):
        rows = [row for row in INSTANCE_TYPES.values() if row.provider == provider]
        parts += [f"## {provider}", table(MACHINE_HEAD, [_machine(row) for row in rows])]
    return "\n\n".join(parts) + "\n"


def _machine(row: InstanceType) -> tuple[str, ...]:
    return (f"`{row.name}`", *machine_cells(row), SOURCES[row.source])
