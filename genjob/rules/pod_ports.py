"""The ports of a job's containers → what the API server refuses.

Symptom: the job is created, and its pods are not: the API server refuses each of them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import (
    MAIN_CONTAINER,
    as_int,
    as_str,
    container_parts,
    containers,
    distinct_pods,
    parts,
)
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.rules.walk import Part

PROTOCOLS = ("TCP", "UDP", "SCTP")
LAST_PORT = 65535


def port_out_of_range(job: JsonObject) -> Iterator[Hit]:
    """A port is a number from 1 to 65535."""
    for path, port in container_parts(job, "ports"):
        for field, least in (("containerPort", 1), ("hostPort", 0)):
            number = as_int(port.get(field))
            if number is not None and not least <= number <= LAST_PORT:
                message = f"{field} {number} is not a port, expected 1 to {LAST_PORT}"
                yield Hit((*path, field), message, "write a port that the program listens on")


def port_name_invalid(job: JsonObject) -> Iterator[Hit]:
    """A port's name has at most 15 lower-case letters, digits and '-', at least one a letter."""
    for path, port in container_parts(job, "ports"):
        name = as_str(port.get("name"))
        if name and (fault := names.port_name(name)):
            hint = "write at most 15 lower-case letters, digits and '-'"
            yield Hit((*path, "name"), f"port name {quoted(name)} {fault}", hint)


def port_protocol_unknown(job: JsonObject) -> Iterator[Hit]:
    """The protocol of a port is TCP, UDP or SCTP."""
    for path, port in container_parts(job, "ports"):
        protocol = as_str(port.get("protocol"))
        if protocol and protocol not in PROTOCOLS:
            message = f"protocol is {quoted(protocol)}, expected {one_of(PROTOCOLS)}"
            yield Hit((*path, "protocol"), message, did_you_mean(protocol, PROTOCOLS))


def duplicate_port_name(job: JsonObject) -> Iterator[Hit]:
    """Port names are unique in a container."""
    for path, container in containers(job):
        seen: set[str] = set()
        for at, port in parts((*path, "ports"), container.get("ports")):
            name = as_str(port.get("name"))
            if name and name in seen:
                message = f"another port of the container is named {quoted(name)} too"
                yield Hit((*at, "name"), message, "give each port its own name")
            seen.add(name or "")


def duplicate_port(job: JsonObject) -> Iterator[Hit]:
    """A container lists a port and protocol twice; the second entry says nothing.

    Symptom: none where the second entry is dropped; server-side apply, which Argo CD and Flux do,
    fails with `duplicate entries for key`.
    """
    for path, container in containers(job):
        if container.get("name") == MAIN_CONTAINER:
            continue  # its Service is refused whatever the protocols
        seen: set[tuple[int, str]] = set()
        for at, port in parts((*path, "ports"), container.get("ports")):
            number, protocol = as_int(port.get("containerPort")), _protocol(port)
            if number is not None and (number, protocol) in seen and not _host_port(port):
                message = f"port {number} ({protocol}) is listed twice in the container"
                yield Hit((*at, "containerPort"), message, "remove one of the two")
            seen.add((number or 0, protocol))


def host_port_taken(job: JsonObject) -> Iterator[Hit]:
    """A port of the machine is taken twice by one pod; with hostNetwork each port is one."""
    for path, pod in distinct_pods(job):
        seen: set[tuple[int, str, str]] = set()
        for at, port in _ports(path, pod):
            number = _taken(pod, port)
            key = (number, _protocol(port), as_str(port.get("hostIP")) or "")
            if number and key in seen:
                message = (
                    f"port {number} ({_protocol(port)}) of the machine is taken twice by the pod"
                )
                field = "hostPort" if _host_port(port) else "containerPort"
                yield Hit((*at, field), message, "write another port")
            seen.add(key)


def host_port_differs(job: JsonObject) -> Iterator[Hit]:
    """With hostNetwork a host port is the container port."""
    for path, pod in distinct_pods(job):
        for at, port in _ports(path, pod):
            container_port, host_port = as_int(port.get("containerPort")), _host_port(port)
            if pod.get("hostNetwork") is True and host_port and host_port != container_port:
                message = (
                    f"hostPort {host_port} is not containerPort {container_port}, with hostNetwork"
                )
                yield Hit((*at, "hostPort"), message, "leave hostPort out")


def _ports(path: DocPath, pod: JsonObject) -> Iterator[Part]:
    for at, container in parts((*path, "containers"), pod.get("containers")):
        yield from parts((*at, "ports"), container.get("ports"))


def _protocol(port: JsonObject) -> str:
    return as_str(port.get("protocol")) or "TCP"


def _host_port(port: JsonObject) -> int:
    return as_int(port.get("hostPort")) or 0


def _taken(pod: JsonObject, port: JsonObject) -> int:
    """Return the port of the machine: with hostNetwork it defaults to the container's."""
    implied = as_int(port.get("containerPort")) if pod.get("hostNetwork") is True else 0
    return _host_port(port) or implied or 0
