"""The parser's events → nodes that know their data and their place, and what is refused on the way.

Built from events because only they show anchors and tags, and because they arrive one by one:
nesting is stopped before it can exhaust the stack, and an alias is refused, never expanded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from genjob.diagnostics import Diagnostic, Location
from genjob.document.scalars import Plain, Raw, resolve
from genjob.document.source import MAX_DEPTH, UNWRITABLE, Code, finding, unwritable_character

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yaml import _yaml
    from yaml.error import Mark

    from genjob.jsontypes import Key

    _Mark = Mark | _yaml.Mark

MAX_FINDINGS: Final = 100
_SHOWN_LENGTH: Final = 60
_NO_ANCHORS: Final = "anchors and aliases are not supported"
_WRITE_OUT: Final = "write the value out, or put it in quotes where it is text"
# What stands before a value, as it was typed: an anchor or a tag.
_PROPERTIES: Final = {sign: re.compile(rf"{sign}[^\s,\[\]{{}}]*") for sign in "&!"}


class Node(NamedTuple):
    """A value between its first and its last event; `keys` holds the events of mapping keys."""

    raw: Raw
    first: Event
    last: Event
    children: dict[Key, Node]
    keys: dict[Key, Event]

    @property
    def is_spread(self) -> bool:
        """Whether it has no first line of its own: a block mapping or list, or an empty value."""
        if isinstance(self.first, CollectionStartEvent):
            return not self.first.flow_style
        return _is_empty(self.first)


class RefusedError(Exception):
    """Reading stops here; the findings say why."""


class Builder:
    """Turns the events of one file into its root node; `findings` grows meanwhile."""

    def __init__(self, file: str, lines: Sequence[str], events: Iterator[Event]) -> None:
        self.findings: list[Diagnostic] = []
        self._aliases: set[tuple[str, int]] = set()
        self._file = file
        self._lines = lines
        self._events = events

    def root(self) -> Node:
        """Return the root, a mapping.

        Raises `RefusedError` where going on makes no sense, and `yaml.YAMLError` from the parser.
        """
        next(self._events)
        if isinstance(next(self._events), StreamEndEvent):
            self._refuse_empty()
        first = next(self._events)
        self._check_root(first)
        root = self._node(first, depth=1)
        next(self._events)
        if isinstance(second := next(self._events), DocumentStartEvent):
            message = "found a second document in the file"
            self._refuse(Code.SEVERAL_DOCUMENTS, second, message, "keep one document a file")
        return root

    def _check_root(self, event: Event) -> None:
        if isinstance(event, MappingStartEvent):
            return
        if _is_empty(event):
            self._refuse_empty()
        message = f"found {_kind(event)} at the top of the file; expected a mapping"
        self._refuse(Code.ROOT_NOT_MAPPING, event, message, "write 'key: value' lines")

    def _refuse_empty(self) -> NoReturn:
        message = "found nothing in the file; expected a mapping"
        location = Location(self._file)
        self._add(finding(Code.EMPTY_FILE, location, message, "write 'key: value' lines"))
        raise RefusedError

    def _node(self, event: Event, depth: int) -> Node:
        if depth > MAX_DEPTH:
            message = f"found more than {MAX_DEPTH} levels of nesting"
            self._refuse(Code.TOO_DEEP, event, message)
        if isinstance(event, ScalarEvent | CollectionStartEvent):
            self._check_properties(event)
        if isinstance(event, ScalarEvent):
            return Node(self._scalar(event), event, event, {}, {})
        if isinstance(event, MappingStartEvent):
            return self._mapping(event, depth)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event, depth)
        return self._alias(event)

    def _scalar(self, event: ScalarEvent) -> str | Plain:
        if not event.style:
            return resolve(event.value)
        if event.style == '"' and (bad := UNWRITABLE.search(event.value)):
            self._add(unwritable_character(bad[0], self._span(event)))
        return event.value

    def _alias(self, event: Event) -> Node:
        span = self._span(event)
        text = self._lines[span.line - 1][span.column - 1 : span.end_column - 1]
        if (text, span.line) not in self._aliases:  # once a line: a bomb has thousands
            self._aliases.add((text, span.line))
            message = f"found the alias '{_shown(text)}'; {_NO_ANCHORS}"
            self._add(finding(Code.ANCHOR_OR_ALIAS, span, message, _WRITE_OUT))
        return Node("", event, event, {}, {})

    def _sequence(self, first: SequenceStartEvent, depth: int) -> Node:
        items: list[Node] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._node(event, depth + 1))
        return Node([item.raw for item in items], first, event, dict(enumerate(items)), {})

    def _mapping(self, first: MappingStartEvent, depth: int) -> Node:
        children: dict[Key, Node] = {}
        keys: dict[Key, Event] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            before = len(self.findings)
            name = self._key(event, depth)
            value = self._node(next(self._events), depth + 1)
            if _is_merge(event):
                self._report_merge(event, before)
            elif name in keys:
                self._report_duplicate(event, str(name), keys[name])
            elif name is not None:
                children[name], keys[name] = value, event
        data = {str(name): child.raw for name, child in children.items()}
        return Node(data, first, event, children, keys)

    def _key(self, event: Event, depth: int) -> str | None:
        """Return the key as it was typed, or None when it is refused."""
        self._node(event, depth + 1)
        if isinstance(event, ScalarEvent) and not _is_null(event):
            return event.value
        if not isinstance(event, AliasEvent):
            message = f"found {_kind(event)} as a key; expected text"
            self._report(Code.KEY_NOT_TEXT, event, message, "put it in quotes")
        return None

    def _check_properties(self, event: CollectionStartEvent | ScalarEvent) -> None:
        if event.anchor is not None:
            location, text = self._property(event, "&", event.anchor)
            message = f"found the anchor '{_shown(text)}'; {_NO_ANCHORS}"
            self._add(finding(Code.ANCHOR_OR_ALIAS, location, message, _WRITE_OUT))
        if event.tag is not None:
            location, text = self._property(event, "!", event.tag)
            message = f"found the tag '{_shown(text)}'; tags are not supported"
            hint = "remove it; quotes around a value make it text"
            self._add(finding(Code.EXPLICIT_TAG, location, message, hint))

    def _property(self, event: Event, sign: str, name: str) -> tuple[Location, str]:
        """Return where an anchor or a tag stands, and how it was typed."""
        whole = self._span(event)
        match = _PROPERTIES[sign].search(self._lines[whole.line - 1], whole.column - 1)
        if match is None:  # on a later line than the value's first property
            return whole, name
        column, end_column = match.start() + 1, match.end() + 1
        return Location(self._file, whole.line, column, end_column), match[0]

    def _report_merge(self, event: Event, findings_before: int) -> None:
        """Report a merge key, unless the alias that is its value was reported."""
        if len(self.findings) == findings_before:
            message = f"found the merge key '<<'; {_NO_ANCHORS}"
            self._report(Code.ANCHOR_OR_ALIAS, event, message, "write the keys out")

    def _report_duplicate(self, event: Event, name: str, first: Event) -> None:
        line = self._span(first).line
        message = f"found the key '{_shown(name)}' a second time; the first is on line {line}"
        self._report(Code.DUPLICATE_KEY, event, message, "keep one of the two")

    def _refuse(self, code: Code, event: Event, message: str, hint: str = "") -> NoReturn:
        self._report(code, event, message, hint)
        raise RefusedError

    def _report(self, code: Code, event: Event, message: str, hint: str) -> None:
        self._add(finding(code, self._span(event), message, hint))

    def _add(self, diagnostic: Diagnostic) -> None:
        """Keep a finding; raises `RefusedError` when there are more than a person would read."""
        self.findings.append(diagnostic)
        if len(self.findings) >= MAX_FINDINGS:
            raise RefusedError

    def _span(self, event: Event) -> Location:
        return locate_events(self._file, self._lines, event, event)


def locate_events(file: str, lines: Sequence[str], first: Event, last: Event) -> Location:
    """Return the span between two events on its first line; of an empty value, what precedes it."""
    line, column = _position(first.start_mark)
    end_line, end_column = _position(last.end_mark)
    if (line, column) == (end_line, end_column):
        column = max(column - 1, 0)
    if line != end_line:
        end_column = len(lines[line].rstrip())
    return Location(file, line + 1, column + 1, max(end_column, column + 1) + 1)


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def _position(mark: _Mark | None) -> tuple[int, int]:
    return (mark.line, mark.column) if mark else (0, 0)


def _is_merge(event: Event) -> bool:
    return isinstance(event, ScalarEvent) and event.value == "<<" and not event.style


def _is_empty(event: Event) -> bool:
    return isinstance(event, ScalarEvent) and not (event.value or event.style)


def _is_null(event: Event) -> bool:
    if not isinstance(event, ScalarEvent) or event.style:
        return False
    return resolve(event.value) == Plain(None, event.value)


def _kind(event: Event) -> str:
    kinds = {MappingStartEvent: "a mapping", SequenceStartEvent: "a list", AliasEvent: "an alias"}
    return kinds.get(type(event), "null" if _is_null(event) else "text")
