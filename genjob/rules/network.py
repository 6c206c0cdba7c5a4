"""A PyTorchJob → what the rules on NCCL and fabrics look at, read once: its roles and their pods.

The object may be anybody's, so the fabric between its machines is not known but inferred: from a
device that it asks for, a side-car, a label of its machines. The sign goes into the message, so
that a reader can judge it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from genjob.quantity import read_quantity
from genjob.rules.fabric_signs import Guess, guess, is_network_device
from genjob.rules.topology import gpus, node_range
from genjob.rules.walk import (
    REPLICA_SPECS,
    as_list,
    as_object,
    as_str,
    get,
    main_container,
    parts,
    pod_containers,
    replica_specs,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.walk import Part

NETWORKS = "k8s.v1.cni.cncf.io/networks"
GKE_INTERFACES = "networking.gke.io/interfaces"
_INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})")


class Setting(NamedTuple):
    """A variable with a literal value, and where the value stands."""

    path: DocPath
    text: str


@dataclass(frozen=True)
class Role:
    """The pods of one role, as far as their network is concerned.

    `env` are the literal values of the training container, the last of each name. `devices` are
    the amounts of its network devices, None where an amount cannot be read.
    """

    name: str
    path: DocPath
    container: JsonObject
    pod_path: DocPath
    pod: JsonObject
    annotations: Mapping[str, str]
    env: Mapping[str, Setting]
    given: Guess | None = None

    @cached_property
    def devices(self) -> Mapping[str, int | None]:
        """The network devices that the pod asks for."""
        limits = as_object(get(self.container, "resources", "limits"))
        amounts = {name: read_quantity(limits[name]) for name in limits if is_network_device(name)}
        return {
            name: None if amount is None or amount.denominator != 1 else int(amount)
            for name, amount in amounts.items()
            if amount != 0
        }

    @cached_property
    def gpus(self) -> int:
        """GPUs of the training container."""
        return gpus(self.container)

    @cached_property
    def guess(self) -> Guess:
        """The fabrics that it can be, and the sign that says so."""
        return self.given or guess(self.pod, self.devices)

    @property
    def is_on_host_network(self) -> bool:
        """Whether the pod sees the interfaces of its machine."""
        return self.pod.get("hostNetwork") is True

    @property
    def is_privileged(self) -> bool:
        """Whether the container may use every device of its machine."""
        return get(self.container, "securityContext", "privileged") is True

    @property
    def capabilities(self) -> set[str]:
        """The capabilities that the container adds, as Linux names them without `CAP_`."""
        added = as_list(get(self.container, "securityContext", "capabilities", "add"))
        return {word.removeprefix("CAP_") for word in added if isinstance(word, str)}

    @property
    def has_claims(self) -> bool:
        """Whether devices come by a resource claim, whose kind does not stand in the pod."""
        return bool(get(self.container, "resources", "claims"))

    @property
    def containers(self) -> Iterator[Part]:
        """Containers and init containers of the pod."""
        return pod_containers(self.pod_path, self.pod)

    def text(self, name: str) -> str | None:
        """Return the literal value of a variable, or None."""
        setting = self.env.get(name)
        return None if setting is None else setting.text

    def number(self, name: str) -> int | None:
        """Return the value of a variable that is a whole number as NCCL reads one, or None."""
        match = _INTEGER.fullmatch(self.text(name) or "")
        if match is None:
            return None
        text = match[0]
        return int(text, 16 if "x" in text.lower() else 10)

    def mounted_host_paths(self) -> dict[str, DocPath]:
        """Return the folders of the machine that the pod has as volumes, with their places."""
        volumes = parts((*self.pod_path, "volumes"), self.pod.get("volumes"))
        found = ((as_str(get(volume, "hostPath", "path")), at) for at, volume in volumes)
        return {path.rstrip("/"): (*at, "hostPath", "path") for path, at in found if path}

    def resource_path(self, device: str) -> DocPath:
        """Return where the amount of a device stands."""
        return (*self.path, "resources", "limits", device)


class Network(NamedTuple):
    """A job and its roles; `pods` is the greatest number that train together, None if unknown.

    `backend` is that of torch.distributed where it is known.
    """

    job: JsonObject
    roles: tuple[Role, ...]
    pods: int | None
    backend: str | None = field(default=None)

    @property
    def has_many_pods(self) -> bool:
        """Whether the ranks certainly talk across pods."""
        return (self.pods or 0) > 1

    def across(self, test: Callable[[Role], bool]) -> Iterator[Role]:
        """Yield the roles that pass a test, when the ranks talk across pods."""
        return (role for role in self.roles if self.has_many_pods and test(role))

    def of(self, name: str) -> Iterator[tuple[Role, Setting]]:
        """Yield the roles that set a variable to a literal value."""
        for role in self.roles:
            if (setting := role.env.get(name)) is not None:
                yield role, setting


def network_of(
    job: JsonObject, *, fabric: str | None = None, backend: str | None = None
) -> Network:
    """Return what a job's network is made of; `fabric` is its profile where that is known."""
    given = None if fabric is None else Guess((fabric,), "the fabric profile")
    roles = tuple(role for role in _roles(job, given) if role is not None)
    bounds = node_range(job)
    return Network(job, roles, bounds[1] if bounds else None, backend)


def _roles(job: JsonObject, given: Guess | None) -> Iterator[Role | None]:
    for name, spec in replica_specs(job).items():
        pod_path: DocPath = (*REPLICA_SPECS, name, "template", "spec")
        pod = as_object(get(spec, "template", "spec"))
        main = main_container(pod_path, pod)
        if main is not None:
            annotations = as_object(get(spec, "template", "metadata", "annotations"))
            texts = {key: text for key, text in annotations.items() if isinstance(text, str)}
            yield Role(name, *main, pod_path, pod, texts, _settings(main), given)


def _settings(main: Part) -> dict[str, Setting]:
    path, container = main
    found = {}
    for at, entry in parts((*path, "env"), container.get("env")):
        name, text = as_str(entry.get("name")), as_str(entry.get("value"))
        if name and text and "$" not in text:  # a variable of Kubernetes, of a shell or a template
            found[name] = Setting((*at, "value"), text)
    return found
