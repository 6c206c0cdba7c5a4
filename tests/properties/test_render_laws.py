"""Laws of rendering: the same bytes whatever the order, and an overlay builds to what is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from genjob.kustomize.mismatch import same_objects
from genjob.kustomize.rebuild import base_objects, expected
from genjob.yamltext import to_yaml
from tests.experiments_strategy import environments, experiments
from tests.rendered_experiment import objects, rendered

if TYPE_CHECKING:
    import random

    from genjob.jsontypes import Json, JsonObject

SHUFFLES = st.randoms(use_true_random=False)


def shuffled(value: Json, chance: random.Random) -> Json:
    """Return a value whose mappings, at every depth, have their keys in another order."""
    if isinstance(value, dict):
        keys = chance.sample([*value], len(value))
        return {key: shuffled(value[key], chance) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    return value


def shuffled_object(content: JsonObject, chance: random.Random) -> JsonObject:
    """Return a document with its keys in another order."""
    other = shuffled(content, chance)
    assert isinstance(other, dict)
    return other


@given(experiments(), environments(), SHUFFLES)
def test_the_order_of_keys_never_changes_the_output(
    experiment: JsonObject, environment: JsonObject, chance: random.Random
) -> None:
    others = [shuffled_object(each, chance) for each in (experiment, environment)]

    assert rendered(experiment, environment) == rendered(*others)


@given(experiments(), environments())
def test_rendering_twice_gives_the_same_bytes(
    experiment: JsonObject, environment: JsonObject
) -> None:
    assert rendered(experiment, environment) == rendered(experiment, environment)


@given(experiments(), environments())
def test_an_overlay_builds_to_the_full_objects(
    experiment: JsonObject, environment: JsonObject
) -> None:
    base, overlay = rendered(experiment, environment)
    texts = to_yaml(experiment), to_yaml(environment)

    assert not same_objects(expected(base, overlay), [m.body for m in objects(*texts)])
    assert not same_objects(base_objects(base), [m.body for m in objects(texts[0], None)])
