"""The pod template of a role → the fields of an experiment as that role has them.

What no field holds goes to `pod_overrides`, in the spelling of Kubernetes.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.importing.network import network
from genjob.importing.placement import placement
from genjob.importing.program import program
from genjob.importing.resources import resources
from genjob.importing.rest import (
    below,
    drop_if_empty,
    present,
    take_objects,
    take_text,
    take_text_map,
    take_word,
)
from genjob.importing.security import security
from genjob.importing.storage import storage
from genjob.importing.variables import env_from, variables
from genjob.prediction.devices import gpus_of
from genjob.resolve.merge import names
from genjob.rules.launch import command_text, main_containers
from genjob.rules.walk import MAIN_CONTAINER, as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.jsontypes import Json, JsonObject

NCCL: Final = "nccl"
_PULL: Final = ("Always", "IfNotPresent", "Never")
_BACKENDS: Final = ("gloo", "mpi", NCCL)
_BACKEND: Final = re.compile(r"--backend[=\s]+['\"]?(\w+)")


@dataclass(frozen=True)
class Role:
    """The fields of one role, the labels of its pods, and what is left of its template."""

    fields: JsonObject
    labels: JsonObject
    template: JsonObject


@dataclass(frozen=True)
class Context:
    """What a role has from its job.

    The name of the job and its back end; `known` are the kinds of storage that objects beside the
    job become, as `storage` takes them, and `config` is the ConfigMap that becomes its settings.
    """

    job: str
    backend: str
    known: Mapping[str, JsonObject]
    config: str = ""


def role(template: JsonObject, context: Context) -> Role:
    """Return the fields of a role."""
    rest = deepcopy(template)
    metadata, pod = below(rest, "metadata"), below(rest, "spec")
    labels, annotations = take_text_map(metadata, "labels"), take_text_map(metadata, "annotations")
    container = _main(pod)
    fields = _fields(pod, container, annotations, context)
    fields |= present(pod_annotations=annotations, pod_overrides=_overrides(pod, container))
    rest.pop("spec", None)
    drop_if_empty(rest, "metadata")
    return Role(fields, labels, rest)


def backend(job: JsonObject) -> str:
    """Return the back end of torch.distributed: as a command says, else nccl if there are GPUs."""
    mains = [main for _, main in main_containers(job)]
    said = [match[1] for main in mains if (match := _BACKEND.search(command_text(main)))]
    known = [word for word in said if word in _BACKENDS]
    if known:
        return known[0]
    return "nccl" if any(map(gpus_of, mains)) else "gloo"


def _main(pod: JsonObject) -> JsonObject:
    """Return the container that trains.

    Where containers share a name no list can be laid over another: then all of them stay as they
    are, and what is returned has the image alone, which an experiment cannot be without.
    """
    found = [as_object(each) for each in as_list(pod.get("containers"))]
    mains = [each for each in found if each.get("name") == MAIN_CONTAINER]
    if len(names(found)) == len(found):
        return mains[0] if mains else {}
    return {"image": mains[0]["image"]} if mains and "image" in mains[0] else {}


def _fields(
    pod: JsonObject,
    container: JsonObject,
    annotations: JsonObject,
    context: Context,
) -> JsonObject:
    asked = resources(container)
    own = variables(container, with_nccl=context.backend == NCCL)
    stored = storage(pod, container, context.known)
    net = network(pod, container)
    placed = placement(pod, annotations, job=context.job, has_gpus=bool(asked.get("gpus_per_node")))
    asked |= present(accelerator=placed.accelerator, shm_size=stored.shm_size)
    return {
        **present(
            image=take_text(container, "image"),
            image_pull_policy=take_word(container, "imagePullPolicy", _PULL),
            image_pull_secrets=_pull_secrets(pod),
        ),
        **program(container),
        **present(
            working_dir=take_text(container, "workingDir"),
            resources=asked,
            env=own.env,
            env_from=env_from(container, without=context.config),
            ports=net.ports,
            storage=stored.storage,
            network=net.network,
            nccl=own.nccl,
            scheduling=placed.scheduling,
            security=security(pod, container),
            init_containers=take_objects(pod, "initContainers"),
        ),
    }


def _pull_secrets(pod: JsonObject) -> list[Json]:
    """Take the secrets of an image, when all of them are plain names."""
    found = as_list(pod.get("imagePullSecrets"))
    names = [as_object(each).get("name") for each in found if {*as_object(each)} == {"name"}]
    if len(names) != len(found) or not all(isinstance(name, str) and name for name in names):
        return []
    pod.pop("imagePullSecrets", None)
    return names


def _overrides(pod: JsonObject, container: JsonObject) -> JsonObject:
    """Return what is left of a pod; of its containers only what says something."""
    containers = as_list(pod.get("containers"))
    says_something = {*container} - {"name"}
    if containers and containers[0] is container and not says_something:
        del containers[0]
    drop_if_empty(pod, "containers")
    return pod
