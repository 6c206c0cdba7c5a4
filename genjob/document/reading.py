"""A file of ours → its document, with a place for every key and value, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import yaml

from genjob.diagnostics import Diagnostic, Location, in_order
from genjob.document.errors import syntax_error
from genjob.document.nodes import Builder, Node, RefusedError, locate_events
from genjob.document.source import Code, decode, read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from yaml.events import Event

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
