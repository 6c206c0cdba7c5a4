"""How the pods of a job find each other → what keeps them from it.

Source: https://github.com/kubeflow/trainer/tree/v1.9.0/pkg/controller.v1/pytorch
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.rules.launch import command_text, flags
from genjob.rules.rule import Hit
from genjob.rules.topology import is_elastic
from genjob.rules.walk import ELASTIC, as_object, as_str, get, parts, templates
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject
    from genjob.rules.network import Network

MASTER_PORT: Final = "pytorchjob-port"
GPUS_OF_A_MACHINE: Final = 8
LOCAL: Final = re.compile(r"localhost|127(\.\d+){1,3}|::1|\[::1\]")
_SAYS_HOST: Final = re.compile(r"local[-_]addr|is_host", re.IGNORECASE)
MESHES: Final = (("sidecar.istio.io/inject", "true"), ("linkerd.io/inject", "enabled"))
ISTIO: Final = MESHES[0][0]


def host_network_default_port(network: Network) -> Iterator[Hit]:
    """A pod on the network of its machine takes the port that every other job takes.

    Symptom: `EADDRINUSE` when two jobs meet on one machine.
    Source: https://github.com/kubeflow/trainer/issues/1797
    """
    first = "Worker" if is_elastic(network.job) else "Master"
    for role in network.roles:
        ports = parts((), role.container.get("ports"))
        named = any(port.get("name") == MASTER_PORT for _, port in ports)
        shares = role.gpus < GPUS_OF_A_MACHINE  # another job fits beside it
        if role.name == first and role.is_on_host_network and shares and not named:
            message = "with hostNetwork every job of a machine takes port 23456"
            hint = f"name a port of the container {quoted(MASTER_PORT)}, another one for each job"
            yield Hit((*role.pod_path, "hostNetwork"), message, hint)


def host_network_rendezvous(network: Network) -> Iterator[Hit]:
    """A pod of an elastic job has the name of its machine, not its own.

    Symptom: no pod takes itself for the host of the rendezvous; all of them time out.
    Source: https://github.com/oracle-quickstart/oci-hpc-oke, https://github.com/pytorch/pytorch/issues/79388
    """
    policy = as_object(get(network.job, *ELASTIC))
    if not is_elastic(network.job) or policy.get("rdzvHost") or _backend(policy) != "c10d":
        return
    for role in network.across(lambda role: role.is_on_host_network):
        said = " ".join([command_text(role.container), *role.env, _conf(policy)])
        if not _SAYS_HOST.search(said):
            message = "with hostNetwork a pod does not know that it is the rendezvous host"
            hint = "pass --local_addr with the name of the pod, and is_host to the first one"
            yield Hit((*role.pod_path, "hostNetwork"), message, hint)


def local_rendezvous(network: Network) -> Iterator[Hit]:
    """The command tells each pod to find the others on itself.

    Symptom: every pod trains alone, on all of the data, and writes the same checkpoints.
    Source: https://github.com/pytorch/pytorch/blob/v2.5.0/torch/distributed/run.py
    """
    for role in network.across(lambda _: True):
        for flag in flags(role.path, role.container):
            is_alone = flag.name == "standalone"
            is_own = flag.name in ("master_addr", "rdzv_endpoint") and _is_local(flag.value)
            if is_alone or is_own:
                message = f"--{flag.name} makes each of the {network.pods} pods train alone"
                yield Hit(flag.path, message, "remove it: the operator says where the others are")


def service_mesh_side_car(network: Network) -> Iterator[Hit]:
    """A service mesh puts its proxy into the pods.

    Symptom: workers wait in their init container, the rendezvous is cut off, and pods do not end.
    Source: https://github.com/kubeflow/trainer/issues/1636
    """
    for path, template in templates(network.job):
        for field in ("annotations", "labels"):
            said = as_object(get(template, "metadata", field))
            for key, value in MESHES:
                if said.get(key) == value:
                    message = f"{key} {quoted(value)} puts a proxy into the pod"
                    hint = 'write "false"' if key == ISTIO else "write 'disabled'"
                    yield Hit((*path, "metadata", field, key), message, hint)


def mesh_opt_out_on_job(network: Network) -> Iterator[Hit]:
    """The job is annotated to have no proxy, and a mesh reads the annotations of pods alone.

    Symptom: the proxy is there; workers hang at the start.
    Source: https://github.com/kubeflow/trainer/issues/1637
    """
    own = as_object(get(network.job, "metadata", "annotations"))
    if as_str(own.get(ISTIO)) == "false" and not _is_said_in_a_template(network.job):
        message = f"{ISTIO} has no effect on the job, only on its pods"
        at = ("metadata", "annotations", ISTIO)
        yield Hit(at, message, "write it into the pod template of each role", at_key=True)


def _is_said_in_a_template(job: JsonObject) -> bool:
    fields = ("annotations", "labels")
    owners = [get(template, "metadata", f) for _, template in templates(job) for f in fields]
    return any(ISTIO in as_object(owner) for owner in owners)


def _backend(policy: JsonObject) -> str:
    return as_str(policy.get("rdzvBackend")) or "c10d"


def _conf(policy: JsonObject) -> str:
    entries = parts((), policy.get("rdzvConf"))
    return " ".join(as_str(entry.get("key")) or "" for _, entry in entries)


def _is_local(endpoint: str) -> bool:
    host = re.sub(r":\d+$", "", endpoint)
    return LOCAL.fullmatch(host) is not None
