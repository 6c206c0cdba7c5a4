"""YAML text → data, with the place of each key and value in the file.

Bytes become text (`source`), the parser's events become data (`nodes`, `scalars`) or a finding in
plain words (`errors`), and `reading` puts both behind a few functions. In files of ours, what a
person could not see in a review is refused: duplicate keys, anchors and aliases, tags. Manifests of
others may hold what kubectl takes (`dialect`): several documents, anchors, merge keys.
"""

from __future__ import annotations

from genjob.document.dialect import MANIFESTS, OURS, Dialect
from genjob.document.reading import (
    Document,
    Reading,
    Stream,
    read_document,
    read_document_file,
    read_documents,
)
from genjob.document.scalars import Plain, Raw, resolve, resolve_as_kubectl, text_of, value_of
from genjob.document.source import MAX_BYTES, MAX_DEPTH, Code, read_bytes

__all__ = [
    "MANIFESTS",
    "MAX_BYTES",
    "MAX_DEPTH",
    "OURS",
    "Code",
    "Dialect",
    "Document",
    "Plain",
    "Raw",
    "Reading",
    "Stream",
    "read_bytes",
    "read_document",
    "read_document_file",
    "read_documents",
    "resolve",
    "resolve_as_kubectl",
    "text_of",
    "value_of",
]
