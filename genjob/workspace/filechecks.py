"""A file that a person wrote, on its own → what is wrong with it before any layers are laid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.catalog.variables import FIELDS
from genjob.codes import Code
from genjob.crd.library import SchemaSet, kubernetes_versions, operator_versions
from genjob.diagnostics import Diagnostic, Finding, Location, Severity
from genjob.document import value_of
from genjob.model.experiment import NOT_IN_LAYERS, VERSION, Experiment
from genjob.model.fields import known_keys, takes_any_key, through_lists
from genjob.model.names import is_name
from genjob.model.nccl import SECTION
from genjob.model.validation import validated
from genjob.resolve.merge import combine, value_at
from genjob.wording import did_you_mean, found, one_of, quoted
from genjob.workspace.poolchecks import pool_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.document import Document, Raw
    from genjob.jsontypes import DocPath
    from genjob.model.environment import Environment
    from genjob.model.names import Engine

_STUB: dict[str, Raw] = {"version": VERSION, "name": "a", "image": "a", "script": "a"}
"""The least that an experiment says: what `defaults` are laid over to be checked alone."""


def engine_problems(engine: Engine | None, url: str | None, path: DocPath) -> Iterator[Finding]:
    """Yield what an engine lacks; `path` is where it is named, `url` that of the repository."""
    if engine in {"argocd", "flux"} and url is None:
        message = f"engine {quoted(engine)} needs the URL of the repository that it reads"
        hint = "write repo: {url: https://…} in genjob.yaml, as the cluster reaches it"
        yield Finding(Code.MISSING_KEY, path, message, hint)


def environment_problems(
    document: Document, model: Environment, stem: str, schemas: SchemaSet
) -> Iterator[Finding]:
    """Yield what is wrong with an environment that is well formed; `stem` names its file."""
    yield from misnamed(model.name, stem)
    yield from pool_problems(model.node_pools)
    yield from unknown_versions(model, schemas)
    yield from _unknown_fields(model)
    yield from _defaults_problems(document)


def misnamed(name: str, stem: str) -> Iterator[Finding]:
    """Yield a finding when what an environment is called is not in the name of its file."""
    if name != stem:
        message = f"environment {quoted(name)} is in the file of {quoted(stem)}"
        hint = f"write 'name: {stem}', or rename the file to {name}.yaml"
        yield Finding(Code.NAME_DIFFERS, ("name",), message, hint)


def snapshot_of_nothing(file: str, name: str) -> Diagnostic:
    """Return the finding of a snapshot beside which there is no environment."""
    message = f"there is no environment {quoted(name)} for this snapshot"
    hint = "remove it, or rename it with its environment"
    place = Location(file)
    return Diagnostic(Code.UNKNOWN_ENVIRONMENT, message, place, hint, Severity.WARNING)


def _unknown_fields(model: Environment) -> Iterator[Finding]:
    """Yield the fields that a policy demands or forbids and that no experiment can set."""
    for word in ("require", "forbid"):
        for index, name in enumerate(getattr(model.policy, word)):
            *above, key = name.split(".")
            route = through_lists(Experiment, above)
            known = [*FIELDS] if above == [SECTION] else known_keys(Experiment, route)
            if key not in known and (known or not takes_any_key(Experiment, route)):
                path = ("policy", word, index)
                hint = did_you_mean(name, [".".join((*above, each)) for each in known])
                yield Finding(Code.UNKNOWN_KEY, path, f"unknown field {quoted(name)}", hint)


def unknown_versions(model: Environment, schemas: SchemaSet) -> Iterator[Finding]:
    """Yield the versions of an environment's `target` that no schema is for."""
    for key, name, known in (
        ("training_operator", "the training operator", operator_versions(schemas)),
        ("kubernetes", "Kubernetes", kubernetes_versions(schemas)),
    ):
        version = getattr(model.target, key)
        if version not in known:
            message = f"found version {quoted(version)} of {name}; expected {one_of(known)}"
            yield Finding(Code.UNKNOWN_VERSION, ("target", key), message)


