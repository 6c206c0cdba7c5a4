"""An event of the YAML parser → its place, and what it is in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from yaml.events import AliasEvent, Event, MappingStartEvent, ScalarEvent, SequenceStartEvent

from genjob.diagnostics import Location
from genjob.document.scalars import Plain, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yaml import _yaml
    from yaml.error import Mark

    _Mark = Mark | _yaml.Mark

_SHOWN_LENGTH: Final = 60


def locate_events(file: str, lines: Sequence[str], first: Event, last: Event) -> Location:
    """Return the span between two events on its first line; of an empty value, what precedes it."""
    line, column = _position(first.start_mark)
    end_line, end_column = _position(last.end_mark)
    if (line, column) == (end_line, end_column):
        column = max(column - 1, 0)
    if line != end_line:
        end_column = len(lines[line].rstrip())
    return Location(file, line + 1, column + 1, max(end_column, column + 1) + 1)


def shown(text: str) -> str:
    """Return a text as messages show it: a long one cut."""
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def _position(mark: _Mark | None) -> tuple[int, int]:
    return (mark.line, mark.column) if mark else (0, 0)


def is_merge(event: Event) -> bool:
    """Return whether a key is the merge key `<<`."""
    return isinstance(event, ScalarEvent) and event.value == "<<" and not event.style


def is_empty(event: Event) -> bool:
    """Return whether a value is nothing at all, not even a word or quotes."""
    return isinstance(event, ScalarEvent) and not (event.value or event.style)


def is_null(event: Event) -> bool:
    """Return whether a value is null, by a word or by being empty."""
    if not isinstance(event, ScalarEvent) or event.style:
        return False
    return resolve(event.value) == Plain(None, event.value)


def kind(event: Event) -> str:
    """Return what messages call a value."""
    kinds = {MappingStartEvent: "a mapping", SequenceStartEvent: "a list", AliasEvent: "an alias"}
    return kinds.get(type(event), "null" if is_null(event) else "text")
