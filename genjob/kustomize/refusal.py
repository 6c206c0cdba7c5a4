"""An object → the keys on which Kustomize stops, although Kubernetes would take them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject

_NOT_TEXT = re.compile(
    r"true|True|TRUE|false|False|FALSE|null|Null|NULL"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"|0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+"
    r"|[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?"
)
"""What the YAML of Kustomize reads as a boolean, null, a date or a number."""


def refused_annotations(body: JsonObject) -> Iterator[str]:
    """Yield the keys of annotations that Kustomize cannot hand on, also where they are quoted.

    It writes the annotations of an object anew without quotes, and then reads a key that is no
    text. Source: measured with Kustomize v5.8.1, 'unsupported type: map[interface {}]interface {}'.
    """
    metadata = body.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if isinstance(annotations, dict):
        yield from (key for key in annotations if _NOT_TEXT.fullmatch(key))
