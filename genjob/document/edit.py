"""A file that a person wrote and one change of its data → its new text; every other byte stays.

Comments, quotes, order and indentation are the person's. So a file is never written anew from its
data: a part of its text is replaced, and the result is read again and compared with what was
wanted before anyone gets to see it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from genjob.document.page import Page
from genjob.document.reading import read_document
from genjob.document.removing import removals
from genjob.document.scalars import Plain, value_of
from genjob.document.setting import settings
from genjob.jsontypes import dotted
from genjob.yamltext import to_flow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from genjob.document.page import Splice
    from genjob.document.reading import Document
    from genjob.document.scalars import Raw
    from genjob.jsontypes import DocPath, Json


class EditError(Exception):
    """An edit that cannot be made; the message says which one of which file, and why."""


def set_value(document: Document, text: str, path: DocPath, value: Json) -> str:
    """Return the text with a value at a route; parents that are missing are made.

    They are lines of their own below lines, and in one line in a mapping that is in one. A mapping
    or list as value is written in one line. A value that is there already stays as it was typed.

    Raises:
        EditError: when the text is not that of the document; when the route leads through a value
            that is no mapping; when no YAML holds the value; when the edit cannot be made.
    """
    steps = document.steps(path)
    missing = _missing(document, path, len(steps) - 1)
    if not missing and _is_same(steps[-1][0].raw, value):
        return text
    try:
        wanted = _with(document.data, path, _raw(value))
        ways = [*settings(_page(document, text, path), steps, missing, value)]
    except ValueError as error:
        raise _error(document, path, str(error)) from error
    return _edited(document, text, path, ways=ways, wanted=wanted)


def remove(document: Document, text: str, path: DocPath) -> str:
    """Return the text without a key, its value and its comments; a route that is not there is fine.

    Its comments are the one on its line, those on the lines directly above, as far indented as the
    key, and in block style those within and below that are further indented. Where it was the last
    key of a mapping, `{}` is left.

    Raises:
        EditError: when the text is not that of the document; when the route ends in an item of a
            list; when the edit cannot be made.
    """
    if not document.has(path):
        return text
    name = path[-1] if path else None
    if not isinstance(name, str):
        raise _error(document, path, "only a key can be removed")
    node, key = document.steps(path[:-1])[-1]
    ways = removals(_page(document, text, path), node, key, name)
    return _edited(document, text, path, ways=ways, wanted=_with(document.data, path, None))


def _missing(document: Document, path: DocPath, depth: int) -> list[str]:
    """Return the keys of a route that the document does not have, at most to a mapping or null."""
    missing = [key for key in path[depth:] if isinstance(key, str)]
    held = document.steps(path)[-1][0].raw
    is_open = isinstance(held, dict) or (isinstance(held, Plain) and held.value is None)
    if not path or len(missing) < len(path) - depth or (missing and not is_open):
        at = dotted(path[:depth]) or "the file"
        raise _error(document, path, f"'{at}' is not a mapping" if path else "it is the file")
    return missing


def _page(document: Document, text: str, path: DocPath) -> Page:
    page = Page(text)
    if page.text != "\n".join(document.lines):
        raise _error(document, path, "the file was changed meanwhile")
    return page


def _edited(
    document: Document,
    text: str,
    path: DocPath,
    *,
    ways: Iterable[Sequence[Splice]],
    wanted: Raw,
) -> str:
    """Return the first edit that reads as what is wanted, with no finding more than before."""
    page, findings = Page(text), read_document(text.encode(), document.file).diagnostics
    for way in ways:
        edited = page.spliced(way)
        reading = read_document(edited.encode(), document.file)
        known = len(reading.diagnostics) <= len(findings)
        if known and reading.document is not None and reading.document.data == wanted:
            return edited
    raise _error(document, path, "it cannot be done without touching what is around it")


def _error(document: Document, path: DocPath, reason: str) -> EditError:
    return EditError(f"cannot edit '{dotted(path)}' of {document.file}: {reason}")


def _is_same(raw: Raw, value: Json) -> bool:
    """Return whether data is a value, type by type: 1 is neither 1.0 nor true."""
    left, right = (json.dumps(each, sort_keys=True) for each in (value_of(raw), value))
    return left == right


def _with(raw: Raw, path: DocPath, new: Raw | None) -> Raw:
    """Return data with another value at a route, or without it."""
    if not path:
        return "" if new is None else new
    head, rest = path[0], path[1:]
    if isinstance(raw, list):
        return [_with(item, rest, new) if index == head else item for index, item in enumerate(raw)]
    mapping = raw if isinstance(raw, dict) else {}
    if new is None and not rest:
        return {key: below for key, below in mapping.items() if key != head}
    return {**mapping, str(head): _with(mapping.get(str(head), {}), rest, new)}


def _raw(value: Json) -> Raw:
    """Return a value as it will be read from the text that is written for it."""
    if isinstance(value, dict):
        return {key: _raw(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_raw(below) for below in value]
    return value if isinstance(value, str) else Plain(value, to_flow(value))
