"""A key of a mapping → the splices that take it out of a text, with the comments that are its own.

Each function yields ways to do it, the best first: before some neighbours the best one would mean
something else, and only reading the result tells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.document.page import Splice, is_flow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.events import Event

    from genjob.document.nodes import Node
    from genjob.document.page import Page

_BLANKS: Final = re.compile(r"[ \t]*(?![ \t]*#)")


class _Entry(NamedTuple):
    """Where a key with its value begins and ends; the one before it ends at `before`.

    `after` is where the next one begins, or the mapping's bracket stands.
    """

    before: int
    start: int
    end: int
    after: int


def removals(page: Page, node: Node, key: Event | None, name: str) -> Iterator[list[Splice]]:
    """Yield ways to remove a key from a mapping, which is the root or stands under `key`."""
    entry = _entry(page, node, name)
    if is_flow(node):
        yield from _removals_in_line(page, node, entry)
    elif len(node.keys) > 1:
        yield from ([lines] for lines in _removals_of_lines(page, entry))
    else:
        yield from _removals_of_the_last(page, node, key, entry)


def _entry(page: Page, node: Node, name: str) -> _Entry:
    names = list(node.keys)
    index = names.index(name)
    before = page.start(node)
    if index > 0:
        before = page.entry_end(node.keys[names[index - 1]], node.children[names[index - 1]])
    start = page.offset(node.keys[name].start_mark)
    explicit = (at for sign, at in page.signs(before, start) if sign == "?")
    end = page.entry_end(node.keys[name], node.children[name])
    after = page.offset(node.last.end_mark) - 1
    if index + 1 < len(names):
        after = page.offset(node.keys[names[index + 1]].start_mark)
    return _Entry(before, next(explicit, start), end, after)


def _removals_of_lines(page: Page, entry: _Entry) -> Iterator[Splice]:
    """Yield ways to remove the lines of a key in block style.

    What follows may be empty lines or comments that would become part of a text before.
    """
    if page.begins_line(entry.start):
        start = page.comments_above(entry.start)
        indent = entry.start - page.line_start(entry.start)
        yield Splice(start, page.comments_below(entry.end, indent))
        yield Splice(start, page.next_content(entry.end))
    else:  # the first key of an item of a list: `- key: value`
        start = len(page.text[: entry.start].rstrip(" "))
        yield Splice(start, page.line_end(entry.end))


def _removals_of_the_last(
    page: Page, node: Node, key: Event | None, entry: _Entry
) -> Iterator[list[Splice]]:
    """Yield ways to leave `{}` where a mapping in block style had one key."""
    colon = page.colon(key, node) if key is not None else None
    if colon is not None and page.line_end(colon) < entry.start:
        empty = Splice(colon, colon, " {}")
        yield from ([empty, lines] for lines in _removals_of_lines(page, entry))
    elif page.begins_line(entry.start):  # the root, or an item on another line than its dash
        indent = page.text[page.line_start(entry.start) : entry.start]
        lines = next(_removals_of_lines(page, entry))
        yield [lines._replace(text=f"{indent}{{}}\n")]
    else:
        yield [Splice(entry.start, entry.end, "{}")]


def _removals_in_line(page: Page, node: Node, entry: _Entry) -> Iterator[list[Splice]]:
    """Yield ways to remove a key from a mapping that is written with commas."""
    comma = _comma(page, entry.end, entry.after)
    end = entry.end if comma is None else comma + 1
    if not page.has_brackets(node):
        yield [Splice(entry.start, entry.end, "{}")]
    elif page.begins_line(entry.start) and page.ends_line(end):
        yield [Splice(page.comments_above(entry.start), page.next_line(end))]
    else:
        yield [_removal_in_line(page, node, entry, comma)]


def _removal_in_line(page: Page, node: Node, entry: _Entry, comma: int | None) -> Splice:
    """Return the removal of a key with the comma behind it, or else with the one before it."""
    start, end = page.start(node), page.offset(node.last.end_mark)
    around = page.text[start + 1 : entry.start] + page.text[entry.end : end - 1]
    if len(node.keys) == 1 and not around.strip(" ,"):
        return Splice(start, end, "{}")
    if comma is not None:
        blanks = _BLANKS.match(page.text, comma + 1)
        return Splice(entry.start, blanks.end() if blanks else comma + 1)
    before = _comma(page, entry.before, entry.start)
    if before is None or "\n" in page.text[before : entry.start]:
        return Splice(entry.start, entry.end)
    return Splice(before, entry.end)


def _comma(page: Page, start: int, end: int) -> int | None:
    return next((at for sign, at in page.signs(start, end) if sign == ","), None)
