"""A predicted pod → what NCCL would see in it: variables, GPUs, devices, files of the machine."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from genjob.catalog.transports import IB, LIBFABRIC
from genjob.prediction import effective_settings, unread_sources
from genjob.prediction.devices import devices_of, gpus_of
from genjob.rules.fabric_signs import is_network_device
from genjob.rules.launch import command_text
from genjob.rules.walk import as_str, get, parts
from genjob.variables.numbers import strtoll
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.catalog.transports import Network
    from genjob.prediction import Known, PredictedPod, Setting

_SET_BY_COMMAND: Final = re.compile(r"\b((?:NCCL|FI)_[A-Z0-9_]+)=")
_BACKEND: Final = re.compile(r"--\S*backend[=\s]+['\"]?(nccl|gloo|mpi)\b", re.IGNORECASE)


class PodView:
    """The training container of a pod and what is around it."""

    def __init__(self, pod: PredictedPod, known: Known | None = None) -> None:
        self.pod = pod
        self.known = known or {}

    @cached_property
    def settings(self) -> dict[str, Setting]:
        """The variables that the process reads."""
        return effective_settings(self.pod.main, self.known)

    @property
    def gpus(self) -> int:
        """The GPUs of the training container."""
        return gpus_of(self.pod.main)

    @property
    def devices(self) -> dict[str, str]:
        """The devices of the training container that are no GPUs: resource → count."""
        return devices_of(self.pod.main)

    @property
    def other_devices(self) -> dict[str, str]:
        """The devices that are neither GPUs nor a network: accelerators of another kind."""
        return {name: each for name, each in self.devices.items() if not is_network_device(name)}

    @property
    def backend(self) -> str:
        """The back end of torch.distributed that the command names; nccl when it names none."""
        match = _BACKEND.search(command_text(self.pod.main))
        return match[1].lower() if match else "nccl"

    def text(self, name: str) -> str | None:
        """Return the value of a variable, None when it is not set or not known."""
        setting = self.settings.get(name)
        return setting.text if setting is not None else None

    def number(self, name: str) -> int:
        """Return a variable as NCCL reads a number: `true` is 0, and so is nothing."""
        return strtoll(self.text(name) or "")

    def said(self, name: str) -> str:
        """Return a variable in the words of a reason."""
        return f"{name} is {quoted(self.text(name) or '')}"

    def first_variable(self, prefix: str, *, but: tuple[str, ...] = ()) -> str | None:
        """Return the first variable of a family that is set."""
        names = (name for name in self.settings if name.startswith(prefix) and name not in but)
        return next(names, None)

    def devices_of(self, network: Network) -> dict[str, str]:
        """Return the devices of the pod by which a network is reached."""
        devices = self.devices.items()
        if network is IB:  # what is no device of a plugin is taken for an adapter
            return {
                name: n
                for name, n in devices
                if is_network_device(name) and name not in LIBFABRIC.devices
            }
        return {name: count for name, count in devices if name in network.devices}

    def signs(self, network: Network, fabric: str | None) -> tuple[str, ...]:
        """Return what puts the devices of a network into the pod; nothing when nothing does.

        A device of any name counts when the fabric's profile means this network.
        """
        return tuple(self._signs(network, means_it=fabric in network.fabrics))

    def _signs(self, network: Network, *, means_it: bool) -> Iterator[str]:
        found = self.devices if means_it else self.devices_of(network)
        for name, count in found.items():
            yield f"the pod asks for {name}: {count}"
        for path in sorted(self._host_paths & {*network.host_paths}):
            yield f"the machine's {quoted(path)} is mounted"
        for name in sorted(self._all_containers & {*network.containers}):
            yield f"container {quoted(name)} runs beside"
        for name in network.annotations:
            if name in self.pod.annotations:
                yield f"annotation {quoted(name)} is there"
        for script in network.scripts:
            if script in command_text(self.pod.main):
                yield f"the command reads {quoted(script)}"
        yield from self._of_variables(network, means_it=means_it)

    def _of_variables(self, network: Network, *, means_it: bool) -> Iterator[str]:
        is_set = [name for each in network.variables if (name := self.first_variable(each))]
        if is_set and network.is_plugin:
            yield f"{is_set[0]} is set"
        if network is IB and self._is_privileged and (means_it or is_set):
            yield "the container is privileged: it sees the adapters of the machine"
        if network.is_plugin and means_it and get(self.pod.main, "resources", "claims"):
            yield "the container claims devices (resources.claims)"

    @property
    def _host_paths(self) -> set[str]:
        paths = (
            as_str(get(v, "hostPath", "path")) for _, v in parts((), get(self.pod.spec, "volumes"))
        )
        return {path.rstrip("/") for path in paths if path}

    @property
    def _all_containers(self) -> set[str]:
        return {*self.pod.containers, *self.pod.init_containers}

    @property
    def _is_privileged(self) -> bool:
        return get(self.pod.main, "securityContext", "privileged") is True

    def unseen(self) -> Iterator[str]:
        """Yield where else variables may come from, that a manifest does not show."""
        for setting in self.settings.values():
            if setting.text is None and setting.name.startswith("NCCL_"):
                yield f"{setting.name}, which is looked up when the pod starts"
        for source in unread_sources(self.pod.main, self.known):
            yield f"the variables of {source}"
        own = sorted({*_SET_BY_COMMAND.findall(command_text(self.pod.main))})
        if own:
            yield f"what the command sets itself: {', '.join(own)}"
        yield "variables of the image, and its /etc/nccl.conf"
