"""Any object → what the API server refuses in its metadata, and in that of its pod templates.

Symptom: the API server refuses the object.
Source: https://github.com/kubernetes/apimachinery/blob/v0.31.0/pkg/api/validation/objectmeta.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.rule import Hit
from genjob.rules.walk import as_object, as_str, get, templates
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject
    from genjob.rules.walk import Part

ANNOTATIONS_BYTES = 256 * 1024
LABEL_HINT = "write letters, digits, '-', '_' and '.', at most 63"


def object_without_name(body: JsonObject) -> Iterator[Hit]:
    """An object in Git has a fixed name: Kustomize and Argo CD find it by that.

    Source: https://github.com/kubernetes-sigs/kustomize/issues/641
    """
    metadata = as_object(body.get("metadata"))
    if metadata.get("name") in (None, ""):
        at = "generateName" if "generateName" in metadata else "name"
        message = "the object has no fixed name; it cannot be kept in Git"
        yield Hit(("metadata", at), message, "write 'metadata.name'", at_key=True)


def label_key_invalid(body: JsonObject) -> Iterator[Hit]:
    """A label key is a name of at most 63 characters, with a DNS prefix and '/' where wanted."""
    for path, metadata in _metadata(body):
        for key in as_object(metadata.get("labels")):
            if fault := names.qualified_name(key):
                message = f"label key {quoted(key)} {fault}"
                yield Hit((*path, "labels", key), message, LABEL_HINT, at_key=True)


def label_value_invalid(body: JsonObject) -> Iterator[Hit]:
    """A label value has at most 63 letters, digits, '-', '_' and '.'."""
    for path, metadata in _metadata(body):
        for key, value in as_object(metadata.get("labels")).items():
            if fault := names.label_value(as_str(value) or ""):
                message = f"label value {quoted(str(value))} {fault}"
                hint = "write it as an annotation" if " " in str(value) else LABEL_HINT
                yield Hit((*path, "labels", key), message, hint)


def annotation_key_invalid(body: JsonObject) -> Iterator[Hit]:
    """An annotation key has the form of a label key."""
    for path, metadata in _metadata(body):
        for key in as_object(metadata.get("annotations")):
            if fault := names.qualified_name(key.lower()):
                message = f"annotation key {quoted(key)} {fault}"
                yield Hit((*path, "annotations", key), message, LABEL_HINT, at_key=True)


def annotations_too_large(body: JsonObject) -> Iterator[Hit]:
    """The annotations of an object have at most 256 KiB, keys and values together."""
    for path, metadata in _metadata(body):
        annotations = as_object(metadata.get("annotations"))
        size = sum(
            len(f"{key}{as_str(value) or ''}".encode(errors="surrogatepass"))
            for key, value in annotations.items()
        )
        if size > ANNOTATIONS_BYTES:
            message = f"the annotations have {size} bytes, {ANNOTATIONS_BYTES} are allowed"
            yield Hit((*path, "annotations"), message, "keep the text in a ConfigMap", at_key=True)


def _metadata(body: JsonObject) -> Iterator[Part]:
    yield ("metadata",), as_object(body.get("metadata"))
    for path, template in templates(body):
        yield (*path, "metadata"), as_object(get(template, "metadata"))
