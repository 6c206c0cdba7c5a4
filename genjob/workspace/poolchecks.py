"""The node pools of an environment → what is wrong with what they say of their machines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from genjob.catalog.fabrics import FABRICS
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.model.environment import NodePool

_BY_LETTERS = {re.sub(r"[^a-z0-9]", "", name.lower()): name for name in INSTANCE_TYPES}


def pool_problems(pools: Sequence[NodePool]) -> Iterator[Finding]:
    """Yield what is wrong with node pools that are well formed."""
    yield from _twice([pool.name for pool in pools])
    for index, pool in enumerate(pools):
        yield from _misspelled_type(index, pool)
        yield from _fabric_of_another_type(index, pool)


def _twice(pools: list[str]) -> Iterator[Finding]:
    for index, name in enumerate(pools):
        if name in pools[:index]:
            message = f"found a second node pool {quoted(name)}"
            path = ("node_pools", index, "name")
            yield Finding(Code.NAME_TWICE, path, message, "give it another name")


def _misspelled_type(index: int, pool: NodePool) -> Iterator[Finding]:
    """Find an instance type that is a known one but for case and punctuation."""
    name = pool.instance_type or ""
    known = _BY_LETTERS.get(re.sub(r"[^a-z0-9]", "", name.lower()), name)
    if known != name:
        message = f"instance type {quoted(name)} is not known"
        path, hint = ("node_pools", index, "instance_type"), f"did you mean {quoted(known)}?"
        yield Finding(Code.UNKNOWN_INSTANCE_TYPE, path, message, hint, Severity.WARNING)


def _fabric_of_another_type(index: int, pool: NodePool) -> Iterator[Finding]:
    known = INSTANCE_TYPES.get(pool.instance_type or "")
    if known and pool.fabric and not FABRICS[pool.fabric].works_on(known.fabric):
        message = f"found {quoted(pool.fabric)}; machines of type {quoted(known.name)} have "
        message += quoted(known.fabric)
        hint = f"write {known.fabric}, or leave it out"
        path = ("node_pools", index, "fabric")
        yield Finding(Code.FABRIC_NOT_THERE, path, message, hint)