def _defaults_problems(document: Document) -> Iterator[Finding]:
    """Yield what is certainly wrong with `defaults`: a part of them may be incomplete."""
    defaults = document.data.get("defaults")
    if not isinstance(defaults, dict):
        return
    yield from _misplaced(defaults, ("defaults",))
    own: Raw = {key: value for key, value in defaults.items() if key not in NOT_IN_LAYERS}
    tree = combine({**_STUB}, own)
    for finding in validated(Experiment, tree)[1]:
        certain = finding.code not in {Code.MISSING_KEY, Code.NOT_EXACTLY_ONE}
        if certain and value_at(own, finding.path) is not None:
            yield _below("defaults", finding)


def _below(key: str, finding: Finding) -> Finding:
    path = (key, *finding.path)
    return Finding(
        finding.code, path, finding.message, finding.hint, finding.severity, finding.at_key
    )


def _misplaced(fields: Iterable[str], path: DocPath) -> Iterator[Finding]:
    """Yield the fields of a default or an override that say what the experiment is."""
    for key in fields:
        if key in NOT_IN_LAYERS:
            message = f"{quoted(key)} cannot be set here; it belongs to the experiment as a whole"
            yield Finding(Code.MISPLACED_KEY, (*path, key), message, "remove it", at_key=True)


def experiment_problems(document: Document, folder: str) -> Iterator[Finding]:
    """Yield what is wrong with an experiment before its layers are laid; `folder` holds it."""
    name = document.data.get("name")
    if isinstance(name, str) and name != folder and is_name(name):
        message = f"experiment {quoted(name)} is in the folder of {quoted(folder)}"
        rename = f"rename the folder to {name}"
        hint = f"write 'name: {folder}', or {rename}" if is_name(folder) else rename
        yield Finding(Code.NAME_DIFFERS, ("name",), message, hint)
    if "environments" in document.data:
        yield from _environments_problems(document.data["environments"])


def _environments_problems(environments: Raw) -> Iterator[Finding]:
    if not isinstance(environments, dict):
        message = f"found {found(value_of(environments))}; expected a mapping"
        hint = (
            f"write environments: {{{', '.join(f'{name}: {{}}' for name in _named(environments))}}}"
        )
        yield Finding(Code.WRONG_VALUE, ("environments",), message, hint)
        return
    for name, override in environments.items():
        path: DocPath = ("environments", name)
        if isinstance(override, dict):
            yield from _misplaced(override, path)
        else:
            message = f"found {found(value_of(override))}; expected the fields that differ there"
            hint = f"write {name}: {{}} to run there unchanged"
            yield Finding(Code.WRONG_VALUE, path, message, hint)


def _named(environments: Raw) -> list[str]:
    listed = environments if isinstance(environments, list) else [environments]
    return [name for name in listed if isinstance(name, str)] or ["dev"]


def unknown_environments(document: Document, known: set[str], folder: str) -> Iterator[Finding]:
    """Yield the environments that an experiment names and that have no file in `folder`."""
    environments = document.data.get("environments")
    for name in environments if isinstance(environments, dict) else ():
        if name not in known:
            message = f"there is no environment {quoted(name)}"
            hint = did_you_mean(name, known) or f"write {folder}/{name}.yaml, or remove this"
            path = ("environments", name)
            yield Finding(Code.UNKNOWN_ENVIRONMENT, path, message, hint, at_key=True)


def wrong_file_name(file: str, expected: str) -> Diagnostic:
    """Return the finding of a file that would be read if it were called `expected`."""
    name = file.rpartition("/")[2]
    message = f"found {quoted(name)}, which is not read; expected {quoted(expected)}"
    return Diagnostic(Code.WRONG_FILE_NAME, message, Location(file), f"rename it to {expected}")
