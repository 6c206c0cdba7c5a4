"""The parser's events → nodes that know their data and their place, and what is refused on the way.

Built from events because only they show anchors and tags, and because they arrive one by one:
nesting is stopped before it can exhaust the stack, and an alias is refused, or expanded within
bounds where the dialect has aliases.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, TypeGuard

from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from genjob.diagnostics import Diagnostic, Location
from genjob.document.aliases import MAX_EXPANDED, Anchors, TooManyError, merge
from genjob.document.dialect import OURS, Dialect
from genjob.document.events import is_empty, is_merge, kind, locate_events, shown
from genjob.document.scalars import Plain
from genjob.document.source import MAX_DEPTH, UNWRITABLE, Code, finding, unwritable_character

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.document.scalars import Raw
    from genjob.jsontypes import Key

MAX_FINDINGS: Final = 100
_NO_ANCHORS: Final = "anchors and aliases are not supported"
_WRITE_OUT: Final = "write the value out, or put it in quotes where it is text"
# What stands before a value, as it was typed: an anchor or a tag.
_TEXT_TAGS: Final = {"!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:binary"}
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
        return is_empty(self.first)


_NO_CHILDREN: Final[dict[Key, Node]] = {}
_NO_KEYS: Final[dict[Key, Event]] = {}
"""Those of all nodes that have none: most of a file are scalars."""


class RefusedError(Exception):
    """Reading stops here; the findings say why."""


def _is_bare(event: Event) -> TypeGuard[ScalarEvent]:
    """Whether an event is a scalar without an anchor or a tag, as most are."""
    return isinstance(event, ScalarEvent) and event.anchor is None and event.tag is None


class Builder:
    """Turns the events of one file into its root node; `findings` grows meanwhile."""

    def __init__(
        self,
        file: str,
        lines: Sequence[str],
        events: Iterator[Event],
        dialect: Dialect = OURS,
    ) -> None:
        self.findings: list[Diagnostic] = []
        self._dialect = dialect
        self._has_aliases = Code.ANCHOR_OR_ALIAS in dialect.tolerated
        self._has_tags = Code.EXPLICIT_TAG in dialect.tolerated
        self._anchors = Anchors()
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

    def roots(self) -> Iterator[Node]:
        """Yield the root of each document that is not empty, of whatever kind; raises as `root`."""
        next(self._events)
        while isinstance(next(self._events), DocumentStartEvent):
            self._anchors = Anchors()
            first = next(self._events)
            root = self._node(first, depth=1)
            next(self._events)
            if not is_empty(first):
                yield root

    def _check_root(self, event: Event) -> None:
        if isinstance(event, MappingStartEvent):
            return
        if is_empty(event):
            self._refuse_empty()
        message = f"found {kind(event)} at the top of the file; expected a mapping"
        self._refuse(Code.ROOT_NOT_MAPPING, event, message, "write 'key: value' lines")

    def _refuse_empty(self) -> NoReturn:
        message = "found nothing in the file; expected a mapping"
        location = Location(self._file)
        self._add(finding(Code.EMPTY_FILE, location, message, "write 'key: value' lines"))
        raise RefusedError

    def _node(self, event: Event, depth: int) -> Node:
        if _is_bare(event) and depth <= MAX_DEPTH:
            return Node(self._scalar(event), event, event, _NO_CHILDREN, _NO_KEYS)
        if depth > MAX_DEPTH:
            message = f"found more than {MAX_DEPTH} levels of nesting"
            self._refuse(Code.TOO_DEEP, event, message)
        if not isinstance(event, ScalarEvent | CollectionStartEvent):
            return self._expanded(event, depth) if self._has_aliases else self._alias(event)
        self._check_properties(event)
        node = self._value(event, depth)
        if event.anchor is not None:
            self._anchors.remember(event.anchor, node)
        return node

    def _value(self, event: CollectionStartEvent | ScalarEvent, depth: int) -> Node:
        if isinstance(event, ScalarEvent):
            return Node(self._scalar(event), event, event, _NO_CHILDREN, _NO_KEYS)
        make = self._mapping if isinstance(event, MappingStartEvent) else self._sequence
        return make(event, depth)

    def _scalar(self, event: ScalarEvent) -> str | Plain:
        if not event.style and event.tag not in _TEXT_TAGS:
            return self._dialect.resolve(event.value)
        is_checked = event.style == '"' and not self._dialect.any_escape
        if is_checked and (bad := UNWRITABLE.search(event.value)):
            self._add(unwritable_character(bad[0], self._span(event)))
        return event.value

    def _expanded(self, event: Event, depth: int) -> Node:
        """Return what an alias stands for, with the alias as its place."""
        name = getattr(event, "anchor", "")
        node = self._anchors.find(name)
        if node is None:
            hint = f"write '&{name}' before the value above it"
            message = f"found the alias '{shown(f'*{name}')}', whose anchor does not end before it"
            self._refuse(Code.ANCHOR_OR_ALIAS, event, message, hint)
        try:
            height = self._anchors.grow(name)
        except TooManyError:
            message = f"found aliases that stand for more than {MAX_EXPANDED} values"
            self._refuse(Code.ANCHOR_OR_ALIAS, event, message, "write the values out")
        if depth + height > MAX_DEPTH:
            self._refuse(Code.TOO_DEEP, event, f"found more than {MAX_DEPTH} levels of nesting")
        return node._replace(first=event, last=event)

    def _alias(self, event: Event) -> Node:
        span = self._span(event)
        text = self._lines[span.line - 1][span.column - 1 : span.end_column - 1]
        if (text, span.line) not in self._aliases:  # once a line: a bomb has thousands
            self._aliases.add((text, span.line))
            message = f"found the alias '{shown(text)}'; {_NO_ANCHORS}"
            self._add(finding(Code.ANCHOR_OR_ALIAS, span, message, _WRITE_OUT))
        return Node("", event, event, _NO_CHILDREN, _NO_KEYS)

    def _sequence(self, first: CollectionStartEvent, depth: int) -> Node:
        items: list[Node] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._node(event, depth + 1))
        return Node([item.raw for item in items], first, event, dict(enumerate(items)), _NO_KEYS)

    def _mapping(self, first: CollectionStartEvent, depth: int) -> Node:
        children: dict[Key, Node] = {}
        keys: dict[Key, Event] = {}
        merged: list[tuple[Event, Node]] = []
        while not isinstance(event := next(self._events), MappingEndEvent):
            before = len(self.findings)
            name = self._key(event, depth)
            value = self._node(next(self._events), depth + 1)
            if is_merge(event):
                if self._has_aliases:
                    merged.append((event, value))
                else:
                    self._report_merge(event, before)
                continue
            if name in keys:
                self._report_duplicate(event, str(name), keys[name])
            if name is not None and self._counts(name, keys):
                children[name], keys[name] = value, event
        for event, value in merged:
            self._merge(event, value, children, keys)
        data = {str(name): child.raw for name, child in children.items()}
        return Node(data, first, event, children, keys)

    def _counts(self, name: str, keys: dict[Key, Event]) -> bool:
        return name not in keys or self._dialect.last_wins

    def _merge(
        self, event: Event, value: Node, children: dict[Key, Node], keys: dict[Key, Event]
    ) -> None:
        if not merge(value, children, keys):
            message = "found a merge key '<<' whose value is no mapping"
            self._report(Code.ANCHOR_OR_ALIAS, event, message, "write the keys out")

    def _key(self, event: Event, depth: int) -> str | None:
        """Return the key as it was typed, or None when it is refused."""
        if _is_bare(event) and depth < MAX_DEPTH:
            raw: Raw = self._scalar(event)
        else:
            raw = self._node(event, depth + 1).raw
        if isinstance(event, AliasEvent) and self._has_aliases and isinstance(raw, str):
            return raw
        if isinstance(event, ScalarEvent) and not isinstance(raw, Plain):
            return event.value
        if isinstance(raw, Plain) and isinstance(event, ScalarEvent) and raw.value is not None:
            return self._dialect.key(raw)
        if not isinstance(event, AliasEvent):
            message = f"found {kind(event)} as a key; expected text"
            self._report(Code.KEY_NOT_TEXT, event, message, "put it in quotes")
        return None

    def _check_properties(self, event: CollectionStartEvent | ScalarEvent) -> None:
        if event.anchor is not None and not self._has_aliases:
            location, text = self._property(event, "&", event.anchor)
            message = f"found the anchor '{shown(text)}'; {_NO_ANCHORS}"
            self._add(finding(Code.ANCHOR_OR_ALIAS, location, message, _WRITE_OUT))
        if event.tag is not None and not self._has_tags:
            location, text = self._property(event, "!", event.tag)
            message = f"found the tag '{shown(text)}'; tags are not supported"
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
        message = f"found the key '{shown(name)}' a second time; the first is on line {line}"
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
