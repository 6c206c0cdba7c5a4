"""YAML text → data, with the place of each key and value in the file.

Bytes become text (`source`), the parser's events become data (`nodes`, `scalars`) or a finding in
plain words (`errors`), and `reading` puts both behind two functions. What a person could not see
in a review is refused: duplicate keys, anchors and aliases, tags.
"""

from __future__ import annotations

from genjob.document.reading import Document, Reading, read_document, read_document_file
from genjob.document.scalars import Plain, Raw, resolve, text_of, value_of
from genjob.document.source import MAX_BYTES, MAX_DEPTH, Code, read_bytes

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Code",
    "Document",
    "Plain",
    "Raw",
    "Reading",
    "read_bytes",
    "read_document",
    "read_document_file",
    "resolve",
    "text_of",
    "value_of",
]
