"""A kind of file → what it may hold, and how its plain words read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.document.scalars import resolve, resolve_as_kubectl
from genjob.document.source import MAX_BYTES, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.document.scalars import Plain


def _as_typed(key: Plain) -> str:
    return key.text


def _as_value(key: Plain) -> str:
    return str(key.value).lower()


@dataclass(frozen=True, slots=True)
class Dialect:
    """How files of a kind are read; what is `tolerated` has no finding.

    Tolerated aliases and merge keys stand for what their anchors hold, and tolerated tags make
    text of a word. Of a key that is there twice, the first counts, or with `last_wins` the last.
    `key` makes the text of a key that is a number or a boolean. With `any_escape`, text in double
    quotes may hold what Kustomize cannot write.
    """

    resolve: Callable[[str], str | Plain]
    max_bytes: int
    tolerated: frozenset[Code] = frozenset()
    last_wins: bool = False
    any_escape: bool = False
    key: Callable[[Plain], str] = _as_typed


OURS: Final = Dialect(resolve, MAX_BYTES)
"""What people write for us: nothing in it that a reviewer could overlook."""

MANIFESTS: Final = Dialect(
    resolve_as_kubectl,
    16 * MAX_BYTES,
    frozenset(
        {
            Code.BYTE_ORDER_MARK,
            Code.CARRIAGE_RETURN,
            Code.ANCHOR_OR_ALIAS,
            Code.EXPLICIT_TAG,
        }
    ),
    last_wins=True,
    any_escape=True,
    key=_as_value,
)
"""Manifests as people and programs write them: all that kubectl takes, read as kubectl does."""
