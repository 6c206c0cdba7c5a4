"""Names → values, some of which are made when they are asked for, and made again when need be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

MOST = 256
"""Values that are kept of those that can be made again: a document takes 140 KiB."""

Value = TypeVar("Value")


class Deferred(Mapping[str, Value]):
    """A mapping in which a value may stand as the function that makes it."""

    def __init__(self) -> None:
        self._kept: dict[str, Value] = {}
        self._recent: dict[str, Value] = {}
        self._later: dict[str, Callable[[], Value]] = {}

    def keep(self, name: str, value: Value) -> None:
        """Add a value."""
        self._kept[name] = value

    def defer(self, name: str, make: Callable[[], Value], *made: Value) -> None:
        """Add a value that can be made; it may have been made already."""
        self._later[name] = make
        for value in made:
            self._note(name, value)

    def _note(self, name: str, value: Value) -> None:
        self._recent[name] = value
        if len(self._recent) > MOST:
            del self._recent[next(iter(self._recent))]

    def __getitem__(self, name: str) -> Value:
        if name in self._kept:
            return self._kept[name]
        if name not in self._recent:
            self._note(name, self._later[name]())
        return self._recent[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._kept, *self._later}))

    def __len__(self) -> int:
        return len({*self._kept, *self._later})

    def __contains__(self, name: object) -> bool:
        return name in self._kept or name in self._later
