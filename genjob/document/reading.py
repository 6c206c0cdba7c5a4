"""A file → its documents, with a place for every key and value, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import yaml

from genjob.diagnostics import Diagnostic, Location, in_order
from genjob.document.dialect import MANIFESTS
from genjob.document.errors import syntax_error
from genjob.document.events import locate_events
from genjob.document.nodes import Builder, Node, RefusedError
from genjob.document.source import Code, decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml.events import Event

    from genjob.document.dialect import Dialect
    from genjob.document.scalars import Raw
    from genjob.jsontypes import DocPath

    Parser: TypeAlias = type[yaml.SafeLoader | yaml.CSafeLoader]

# libyaml where PyYAML was built with it; otherwise the same events from PyYAML's own parser.
PARSER: Final[Parser] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# After these the document still says what was meant, and later stages can add their findings.
_RECOVERABLE: Final = {
    Code.BYTE_ORDER_MARK,
    Code.CARRIAGE_RETURN,
    Code.DUPLICATE_KEY,
    Code.UNWRITABLE_CHARACTER,
}


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read: its data, its lines without line ends, and where each value stands."""

    file: str
    lines: tuple[str, ...]
    _root: Node = field(repr=False, compare=False)

    @property
    def data(self) -> dict[str, Raw]:
        """The mapping at the root."""
        return self._root.raw if isinstance(self._root.raw, dict) else {}

    @property
    def raw(self) -> Raw:
        """The value at the root; of a file of ours always a mapping."""
        return self._root.raw

    @property
    def comments(self) -> tuple[str, ...]:
        """The comment lines above the document, as they were typed; empty lines among them stay.

        Those above a first `---` are the first document's too.
        """
        mark = self._root.first.start_mark
        above: list[str] = []
        for line in reversed(self.lines[: mark.line if mark else 0]):
            if line.strip() and not line.lstrip().startswith("#") and not _is_marker(line):
                above = above[: above.index("---")] if "---" in above else above
                break
            above.append("---" if _is_marker(line) else line.strip())
        text = "\n".join(line for line in reversed(above) if line != "---").strip("\n")
        return tuple(text.split("\n")) if text else ()

    def has(self, path: DocPath) -> bool:
        """Return whether the document holds exactly this route."""
        return len(self.steps(path)) == len(path) + 1

    def locate(self, path: DocPath, *, at_key: bool = False) -> Location:
        """Return where the value at the end of the route begins, on its first line.

        A route that the document does not have to its end is followed as far as it goes: a missing
        key is found at its parent. What has no first line of its own, a block mapping or list or
        an empty value, is found at its key; so is all with `at_key`.
        """
        steps = self.steps(path)
        node, key = steps[-1]
        if key is not None and (at_key or node.is_spread):
            return self._span(key, key)
        while node.is_spread and node.children:
            name, child = next(iter(node.children.items()))
            if name in node.keys:
                return self._span(node.keys[name], node.keys[name])
            node = child
        return self._span(node.first, node.last)

    def steps(self, path: DocPath) -> list[tuple[Node, Event | None]]:
        """Return the nodes on the route, each with its key, from the root on as far as it goes."""
        steps: list[tuple[Node, Event | None]] = [(self._root, None)]
        for part in path:
            node = steps[-1][0]
            if part not in node.children:
                break
            steps.append((node.children[part], node.keys.get(part)))
        return steps

    def _span(self, first: Event, last: Event) -> Location:
        return locate_events(self.file, self.lines, first, last)


class Reading(NamedTuple):
    """A file that was read, and what is wrong with it.

    The document is there when the file says what was meant, beside findings too (line ends, a
    duplicate key, of which the first counts): so that later stages report theirs in the same run.
    """

    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


class Stream(NamedTuple):
    """The documents of a file, whatever their root is, without the empty ones; its findings.

    What is wrong with one document leaves out that one; what is wrong with the YAML, all after it.
    """

    lines: tuple[str, ...]
    documents: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_document_file(path: Path, file: str) -> Reading:
    """Read a file that findings call `file`. Raises nothing: an `OSError` becomes a finding."""
    source = read_bytes(path, file)
    if isinstance(source, Diagnostic):
        return Reading(None, (source,))
    return read_document(source, file)


def read_document(source: bytes, file: str, *, parser: Parser = PARSER) -> Reading:
    """Read the bytes of a file that findings call `file`. Raises nothing, whatever the bytes."""
    text, found = decode(source, file)
    if text is None:
        return Reading(None, tuple(found))
    lines = tuple(text.split("\n"))
    builder = Builder(file, lines, yaml.parse(text, parser))
    root = _root(builder, file, lines)
    diagnostics = tuple(in_order([*found, *builder.findings]))
    if root is None or any(d.code not in _RECOVERABLE for d in diagnostics):
        return Reading(None, diagnostics)
    return Reading(Document(file, lines, root), diagnostics)


def read_documents(
    source: bytes, file: str, *, dialect: Dialect = MANIFESTS, parser: Parser = PARSER
) -> Stream:
    """Read every document in the bytes of a file that findings call `file`. Raises nothing."""
    text, found = decode(source, file, dialect.max_bytes)
    found = [each for each in found if each.code not in dialect.tolerated]
    lines = tuple((text or source.decode("utf-8", "replace")).split("\n"))
    if text is None:
        return Stream(lines, (), tuple(found))
    builder = Builder(file, lines, yaml.parse(text, parser), dialect)
    documents = tuple(Document(file, lines, root) for root in _roots(builder, file, lines))
    return Stream(lines, documents, tuple(in_order([*found, *builder.findings])))


def _roots(builder: Builder, file: str, lines: tuple[str, ...]) -> Iterator[Node]:
    """Yield the roots of the documents that say what was meant."""
    known, roots = 0, builder.roots()
    while True:
        try:
            root = next(roots, None)
        except RefusedError:
            return
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            builder.findings[known:] = [syntax_error(error, lines, file)]
            return
        if root is None:
            return
        if all(each.code in _RECOVERABLE for each in builder.findings[known:]):
            yield root
        known = len(builder.findings)


def _is_marker(line: str) -> bool:
    return line.rstrip() == "---" or line.startswith(("--- #", "%YAML"))


def _root(builder: Builder, file: str, lines: tuple[str, ...]) -> Node | None:
    """Return the root node; a syntax error replaces the findings before it, which it may cause."""
    try:
        return builder.root()
    except RefusedError:
        return None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The last two come from PyYAML's own parser, at an escape like "\U00110000".
        builder.findings[:] = [syntax_error(error, lines, file)]
        return None
