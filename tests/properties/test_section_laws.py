"""Two roles as sections, laid over what they share, are the two roles again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from genjob.importing.sections import sections
from genjob.resolve.layers import Layer
from genjob.resolve.merge import combine
from tests.experiments_strategy import pods

if TYPE_CHECKING:
    from genjob.document import Raw
    from genjob.jsontypes import JsonObject


def laid(low: JsonObject, high: JsonObject) -> Raw:
    return combine(Layer.of_values("", low).tree, Layer.of_values("", high).tree)


def told(tree: Raw) -> Raw:
    """Return a tree without the order of storage, which means nothing."""
    if isinstance(tree, dict) and isinstance(stored := tree.get("storage"), list):
        return {**tree, "storage": sorted(stored, key=repr)}
    return tree


@given(pods(), pods())
def test_sections_give_the_roles_back(worker: JsonObject, master: JsonObject) -> None:
    shared, of_worker, of_master = sections(worker, master)

    assert told(laid(shared, of_worker)) == told(Layer.of_values("", worker).tree)
    assert told(laid(shared, of_master)) == told(Layer.of_values("", master).tree)


@given(pods())
def test_equal_roles_have_no_sections(role: JsonObject) -> None:
    assert (role, {}, {}) == sections(role, role)
