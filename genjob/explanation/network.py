"""A resolved job and its objects → what its ranks will find: pods, variables, transport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.manifests.trace import source_of
from genjob.prediction import (
    effective_settings,
    held_back,
    own_entries,
    predicted_pods,
    predicted_scale,
    predicted_services,
    ranks_of,
    unread_sources,
)
from genjob.resolve.machine import machine_in
from genjob.rules.walk import as_list, as_object, as_str, get, main_container, pod_specs
from genjob.transport import Site, predicted_transports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.diagnostics import Location
    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.manifest import Manifest
    from genjob.prediction import Known, PredictedPod, PredictedService, Scale, Setting
    from genjob.resolve.job import Job
    from genjob.transport import Transport

OPERATOR: Final = "operator"


@dataclass(frozen=True, slots=True)
class Writer:
    """Who set a variable: the operator, or a layer, and the place where a person wrote it."""

    layer: str
    place: Location | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a role: `first` and `last` are what its first and last pod read.

    They are None for a value that Kubernetes looks up; `looked_up` then says where. `beaten` are
    the values of the same name that nobody reads.
    """

    name: str
    first: str | None
    last: str | None
    writer: Writer
    looked_up: str = ""
    beaten: tuple[tuple[str, Writer], ...] = ()


@dataclass(frozen=True, slots=True)
class Role:
    """The pods of a role, what their training container reads, and what may come besides."""

    name: str
    pods: list[PredictedPod]
    variables: list[Variable]
    unread: list[str]


@dataclass(frozen=True, slots=True)
class NetworkView:
    """Everything about the ranks of a job in its environment."""

    job: Job
    held_back: str
    accelerator: str
    scale: Scale
    roles: list[Role]
    services: list[PredictedService]
    ranks: Mapping[str, tuple[int, int]]
    transports: Mapping[str, Transport]

    @property
    def pods(self) -> list[PredictedPod]:
        """All pods, the Master first."""
        return [pod for role in self.roles for pod in role.pods]

    @property
    def world_size(self) -> str | None:
        """What WORLD_SIZE reads in the pods, None where the operator does not set it."""
        found = [v.first for role in self.roles for v in role.variables if v.name == "WORLD_SIZE"]
        return found[0] if found else None


def network_view(job: Job, manifests: list[Manifest]) -> NetworkView:
    """Return what the ranks of a job will find; the job itself is the first manifest."""
    body = manifests[0].body
    known = _config_maps(manifests)
    pods = predicted_pods(body)
    scale = predicted_scale(body)
    fabric = job.fabric.name if job.fabric else None
    return NetworkView(
        job,
        held_back(body),
        (machine_in(job.pool).accelerator if job.pool else None) or "",
        scale,
        [_role(job, body, name, pods, known) for name in scale.pods],
        predicted_services(body),
        ranks_of(scale, pods),
        predicted_transports(body, Site(fabric, job.experiment.network.backend, known)),
    )


def _config_maps(manifests: list[Manifest]) -> dict[str, dict[str, str]]:
    return {
        as_str(get(manifest.body, "metadata", "name")) or "": {
            key: str(text) for key, text in as_object(manifest.body.get("data")).items()
        }
        for manifest in manifests
        if manifest.body.get("kind") == "ConfigMap"
    }


def _role(job: Job, body: JsonObject, name: str, pods: list[PredictedPod], known: Known) -> Role:
    own = [pod for pod in pods if pod.role == name]
    first = effective_settings(own[0].main, known)
    last = effective_settings(own[-1].main, known)
    container = _Written(job, body, name)
    variables = [
        Variable(
            key,
            setting.text,
            last[key].text,
            container.writer(setting),
            container.looked_up(setting),
            container.beaten(setting),
        )
        for key, setting in first.items()
    ]
    return Role(name, own, variables, [*unread_sources(own[0].main, known)])


class _Written:
    """The training container of a role as it was rendered, with the way back to its fields."""

    def __init__(self, job: Job, body: JsonObject, role: str) -> None:
        self.job = job
        self.body = body
        self.role = role
        specs = {path[2]: (path, pod) for path, pod in pod_specs(body)}
        pod = specs.get(role)  # an override may have named a role without a pod
        self.path, self.container = (main_container(*pod) if pod else None) or ((), {})

    def writer(self, setting: Setting) -> Writer:
        """Return who set a variable."""
        if setting.entry is not None:
            return self._of_entry(setting.entry)
        here = (*self.path, "envFrom", setting.source or 0, "configMapRef")
        source = source_of(self.body, here) or ()
        return self._of_field((*source, setting.name))

    def looked_up(self, setting: Setting) -> str:
        """Return where Kubernetes finds the value of a variable; nothing when it is written."""
        is_own = setting.entry is not None and setting.entry < own_entries(self.container)
        return _source_in_words(get(self._entry(setting.entry or 0), "valueFrom")) if is_own else ""

    def beaten(self, setting: Setting) -> tuple[tuple[str, Writer], ...]:
        """Return the values of the same name that stand before it."""
        return tuple(
            (str(as_object(self._entry(index)).get("value", "")), self._of_entry(index))
            for index in setting.beaten
            if index < own_entries(self.container)
        )

    def _entry(self, index: int) -> Json:
        return as_list(self.container.get("env"))[index]

    def _of_entry(self, index: int) -> Writer:
        if index >= own_entries(self.container):
            return Writer(OPERATOR)
        return self._of_field(source_of(self.body, (*self.path, "env", index, "name")) or ())

    def _of_field(self, path: DocPath) -> Writer:
        is_master = self.role == "Master"
        path = self.job.from_master(path) if is_master else self.job.from_worker(path)
        origin = self.job.origins(path)[0]
        place = None if origin.document is None else origin.document.locate(origin.path)
        return Writer(origin.layer, place)


def _source_in_words(source: Json) -> str:
    for field, kind in (("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap")):
        if (name := get(source, field, "name")) is not None:
            return f"key '{get(source, field, 'key')}' of {kind} '{name}'"
    found = get(source, "fieldRef", "fieldPath") or get(source, "resourceFieldRef", "resource")
    return as_str(found) or ""
