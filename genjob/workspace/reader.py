"""Files of a workspace → their documents and models, and all that is wrong with them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from genjob.diagnostics import Diagnostic
from genjob.document import Document, read_bytes, read_document_file
from genjob.model.validation import validated
from genjob.workspace.deferred import Deferred
from genjob.workspace.filechecks import wrong_file_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from genjob.diagnostics import Finding
    from genjob.memory.memory import Reading
    from genjob.model.base import AnyModel

NOTHING: Mapping[str, Reading] = MappingProxyType({})
"""What is known of a workspace that nobody has read."""


class Reader:
    """Reads the files of one workspace and collects what is wrong with them."""

    def __init__(self, root: Path, known: Mapping[str, Reading]) -> None:
        self.root = root
        self.known = dict(known)
        self.diagnostics: list[Diagnostic] = []
        self.sources = Deferred[str]()

    def name_of(self, path: Path) -> str:
        """Return what findings call a file."""
        return path.relative_to(self.root).as_posix()

    def document(self, path: Path) -> Document | None:
        """Return the document in a file of the workspace, or None when it has none."""
        file = self.name_of(path)
        document, diagnostics = read_document_file(path, file)
        self.diagnostics.extend(diagnostics)
        if document is not None:
            self.sources.keep(file, "\n".join(document.lines))
        elif isinstance(source := read_bytes(path, file), bytes):
            self.sources.keep(file, source.decode("utf-8", "replace"))
        return document

    def refuse_name(self, path: Path, expected: str) -> None:
        """Report a file that would be read if it were called `expected`."""
        file = self.name_of(path)
        self.diagnostics.append(wrong_file_name(file, expected))

    def model(self, document: Document, model: type[AnyModel]) -> AnyModel | None:
        """Return a document as a model, or None when it does not fit."""
        made, found = validated(model, document.data)
        self.report(document, found)
        return made

    def report(self, document: Document, found: Iterable[Finding]) -> None:
        """Collect findings about a document."""
        for f in found:
            location = document.locate(f.path, at_key=f.at_key)
            self.diagnostics.append(Diagnostic(f.code, f.message, location, f.hint, f.severity))
