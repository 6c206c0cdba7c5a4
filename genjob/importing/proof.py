"""The text of an experiment and the objects it was imported from → every difference.

The experiment goes the way that every experiment goes: it is read, resolved and rendered, in an
environment that adds nothing but the namespace. Both sides are compared in their canonical form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from genjob.document import read_document
from genjob.importing.canonical import canonical
from genjob.kustomize.mismatch import same_objects
from genjob.manifest import identity
from genjob.manifests import manifests
from genjob.manifests.configuration import config_name, files_name
from genjob.model.environment import Environment
from genjob.model.experiment import VERSION
from genjob.resolve.job import resolve
from genjob.resolve.precedence import EnvironmentFile
from genjob.rules.walk import as_object, get, pod_parts
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from genjob.diagnostics import Diagnostic
    from genjob.importing.beside import Beside
    from genjob.jsontypes import Json, JsonObject
    from genjob.kustomize.mismatch import Mismatch
    from genjob.resolve.job import Job

_NAMESPACE: Final = "default"
_FILE: Final = "environments/import.yaml"


@dataclass(frozen=True)
class Proof:
    """The differences, none when both sides are equal, and what kept it from being rendered."""

    differences: Sequence[Mismatch] = ()
    diagnostics: Sequence[Diagnostic] = ()


def prove(text: str, file: str, originals: Sequence[JsonObject], beside: Beside) -> Proof:
    """Render an experiment and compare it with the objects that it was made from, the job first."""
    document, problems = read_document(text.encode(), file)
    if document is None:
        return Proof(diagnostics=problems)
    namespace = identity(originals[0]).namespace or _NAMESPACE
    job, found = resolve(document, _environment(namespace))
    if job is None:
        return Proof(diagnostics=found)
    job = replace(job, files=beside.files)
    names = _old_names(job, originals[0], beside)
    rendered = _once(_renamed(each.body, names) for each in manifests(job))
    name = job.experiment.name
    wanted = [canonical(_in(body, namespace), name) for body in originals]
    return Proof(same_objects([canonical(body, name) for body in rendered], wanted))


def _environment(namespace: str) -> EnvironmentFile:
    """Return an environment that adds nothing to an experiment but the namespace."""
    values: JsonObject = {"version": VERSION, "name": "import", "namespace": namespace}
    document = read_document(to_yaml(values).encode(), _FILE).document
    assert document is not None  # noqa: S101 # we wrote it
    return EnvironmentFile(Environment.model_validate(document.data), document)


def _in(body: JsonObject, namespace: str) -> JsonObject:
    """Return an object in the namespace into which a client would put it."""
    own = identity(body).namespace or namespace
    return {**body, "metadata": {**as_object(body.get("metadata")), "namespace": own}}


def _old_names(job: Job, original: JsonObject, beside: Beside) -> dict[str, str]:
    """Return the names of our ConfigMaps, which follow the content, with those they had before."""
    names = {config_name(job): beside.config[0]} if beside.config else {}
    before = {
        str(volume.get("name")): str(get(volume, "configMap", "name"))
        for _, volume in pod_parts(original, "volumes")
        if get(volume, "configMap", "name") is not None
    }
    for role in (job.experiment, job.master):
        for each in role.storage:
            if each.files and each.name in before:
                names[files_name(job, each)] = before[each.name]
    return names


def _renamed(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def _once(bodies: Iterable[Json]) -> list[JsonObject]:
    """Return the objects, those that are the same under their old name once."""
    found = {identity(as_object(body)): as_object(body) for body in bodies}
    return [*found.values()]
