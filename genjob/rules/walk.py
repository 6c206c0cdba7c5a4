"""An object of unknown shape → the parts that a rule looks at, each with its route of keys.

Rules run on what people wrote, so nothing here fails on a wrong type: a part that is not of the
expected type is passed over, because the schema check has reported it already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVarTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

Part: TypeAlias = tuple["DocPath", "JsonObject"]
"""A mapping inside an object, behind the route that leads to it."""

_Asked = TypeVarTuple("_Asked")

REPLICA_SPECS = ("spec", "pytorchReplicaSpecs")
ELASTIC = ("spec", "elasticPolicy")
MAIN_CONTAINER = "pytorch"
"""The container that the operator looks for in each replica spec."""


class Walked(dict[str, "Json"]):
    """A job that is walked once for each kind of part: a hundred rules look at the same ones."""

    def __init__(self, job: JsonObject) -> None:
        super().__init__(job)
        self.seen: dict[object, tuple[Part, ...]] = {}


def once(
    walk: Callable[[JsonObject, *_Asked], Iterator[Part]],
) -> Callable[[JsonObject, *_Asked], Iterator[Part]]:
    """Return a walk that a `Walked` job remembers."""

    def walked(job: JsonObject, *asked: *_Asked) -> Iterator[Part]:
        if not isinstance(job, Walked):
            return walk(job, *asked)
        key = (walk, asked)
        if key not in job.seen:
            job.seen[key] = tuple(walk(job, *asked))
        return iter(job.seen[key])

    return walked


def as_object(value: Json) -> JsonObject:
    """Return a mapping as it is, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """Return a list as it is, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_str(value: Json) -> str | None:
    """Return a text as it is, and None for anything else."""
    return value if isinstance(value, str) else None


def as_int(value: Json) -> int | None:
    """Return a whole number as it is, and None for anything else; `true` is not a number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def get(value: Json, *keys: str) -> Json:
    """Return what a route of keys leads to, None where it breaks off."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def texts(path: DocPath, value: Json) -> Iterator[tuple[DocPath, str]]:
    """Yield the texts of a list, or the values of a mapping that are texts."""
    pairs = enumerate(value) if isinstance(value, list) else as_object(value).items()
    for key, text in pairs:
        if isinstance(text, str):
            yield (*path, key), text


def parts(path: DocPath, value: Json) -> Iterator[Part]:
    """Yield the mappings of a list."""
    for index, part in enumerate(as_list(value)):
        if isinstance(part, dict):
            yield (*path, index), part


def replica_specs(job: JsonObject) -> dict[str, JsonObject]:
    """Return the replica specs by role, unknown roles too; a null one is left out."""
    specs = as_object(get(job, *REPLICA_SPECS))
    return {role: spec for role, spec in specs.items() if isinstance(spec, dict)}


@once
def templates(job: JsonObject) -> Iterator[Part]:
    """Yield the pod templates of all roles."""
    for role, spec in replica_specs(job).items():
        if isinstance(template := spec.get("template"), dict):
            yield (*REPLICA_SPECS, role, "template"), template


@once
def pod_specs(job: JsonObject) -> Iterator[Part]:
    """Yield the pod specs of all roles."""
    for path, template in templates(job):
        if isinstance(spec := template.get("spec"), dict):
            yield (*path, "spec"), spec


@once
def distinct_pods(job: JsonObject) -> Iterator[Part]:
    """Yield the pod specs of all roles; one that several roles share, of the first of them only.

    What a rule finds in a pod without asking for its role, it would find again for the next role.
    """
    seen: set[int] = set()
    for path, pod in pod_specs(job):
        if id(pod) not in seen:
            seen.add(id(pod))
            yield path, pod


def pod_containers(path: DocPath, pod: JsonObject) -> Iterator[Part]:
    """Yield the containers of a pod spec, then its init containers."""
    for field in ("containers", "initContainers"):
        yield from parts((*path, field), pod.get(field))


@once
def containers(job: JsonObject) -> Iterator[Part]:
    """Yield the containers and init containers of the distinct pods."""
    for path, pod in distinct_pods(job):
        yield from pod_containers(path, pod)


@once
def container_parts(job: JsonObject, field: str) -> Iterator[Part]:
    """Yield the mappings of one list of each container, such as `env` or `volumeMounts`."""
    for path, container in containers(job):
        yield from parts((*path, field), container.get(field))


@once
def pod_parts(job: JsonObject, field: str) -> Iterator[Part]:
    """Yield the mappings of one list of each pod, such as `volumes` or `tolerations`."""
    for path, pod in distinct_pods(job):
        yield from parts((*path, field), pod.get(field))


def main_container(path: DocPath, pod: JsonObject) -> Part | None:
    """Return the container named `pytorch`, the first when there are two."""
    for part in parts((*path, "containers"), pod.get("containers")):
        if part[1].get("name") == MAIN_CONTAINER:
            return part
    return None
