"""Ports, host network and DNS policy of a pod → the fields of `network`, and `ports`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.importing.rest import present, take_count, take_each, take_flag, take_text, take_word
from genjob.prediction.defaults import PORT_NAME

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

_LARGEST: Final = 65535
_DNS: Final = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
_IN_HOST_NETWORK: Final = "ClusterFirstWithHostNet"
"""What an experiment with the network of the machine gets unless it says otherwise."""

_CLUSTER_FIRST: Final = "ClusterFirst"
"""What Kubernetes takes where nothing is said. Source: k8s.io/api v0.31.0, core/v1/types.go."""


class Network(NamedTuple):
    """The section `network` and the field `ports`."""

    network: JsonObject
    ports: list[Json]


def network(pod: JsonObject, container: JsonObject) -> Network:
    """Take the network of a pod and the ports of its training container."""
    ports = take_each(container, "ports", _port)
    rendezvous = [port for port in ports if _is_rendezvous(port)]
    master_port = None
    if len(rendezvous) == 1 and isinstance(rendezvous[0], dict):
        master_port = rendezvous[0]["port"]
        ports = [port for port in ports if port is not rendezvous[0]]
    in_host = take_flag(pod, "hostNetwork") or None
    policy = take_word(pod, "dnsPolicy", _DNS)
    if in_host and "dnsPolicy" not in pod:
        policy = None if policy == _IN_HOST_NETWORK else policy or _CLUSTER_FIRST
    made = present(
        master_port=master_port,
        host_network=in_host,
        dns_policy=policy,
        host_ipc=take_flag(pod, "hostIPC") or None,
    )
    return Network(made, ports)


def _port(port: JsonObject) -> JsonObject | None:
    made = present(
        name=take_text(port, "name"),
        port=take_count(port, "containerPort", least=1, most=_LARGEST),
        protocol=take_word(port, "protocol", ("UDP", "SCTP")),
        host_port=take_count(port, "hostPort", least=1, most=_LARGEST),
    )
    if port.get("protocol") == "TCP":
        del port["protocol"]
    return made if "port" in made and not port else None


def _is_rendezvous(port: Json) -> bool:
    return isinstance(port, dict) and {*port} == {"name", "port"} and port["name"] == PORT_NAME
