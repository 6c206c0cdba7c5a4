"""What the fabrics of Google Cloud share: networks as annotations, libraries of the machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from genjob.catalog.fabrics.fabric import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from genjob.catalog.fabrics.fabric import PerSite, Site, Value

LIBRARIES: Final = "/usr/local/nvidia/lib64"
BY_RELEASE: Final = "changes by release: compare with what the cluster's installer brought"
_NAMES: Final = "names of the guides; a cluster may have others, which the pool then lists"


def interfaces(names: Sequence[str], first: int) -> str:
    """Return the annotation that gives a pod one interface for each network, from eth`first` on."""
    of_pod = {"interfaceName": "eth0", "network": "default"}
    others = [
        {"interfaceName": f"eth{index}", "network": name}
        for index, name in enumerate(names, start=first)
    ]
    return json.dumps([of_pod, *others], separators=(",", ":"))


def network_parts(of_networks: PerSite) -> tuple[Part, ...]:
    """Return the annotations that put a pod into the networks of its NICs."""
    return (
        Part(("pod_annotations", "networking.gke.io/default-interface"), "eth0", "gke-device"),
        Part(
            ("pod_annotations", "networking.gke.io/interfaces"),
            of_networks,
            "gke-device",
            _NAMES,
            is_certain=False,
        ),
    )


def host_path(name: str, path: str, mount_path: str = "") -> dict[str, Value]:
    """Return a storage that mounts a path of the machine, at the same place when not said."""
    return {"name": name, "mount_path": mount_path or path, "host_path": {"path": path}}


def libraries(host: str, inside: str, path: str) -> tuple[Part, ...]:
    """Return the parts that bring the machine's libraries into the pod, and make it find them."""
    return (
        Part(("storage",), [host_path("nvidia-libraries", host, inside)], "gke-device"),
        Part(("env", "LD_LIBRARY_PATH"), path, "gke-device", "replaces that of the image"),
    )


def networks_fit(*counts: int) -> Callable[[Site], bool]:
    """Return the test that a pool names this many networks, or none."""
    return lambda site: not site.networks or len(site.networks) in counts
