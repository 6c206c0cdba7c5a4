"""An object → what it is when it is no PyTorchJob of today: of an old API, of others, or a shell.

Source: kubeflow/pytorch-operator v0.7.0 pkg/apis/pytorch/{v1beta1,v1beta2,v1}/types.go (one shape);
v0.2.0 pkg/apis/pytorch/v1alpha1/types.go (a list of replica specs).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

JOB: Final = "PyTorchJob"
API_VERSION: Final = "kubeflow.org/v1"
GROUP: Final = "kubeflow.org"
_JOB_TEXT: Final = re.compile(r"^\s*[\"']?kind[\"']?:\s*[\"']?PyTorchJob\b", re.MULTILINE)


class Form(NamedTuple):
    """What a job is instead of one of `kubeflow.org/v1`, and the same job of that API if there is.

    `body` is None where the shape is another, so that nothing more can be said of it.
    """

    finding: Finding
    body: JsonObject | None


def is_job(body: JsonObject) -> bool:
    """Tell whether an object is a PyTorchJob, of whatever API, or is meant to be one."""
    return body.get("kind") == JOB or _is_like_one(body)


def other_form(body: JsonObject) -> Form | None:
    """Return what a job is instead of one of today's API; None for a job of that, or no job."""
    if not is_job(body) or (body.get("apiVersion") == API_VERSION and body.get("kind") == JOB):
        return None
    if body.get("kind") != JOB:
        return _of_wrong_kind(body)
    version = body.get("apiVersion")
    if not isinstance(version, str) or not version.startswith(f"{GROUP}/"):
        return _without_version(body) if version is None else _of_another_operator(str(version))
    if isinstance(_spec(body).get("replicaSpecs"), list):
        return _in_a_list(version)
    return _of_old_version(body, version)


def embedded_jobs(body: JsonObject) -> list[tuple[DocPath, JsonObject]]:
    """Return the PyTorchJobs that an object holds, as AppWrappers and Katib Experiments do."""
    return [] if is_job(body) else [*_jobs_in(body, ())]


def embedded_texts(body: JsonObject) -> list[DocPath]:
    """Return where an object holds the text of a PyTorchJob, as a ConfigMap of templates does."""
    return [] if is_job(body) else [*_texts_in(body, ())]


def embedded_finding(body: JsonObject, path: DocPath) -> Finding:
    """Return the note that an object holds a job, at the job."""
    shell = f"{body.get('kind')} {quoted(_name(body))}"
    hint = "write the PyTorchJob into a file of its own to import it or to check its text"
    message = f"a {JOB} is inside the {shell}"
    return Finding(Code.EMBEDDED_JOB, path, message, hint, Severity.INFO, at_key=True)


def _is_like_one(body: JsonObject) -> bool:
    """Tell whether the kind alone is wrong, or missing."""
    version, kind = body.get("apiVersion"), body.get("kind")
    is_of_group = not isinstance(version, str) or version.startswith(f"{GROUP}/")
    return "pytorchReplicaSpecs" in _spec(body) and (is_of_group or kind is None)


def _of_wrong_kind(body: JsonObject) -> Form:
    kind = body.get("kind")
    found = "has no kind" if kind is None else f"is of kind {quoted(str(kind))}"
    message = f"the object has the fields of a {JOB} and {found}"
    path: DocPath = () if kind is None else ("kind",)
    finding = Finding(Code.OTHER_KIND, path, message, f"write 'kind: {JOB}'")
    return Form(finding, {**body, "apiVersion": API_VERSION, "kind": JOB})


def _without_version(body: JsonObject) -> Form:
    message = f"a {JOB} without an apiVersion is none"
    finding = Finding(Code.OLD_API, (), message, f"write 'apiVersion: {API_VERSION}'")
    return Form(finding, {**body, "apiVersion": API_VERSION})


def _of_another_operator(version: str) -> Form:
    message = f"a {JOB} of the API {quoted(version)} belongs to another operator"
    hint = f"what is known here are jobs of {quoted(API_VERSION)}, of the Kubeflow operator"
    finding = Finding(Code.FOREIGN_JOB, ("apiVersion",), message, hint, Severity.WARNING)
    return Form(finding, None)


def _in_a_list(version: str) -> Form:
    message = f"the operator does not serve {quoted(version)}, whose replica specs are a list"
    hint = (
        f"write 'apiVersion: {API_VERSION}', and under 'spec.pytorchReplicaSpecs' each entry of "
        "'replicaSpecs' below the key 'Master' or 'Worker'; name its container 'pytorch'"
    )
    return Form(Finding(Code.OLD_API, ("apiVersion",), message, hint), None)


def _of_old_version(body: JsonObject, version: str) -> Form:
    message = f"the operator does not serve {quoted(version)}"
    hint = f"write 'apiVersion: {API_VERSION}'"
    finding = Finding(Code.OLD_API, ("apiVersion",), message, hint)
    return Form(finding, {**body, "apiVersion": API_VERSION})


def _jobs_in(value: Json, path: DocPath) -> Iterator[tuple[DocPath, JsonObject]]:
    if isinstance(value, dict) and value.get("kind") == JOB and "spec" in value:
        yield path, value
        return
    pairs = value.items() if isinstance(value, dict) else enumerate(_items(value))
    for key, item in pairs:
        yield from _jobs_in(item, (*path, key))


def _texts_in(value: Json, path: DocPath) -> Iterator[DocPath]:
    if isinstance(value, str) and _JOB_TEXT.search(value):
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(_items(value))
    for key, item in pairs:
        yield from _texts_in(item, (*path, key))


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _spec(body: JsonObject) -> JsonObject:
    spec = body.get("spec")
    return spec if isinstance(spec, dict) else {}


def _name(body: JsonObject) -> str:
    metadata = body.get("metadata")
    return str(metadata.get("name", "")) if isinstance(metadata, dict) else ""
