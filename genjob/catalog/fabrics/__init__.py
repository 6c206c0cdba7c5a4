"""Fabric profiles: what a job needs to use the network between the machines of a pool.

A profile is one row of these tables, and a new fabric is a new row. What differs by site (adapters,
names of networks, the daemon's image) is written in the node pool.
"""

from __future__ import annotations

from typing import Final

from genjob.catalog.fabrics import clouds, generic, google_rdma, google_tcp
from genjob.catalog.fabrics.fabric import Fabric, Need, Part, PerSite, Site, settings

__all__ = [
    "AUTO",
    "ETHERNET",
    "FABRICS",
    "NVLINK",
    "Fabric",
    "Need",
    "Part",
    "PerSite",
    "Site",
    "settings",
]

AUTO: Final = "auto"
ETHERNET: Final = "ethernet"
NVLINK: Final = "nvlink"

_ORDER: Final = (
    ETHERNET,
    "infiniband",
    "roce",
    "aws-efa",
    "gcp-tcpx",
    "gcp-tcpxo",
    "gcp-gib",
    "azure-ib",
    "oci-roce",
    "coreweave-ib",
    NVLINK,
)
_ROWS: Final = {
    row.name: row for row in (*generic.ROWS, *clouds.ROWS, *google_tcp.ROWS, *google_rdma.ROWS)
}

FABRICS: Final[dict[str, Fabric]] = {name: _ROWS[name] for name in _ORDER}
"""Name of a fabric → its profile, in the order in which a reader looks for them."""
