"""The text of a document → where its nodes begin and end in it, and the text with parts replaced.

The parser's marks are not enough: that of a block mapping's end stands behind the comments that
follow it, and no mark says where a colon or a comma is. What stands between two nodes is blanks,
comments and signs alone, so those are looked up in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from yaml.events import CollectionStartEvent, Event, ScalarEvent

from genjob.document.source import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yaml import _yaml
    from yaml.error import Mark

    from genjob.document.nodes import Node

_LINE_END: Final = re.compile("\r\n|\r|\n")
_COMMENT_OR_SIGN: Final = re.compile(r"#[^\n]*|[^\s#]")
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_EMPTY_LINES: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*(?:[ \t]*#[^\n]*\Z)?")
_KEEPS_ITS_END: Final = re.compile(r"[|>][0-9]?\+")


class Splice(NamedTuple):
    """A part of a text, from `start` to before `end`, and what shall stand there."""

    start: int
    end: int
    text: str = ""


class Page:
    r"""A text in which nodes are looked up; offsets count characters of `text`.

    `text` is what the parser saw: lines that end in `\n`, no byte order mark.
    """

    def __init__(self, typed: str) -> None:
        self._typed = typed
        self.text = _LINE_END.sub("\n", typed.removeprefix(BYTE_ORDER_MARK))
        self._starts = _line_starts(self.text, 0)

    def spliced(self, splices: Iterable[Splice]) -> str:
        """Return the text as it was typed, byte order mark and line ends too, with other parts."""
        typed_starts = _line_starts(self._typed, self._typed.startswith(BYTE_ORDER_MARK))
        line_end = found[0] if (found := _LINE_END.search(self._typed)) else "\n"
        pieces, done = [], 0
        for splice in sorted(splices, key=lambda each: each[:2]):
            start, end = (self._typed_at(at, typed_starts) for at in splice[:2])
            pieces += [self._typed[done:start], splice.text.replace("\n", line_end)]
            done = end
        return "".join([*pieces, self._typed[done:]])

    def _typed_at(self, offset: int, typed_starts: list[int]) -> int:
        line = bisect_right(self._starts, offset) - 1
        return typed_starts[line] + offset - self._starts[line]

    def offset(self, mark: Mark | _yaml.Mark | None) -> int:
        """Return where a mark of the parser stands; libyaml's last one may be past the end."""
        if mark is None or mark.line >= len(self._starts):
            return len(self.text)
        return self._starts[mark.line] + mark.column

    def start(self, node: Node) -> int:
        """Return where a node begins."""
        return self.offset(node.first.start_mark)

    def end(self, node: Node) -> int:
        """Return where the last thing of a node ends, before the comments that follow it."""
        if isinstance(node.first, ScalarEvent) and node.first.style in {"|", ">"}:
            return self._block_scalar_end(node)
        if node.children and not self.has_brackets(node):
            name, last = next(reversed(node.children.items()))
            key = node.keys.get(name)
            return self.end(last) if key is None else self.entry_end(key, last)
        return self.offset(node.last.end_mark)

    def _block_scalar_end(self, node: Node) -> int:
        """Return the end of the last line; empty lines behind it count where they are kept."""
        start = self.start(node)
        text = self.text[start : self.offset(node.last.end_mark)]
        kept = _KEEPS_ITS_END.match(text) is not None
        return start + len(text.removesuffix("\n") if kept else text.rstrip("\n"))

    def has_brackets(self, node: Node) -> bool:
        """Return whether a collection stands in brackets: `[a: 1]` holds a mapping that does not.

        An empty collection always does.
        """
        return is_flow(node) and self.text[self.start(node)] in "[{"

    def colon(self, key: Event, value: Node) -> int | None:
        """Return where the value of a key may begin, behind the colon; `? key` may have none."""
        signs = self.signs(self.offset(key.end_mark), self.start(value))
        return next((at + 1 for sign, at in signs if sign == ":"), None)

    def entry_end(self, key: Event, value: Node) -> int:
        """Return where a key with its value ends."""
        if is_empty(value):
            return self.colon(key, value) or self.offset(key.end_mark)
        return self.end(value)

    def signs(self, start: int, end: int) -> Iterator[tuple[str, int]]:
        """Return the characters between two nodes that are neither blank nor in a comment."""
        for found in _COMMENT_OR_SIGN.finditer(self.text, start, end):
            if not found[0].startswith("#"):
                yield found[0], found.start()

    def line_start(self, offset: int) -> int:
        """Return where the line of an offset begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Return where the line of an offset ends, before its line feed."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def next_line(self, offset: int) -> int:
        """Return where the line after that of an offset begins, or the end of the text."""
        return min(self.line_end(offset) + 1, len(self.text))

    def next_content(self, offset: int) -> int:
        """Return where the next line begins that is neither empty nor a comment."""
        found = _EMPTY_LINES.match(self.text, self.next_line(offset))
        return found.end() if found else self.next_line(offset)

    def begins_line(self, offset: int) -> bool:
        """Return whether nothing but blanks stands before an offset on its line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def ends_line(self, offset: int) -> bool:
        """Return whether nothing but blanks or a comment stands behind an offset on its line."""
        return _REST_OF_LINE.match(self.text, offset) is not None

    def comments_below(self, offset: int, indent: int) -> int:
        """Return where the comment lines end that follow and are further indented than a key."""
        lines = re.compile(rf"(?:(?:[ \t]*\n)*[ ]{{{indent + 1},}}#[^\n]*(?:\n|\Z))*")
        found = lines.match(self.text, self.next_line(offset))
        return found.end() if found else self.next_line(offset)

    def comments_above(self, offset: int) -> int:
        """Return where the comment lines directly above begin, at the indentation of an offset."""
        start = self.line_start(offset)
        comment = " " * (offset - start) + "#"
        while start and self.text.startswith(comment, self.line_start(start - 1)):
            start = self.line_start(start - 1)
        return start


def is_block(node: Node) -> bool:
    """Return whether a node is a mapping or a list on lines of its own."""
    return isinstance(node.first, CollectionStartEvent) and not node.first.flow_style


def is_flow(node: Node) -> bool:
    """Return whether a node is a mapping or a list on one level with brackets and commas."""
    return isinstance(node.first, CollectionStartEvent) and bool(node.first.flow_style)


def is_empty(node: Node) -> bool:
    """Return whether a node is a value of which nothing was typed."""
    return node.is_spread and not is_block(node)


def column(node: Node) -> int:
    """Return the indentation of the keys of a block mapping."""
    return node.first.start_mark.column if node.first.start_mark else 0


def _line_starts(text: str, first: int) -> list[int]:
    return [first, *(found.end() for found in _LINE_END.finditer(text))]
