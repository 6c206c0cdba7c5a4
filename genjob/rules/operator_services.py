"""The ports of a PyTorchJob → the Services of its pods that the API server refuses.

The operator makes one Service a pod, of all ports of the container named pytorch, by name and
number alone, and adds the port of the rendezvous where no port has its name.
Symptom: the pods run, the Services are missing, no pod finds the Master, and the job never leaves
the condition Created.
Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/common/service.go, and
tried with training-operator v1.9.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.rule import Hit
from genjob.rules.walk import as_int, as_str, main_container, parts, pod_specs
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject
    from genjob.rules.walk import Part

RENDEZVOUS: Final = "pytorchjob-port"
RENDEZVOUS_PORT: Final = 23456


def service_port_without_name(job: JsonObject) -> Iterator[Hit]:
    """A port of the training container has no name, which a Service of several ports needs."""
    for ports in _ports(job):
        for at, port in ports:
            if not as_str(port.get("name")) and as_int(port.get("containerPort")) is not None:
                message = f"port {port['containerPort']} of the training container has no name"
                where = (*at, "name") if "name" in port else at
                yield Hit(where, f"{message}; its Service is refused", "write 'name'")


def service_port_twice(job: JsonObject) -> Iterator[Hit]:
    """Two ports of the training container have one number, whatever their protocols."""
    for ports in _ports(job):
        named = {as_str(port.get("name")): port for _, port in ports}
        seen = {} if RENDEZVOUS in named else {RENDEZVOUS_PORT: RENDEZVOUS}
        for at, port in ports:
            number, name = as_int(port.get("containerPort")), as_str(port.get("name"))
            if number is None or not name:
                continue
            other = seen.setdefault(number, name)
            if other != name:
                message = f"port {number} is also {quoted(other)}; the Service is refused"
                yield Hit((*at, "containerPort"), message, _advice(other))


def _advice(other: str) -> str:
    is_added = other == RENDEZVOUS
    return f"write another port, or name it {quoted(other)}" if is_added else "write another port"


def _ports(job: JsonObject) -> Iterator[list[Part]]:
    """Yield the ports of the training container of each role."""
    for path, pod in pod_specs(job):
        if (main := main_container(path, pod)) is not None:
            yield [*parts((*main[0], "ports"), main[1].get("ports"))]
