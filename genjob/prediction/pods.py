"""A PyTorchJob → its pods and Services, as the operator creates them while the job runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.prediction.defaults import (
    PORT_NAME,
    counts,
    job_name,
    ports,
    rendezvous_port,
    restart_policy,
    template_of,
)
from genjob.prediction.variables import (
    MASTER,
    WORKER,
    node_rank,
    operator_variables,
    replica_name,
)
from genjob.rules.walk import (
    MAIN_CONTAINER,
    as_list,
    as_object,
    as_str,
    get,
    parts,
    replica_specs,
    texts,
)
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from genjob.jsontypes import JsonObject

INIT_CONTAINER: Final = "init-pytorch"
"""What makes a Worker wait until the name of the Master can be resolved."""

_LABEL: Final = "training.kubeflow.org/"
_CONTROLLER: Final = "pytorchjob-controller"
_QUEUE_LABEL: Final = "kueue.x-k8s.io/queue-name"
_EXTERNAL: Final = "kueue.x-k8s.io/multikueue"
_LONGEST_HOST_NAME: Final = 63


@dataclass(frozen=True, slots=True)
class PredictedPod:
    """One pod. `spec` is the whole pod spec, with the operator's variables and init container.

    `node_rank` is what RANK and PET_NODE_RANK hold; None where the operator sets neither.
    `hostname` is None in the network of the machine: the pod then has the machine's name.
    """

    name: str
    role: str
    index: int
    node_rank: int | None
    hostname: str | None
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    spec: JsonObject

    @property
    def restart_policy(self) -> str:
        """What the kubelet does when a container ends."""
        return str(self.spec["restartPolicy"])

    @property
    def containers(self) -> dict[str, JsonObject]:
        """The containers by name, with their variables in final order."""
        return _by_name(self.spec, "containers")

    @property
    def init_containers(self) -> dict[str, JsonObject]:
        """The init containers by name; the operator gives them no variables."""
        return _by_name(self.spec, "initContainers")

    @property
    def main(self) -> JsonObject:
        """The container that trains, empty where there is none."""
        return self.containers.get(MAIN_CONTAINER, {})


@dataclass(frozen=True, slots=True)
class PredictedService:
    """The headless Service of one pod, which gives it a name in DNS."""

    name: str
    ports: Mapping[str, int]
    selector: Mapping[str, str]

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of the Service, the same as its selector."""
        return self.selector


def predicted_pods(job: JsonObject) -> list[PredictedPod]:
    """Return the pods of a job by role and index, the Master first, all with their final variables.

    They are those of a job that runs; `held_back` says whether it does as soon as it is created.
    A gang scheduler that the operator was started with adds its name and labels: not known here.
    """
    return [_pod(job, role, index) for role, index in _replicas(job)]


def predicted_services(job: JsonObject) -> list[PredictedService]:
    """Return the Services of a job, one for each pod and of the same name."""
    return [
        PredictedService(
            replica_name(job, role, index), dict(ports(job, role)), _selector(job, role, index)
        )
        for role, index in _replicas(job)
    ]


def held_back(job: JsonObject) -> str:
    """Return why the operator makes no pods of a job yet; an empty text when it does at once."""
    policy = as_object(get(job, "spec", "runPolicy"))
    queue = as_str(as_object(get(job, "metadata", "labels")).get(_QUEUE_LABEL))
    if policy.get("managedBy") == _EXTERNAL:
        return "MultiKueue runs it in another cluster"
    if queue:
        return f"Kueue holds it back until queue {quoted(queue)} admits it"
    return "it is suspended until someone resumes it" if policy.get("suspend") is True else ""


def _replicas(job: JsonObject) -> Iterator[tuple[str, int]]:
    for role, count in counts(job).items():
        for index in range(count):
            yield role, index


def _pod(job: JsonObject, role: str, index: int) -> PredictedPod:
    template = template_of(job, role)
    name = replica_name(job, role, index)
    spec = _spec(job, role, index)
    return PredictedPod(
        name=name,
        role=role,
        index=index,
        node_rank=node_rank(job, role, index),
        hostname=_hostname(name, spec),
        labels={**_texts(template, "labels"), **_labels(job, role, index)},
        annotations=_texts(template, "annotations"),
        spec=spec,
    )


def _texts(template: JsonObject, field: str) -> dict[str, str]:
    return {str(path[-1]): text for path, text in texts((), get(template, "metadata", field))}


def _labels(job: JsonObject, role: str, index: int) -> dict[str, str]:
    """Return the labels of a pod; the one that stands for the Master has a role besides."""
    leads = index == 0 and (role == MASTER or MASTER not in counts(job))
    leader = {f"{_LABEL}job-role": "master"} if leads else {}
    return {**_selector(job, role, index), **leader}


def _selector(job: JsonObject, role: str, index: int) -> dict[str, str]:
    return {
        f"{_LABEL}operator-name": _CONTROLLER,
        f"{_LABEL}job-name": job_name(job),
        f"{_LABEL}replica-type": role.lower(),
        f"{_LABEL}replica-index": str(index),
    }


def _spec(job: JsonObject, role: str, index: int) -> JsonObject:
    written = as_object(template_of(job, role).get("spec"))
    added = operator_variables(job, role, index)
    containers = [_with(as_object(each), added) for each in as_list(written.get("containers"))]
    _name_port(job, role, containers)
    spec: JsonObject = {**written, "containers": [*containers]}
    if role == WORKER and MASTER in counts(job):
        before = as_list(written.get("initContainers"))
        spec["initContainers"] = [*before, _waiting_for(replica_name(job, MASTER, 0))]
    spec["restartPolicy"] = restart_policy(replica_specs(job)[role])
    return spec


def _with(written: JsonObject, added: list[JsonObject]) -> JsonObject:
    """Return a container with variables behind its own."""
    return {**written, "env": [*as_list(written.get("env")), *added]}


def _name_port(job: JsonObject, role: str, containers: list[JsonObject]) -> None:
    """Give the rendezvous port to a training container that does not name it."""
    for container in containers:
        if container.get("name") == MAIN_CONTAINER:
            written = as_list(container.get("ports"))
            names = {as_object(port).get("name") for port in written}
            port: JsonObject = {"name": PORT_NAME, "containerPort": rendezvous_port(job, role)}
            if PORT_NAME not in names:
                container["ports"] = [*written, port]
            return


def _waiting_for(master: str) -> JsonObject:
    """Return the init container, as the operator makes it when it was started without options.

    Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/pytorch, file
    initcontainer.go.
    """
    script = (
        f"err=1;for i in $(seq 100); do if nslookup {master}; then err=0 && break; fi;"
        "echo waiting for master; sleep 2; done; exit $err"
    )
    return {
        "name": INIT_CONTAINER,
        "image": "alpine:3.10",
        "imagePullPolicy": "IfNotPresent",
        "command": ["sh", "-c", script],
        "resources": {
            "limits": {"cpu": "100m", "memory": "20Mi"},
            "requests": {"cpu": "50m", "memory": "10Mi"},
        },
    }


def _hostname(pod: str, spec: JsonObject) -> str | None:
    """Return what `hostname` prints in a pod: its own, else its name, cut as a DNS label.

    Source: kubernetes v1.31, pkg/kubelet/kubelet_pods.go, GeneratePodHostNameAndDomain.
    """
    if spec.get("hostNetwork") is True:
        return None
    return as_str(spec.get("hostname")) or pod[:_LONGEST_HOST_NAME].rstrip("-.")


def _by_name(spec: JsonObject, field: str) -> dict[str, JsonObject]:
    return {str(each.get("name", "")): each for _, each in parts((), spec.get(field))}
