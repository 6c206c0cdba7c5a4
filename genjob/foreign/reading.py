"""Bytes of a manifest, as people and programs write them → its objects, each with its places.

Several documents, Lists and the output of `kubectl get` are taken apart; what is no object of
Kubernetes, such as the values of a Helm chart, is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.diagnostics import Diagnostic, Finding
from genjob.document import MANIFESTS, Document, read_bytes, read_documents, value_of
from genjob.foreign.templates import is_broken_by_template, unreadable_template

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.diagnostics import Location
    from genjob.document import Raw
    from genjob.jsontypes import DocPath, JsonObject


@dataclass(frozen=True, slots=True)
class Written:
    """An object and where it was written: the document, and its route there (in a List)."""

    document: Document
    base: DocPath
    body: JsonObject

    def locate(self, path: DocPath, *, at_key: bool = False) -> Location:
        """Return where a value of the object stands, as `Document.locate` does."""
        return self.document.locate((*self.base, *path), at_key=at_key)

    def diagnostic(self, finding: Finding) -> Diagnostic:
        """Return a finding about the object with its place."""
        place = self.locate(finding.path, at_key=finding.at_key)
        return Diagnostic(finding.code, finding.message, place, finding.hint, finding.severity)


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """What a file holds: its text, its objects, how many documents are none, and what is wrong."""

    file: str
    text: str
    objects: tuple[Written, ...] = ()
    others: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()


def read_manifest_file(path: Path, file: str, *, command: str) -> ManifestFile:
    """Read a file that findings call `file`. Raises nothing: an `OSError` becomes a finding."""
    source = read_bytes(path, file, MANIFESTS.max_bytes)
    if isinstance(source, Diagnostic):
        return ManifestFile(file, "", diagnostics=(source,))
    return read_manifests(source, file, command=command)


def read_manifests(source: bytes, file: str, *, command: str) -> ManifestFile:
    """Read the bytes of a file that findings call `file`. Raises nothing, whatever the bytes.

    `command` is what a filled-in template is given to, such as 'genjob lint -'.
    """
    stream = read_documents(source, file)
    objects: list[Written] = []
    others = 0
    for document in stream.documents:
        found = [*_objects(document, (), document.raw)]
        objects += found
        others += not found
    wrong = stream.diagnostics
    if is_broken_by_template(stream.lines, wrong):
        wrong = (unreadable_template(stream.lines, file, command),)
    return ManifestFile(file, "\n".join(stream.lines), tuple(objects), others, wrong)


def _objects(document: Document, base: DocPath, raw: Raw) -> Iterator[Written]:
    """Yield the objects of a document, those of a List one by one."""
    if not isinstance(raw, dict) or not _is_object(raw):
        return
    items = raw.get("items")
    if str(raw.get("kind", "")).endswith("List") and isinstance(items, list):
        for index, item in enumerate(items):
            yield from _objects(document, (*base, "items", index), item)
        return
    body = value_of(raw)
    if isinstance(body, dict):
        yield Written(document, base, body)


def _is_object(raw: dict[str, Raw]) -> bool:
    """Tell an object of Kubernetes from other data: by its kind, or by what only a job has."""
    spec, kind = raw.get("spec"), raw.get("kind")
    is_job = kind == "PyTorchJob" or (isinstance(spec, dict) and "pytorchReplicaSpecs" in spec)
    return is_job or (isinstance(kind, str) and "apiVersion" in raw)
