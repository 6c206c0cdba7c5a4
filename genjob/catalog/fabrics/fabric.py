"""A kind of network between machines: what a job needs to use it, as fields of an experiment.

A profile is a tuple of parts. Each part is one field, its value and who says so, so that layers,
origins and overrides treat it as if a person had written it. What differs from site to site comes
from the node pool.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value: TypeAlias = "str | int | bool | list[Value] | dict[str, Value]"


class Site(NamedTuple):
    """What differs from site to site, from the node pool or its instance type.

    `nics` are those that carry training; `networks` are the names that the cluster has for theirs;
    `hcas` are their devices. `has_devices` means that the node pool names the devices itself,
    `has_memory` that the pod asks for CPU or memory, `in_pod_network` that it has a network of its
    own.
    """

    accelerator: str | None = None
    nics: int | None = None
    networks: tuple[str, ...] = ()
    hcas: tuple[str, ...] = ()
    daemon_image: str | None = None
    has_devices: bool = False
    has_memory: bool = False
    in_pod_network: bool = True


class PerSite(NamedTuple):
    """A value that depends on the site, and what a reader of the table sees of it."""

    shown: str
    make: Callable[[Site], Value | None]


class Part(NamedTuple):
    """One field of an experiment that a profile sets.

    `source` is a key of `SOURCES`. `is_certain` is False where the vendor's own documents differ,
    or change by release. `only_on` and `not_on` are accelerators.
    """

    path: tuple[str, ...]
    value: Value | PerSite
    source: str
    note: str = ""
    is_certain: bool = True
    only_on: tuple[str, ...] = ()
    not_on: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The field as it is written, `nccl.ib_hca`."""
        return ".".join(self.path)

    def is_for(self, site: Site) -> bool:
        """Tell whether the part holds on the accelerator of a site."""
        if self.only_on:
            return site.accelerator in self.only_on
        return site.accelerator not in self.not_on


class Need(NamedTuple):
    """A field of the node pool that a profile reads.

    `is_met` tells whether a site has what the fabric cannot be used without; it is None for a field
    that may be left out.
    """

    field: str
    meaning: str
    is_met: Callable[[Site], bool] | None = None

    @property
    def is_required(self) -> bool:
        """Whether the field must be said where nothing else is known."""
        return self.is_met is not None and not self.is_met(Site())


@dataclass(frozen=True, slots=True)
class Fabric:
    """A kind of network between machines.

    `suits` are the fabrics of machines that this profile can be used on too; None means any.
    `forbids` are the variables that have no effect on it or do harm, a prefix with `*`, each with
    the reason. `takes_devices`: pods ask for devices. `joins_machines` is False for NVLink alone.
    """

    name: str
    meaning: str
    parts: tuple[Part, ...] = ()
    needs: tuple[Need, ...] = ()
    forbids: Mapping[str, str] = field(default_factory=dict)
    suits: tuple[str, ...] | None = ()
    takes_devices: bool = False
    joins_machines: bool = True

    def works_on(self, fabric: str) -> bool:
        """Tell whether machines with this fabric can be used by this profile."""
        return self.suits is None or fabric == self.name or fabric in self.suits

    def reason_against(self, variable: str) -> str | None:
        """Return why a variable must not be set on this fabric, or None when it may."""
        for pattern, why in self.forbids.items():
            stem = pattern.removesuffix("*")
            if variable == pattern or (stem != pattern and variable.startswith(stem)):
                return why
        return None

    def unmet(self, site: Site) -> list[Need]:
        """Return the needs that a site does not meet."""
        return [need for need in self.needs if need.is_met is not None and not need.is_met(site)]


OTHER_PLUGINS: Final = {
    "FI_*": "for the plugin of AWS",
    "OFI_NCCL_*": "for the plugin of AWS",
    "NCCL_GPUDIRECTTCPX_*": "for TCPX of Google Cloud",
    "NCCL_FASTRAK_*": "for TCPXO of Google Cloud",
}
"""Variables of plugins that a fabric of verbs does not have."""


_ADDED_UP: Final = (("storage",), ("sidecars",), ("security", "capabilities"))
"""Fields of which several parts each give some items; elsewhere a later part replaces."""


def settings(fabric: Fabric, site: Site) -> dict[str, Value]:
    """Return a profile as the fields of an experiment, at a site."""
    tree: dict[str, Value] = {}
    for part in fabric.parts:
        value = part.value.make(site) if isinstance(part.value, PerSite) else part.value
        if value is not None and part.is_for(site):
            _put(tree, part.path, value)
    return tree


def _put(tree: dict[str, Value], path: tuple[str, ...], value: Value) -> None:
    *above, last = path
    for key in above:
        below = tree.setdefault(key, {})
        assert isinstance(below, dict)  # noqa: S101 # no part is a piece of another
        tree = below
    present = tree.get(last)
    if isinstance(present, list) and isinstance(value, list) and path in _ADDED_UP:
        value = [*present, *value]
    tree[last] = value


def nccl(source: str, *, note: str = "", is_certain: bool = True, **fields: Value) -> list[Part]:
    """Return the parts of fields of `nccl:` that one source gives."""
    return [Part(("nccl", name), value, source, note, is_certain) for name, value in fields.items()]


def pod_interface(source: str) -> Part:
    """Return the part that keeps start-up and TCP on the interface of the pod network."""
    value = PerSite(
        "eth0; nothing with host_network", lambda site: "eth0" if site.in_pod_network else None
    )
    return Part(("nccl", "socket_ifname"), value, source, "the pod's interface in nearly all CNIs")


def locked_memory(source: str, note: str = "", *, is_certain: bool = True) -> Part:
    """Return the part that lets a pod lock the memory that adapters read and write."""
    return Part(("security", "capabilities"), ["IPC_LOCK"], source, note, is_certain)


def attachments(source: str, note: str = "") -> Part:
    """Return the annotation that attaches the networks of a pool to a pod; Multus reads it."""
    path = ("pod_annotations", "k8s.v1.cni.cncf.io/networks")
    value = PerSite("the pool's networks, one for each NIC", attached)
    return Part(path, value, source, note or "only when the pool has networks")


def attached(site: Site) -> str | None:
    """Return the networks of a pool for Multus; a single name stands for all NICs."""
    if len(site.networks) == 1 and site.nics:
        return ",".join(site.networks * site.nics)
    return ",".join(site.networks) or None


def devices(resource: str, source: str, *, shown: str = "one for each NIC") -> Part:
    """Return the part that asks for one device for each NIC, unless the pool names its devices."""

    def count(site: Site) -> int | None:
        return None if site.has_devices else site.nics

    return Part(("resources", "extended", resource), PerSite(shown, count), source)


def nics_are_known(site: Site) -> bool:
    """Tell whether it is known how many devices a pod asks for."""
    return site.nics is not None or site.has_devices
