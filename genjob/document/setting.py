"""A value and its route → the splices that put it into a text, in the style of what is around it.

Each function yields ways to do it, the best first: after some neighbours the best one would mean
something else, and only reading the result tells.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from genjob.document.page import Splice, column, is_block, is_empty, is_flow
from genjob.document.scalars import Plain
from genjob.yamltext import to_flow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yaml.events import Event

    from genjob.document.nodes import Node
    from genjob.document.page import Page
    from genjob.jsontypes import Json

_USUAL_STEP: Final = 2


def settings(
    page: Page, steps: Sequence[tuple[Node, Event | None]], missing: Sequence[str], value: Json
) -> Iterator[list[Splice]]:
    """Yield ways to set a value below the last of the steps, by the keys that are missing there.

    Without missing keys the value takes the place of the last step, which otherwise is a mapping
    or null.
    """
    node, key = steps[-1]
    if missing and node.children:
        yield from _additions(page, steps, missing, value)
        return
    if missing and key is not None and isinstance(node.raw, Plain):
        yield from _fillings(page, steps, missing, value)
    start = page.start(node) + 1
    if missing and is_flow(node) and "#" in page.text[start : page.end(node)]:
        yield [Splice(start, start, to_flow(_nested(missing, value))[1:-1])]
    yield from _replacements(page, node, key, to_flow(_nested(missing, value)))


def _nested(keys: Sequence[str], value: Json) -> Json:
    for key in reversed(keys):
        value = {key: value}
    return value


def _replacements(page: Page, node: Node, key: Event | None, new: str) -> Iterator[list[Splice]]:
    """Yield ways to write a value on one line where another one is."""
    start, end = page.start(node), page.end(node)
    colon = page.colon(key, node) if key is not None else start
    if colon is None and key is not None:
        yield from _first_values(page, key, new)
    elif is_empty(node):
        at = start if colon is None else colon
        yield [Splice(at, at, f" {new}")]
    elif colon is not None and is_block(node) and page.line_end(colon) < start:
        lines = Splice(page.line_end(colon), page.line_end(end))
        yield [Splice(colon, colon, f" {new}"), lines]
    else:
        yield [Splice(start, end, f" {new}" if page.text[start - 1] == ":" else new)]


def _first_values(page: Page, key: Event, new: str) -> Iterator[list[Splice]]:
    """Yield ways to give a value to a key without a colon: `{key}`, or `? key` on its line."""
    end = page.offset(key.end_mark)
    yield [Splice(end, end, f": {new}")]
    line_end = page.line_end(end)
    mark = page.text.rfind("?", 0, page.offset(key.start_mark))
    yield [Splice(line_end, line_end, f"\n{' ' * (mark - page.line_start(mark))}: {new}")]


def _fillings(
    page: Page, steps: Sequence[tuple[Node, Event | None]], missing: Sequence[str], value: Json
) -> Iterator[list[Splice]]:
    """Yield the way to make lines of keys below a key whose value is null."""
    (parent, _), (node, key) = steps[-2:]
    colon = page.colon(key, node) if key is not None else None
    end = page.end(node)
    if not is_block(parent) or colon is None or page.line_end(colon) < end:
        return
    step = _step(parent, steps[0][0])
    lines = _lines(missing, value, column(parent) + step, step)
    at = page.line_end(colon)
    yield [Splice(colon, max(colon, end)), Splice(at, at, "".join(f"\n{line}" for line in lines))]


def _additions(
    page: Page, steps: Sequence[tuple[Node, Event | None]], missing: Sequence[str], value: Json
) -> Iterator[list[Splice]]:
    """Yield ways to add a key to a mapping that has some: as the last one, or else the first."""
    node, root = steps[-1][0], steps[0][0]
    if is_flow(node):
        new = to_flow(_nested(missing, value))[1:-1]
        yield from _additions_in_line(page, node, new)
        return
    lines = _lines(missing, value, column(node), _step(node, root))
    start, end = page.start(node), page.line_end(page.end(node))
    yield [Splice(end, end, "".join(f"\n{line}" for line in lines))]
    indented = "\n".join([*lines, " " * column(node)])
    yield [Splice(start, start, indented.lstrip(" "))]


def _additions_in_line(page: Page, node: Node, new: str) -> Iterator[list[Splice]]:
    """Yield ways to add a key to a mapping that is written with commas."""
    if not page.has_brackets(node):
        start, end = page.start(node), page.end(node)
        yield [Splice(start, start, "{"), Splice(end, end, f", {new}}}")]
        return
    name, last = next(reversed(node.children.items()))
    key, close = node.keys[name], page.offset(node.last.end_mark) - 1
    end = page.entry_end(key, last)
    comma = next((at + 1 for sign, at in page.signs(end, close) if sign == ","), None)
    start, line_end = page.offset(key.start_mark), page.line_end(comma or end)
    if page.begins_line(start) and line_end < close:
        line = f"\n{page.text[page.line_start(start) : start]}{new}{',' if comma else ''}"
        yield [Splice(end, end, "" if comma else ","), Splice(line_end, line_end, line)]
    if comma is not None:
        yield [Splice(comma, comma, f" {new}")]
    else:
        yield [Splice(end, end, f" , {new}" if is_empty(last) else f", {new}")]


def _lines(keys: Sequence[str], value: Json, indent: int, step: int) -> list[str]:
    """Return the lines of keys, each one below the one before, and of the value of the last."""
    heads = [f"{' ' * (indent + step * depth)}{to_flow(key)}:" for depth, key in enumerate(keys)]
    return [*heads[:-1], f"{heads[-1]} {to_flow(value)}"]


def _step(parent: Node, root: Node) -> int:
    """Return by how many blanks the keys below a key are indented, as its neighbours have it."""
    return next(chain(_steps(parent), _steps(root)), _USUAL_STEP)


def _steps(node: Node) -> Iterator[int]:
    for key, child in node.children.items():
        if is_block(node) and is_block(child) and key in node.keys and child.keys:
            yield column(child) - column(node)
        yield from _steps(child)
