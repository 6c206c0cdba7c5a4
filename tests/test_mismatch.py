"""Two sets of objects: every difference, and nothing that is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.kustomize.mismatch import same_objects

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject


def config(name: str = "c", **spec: Json) -> JsonObject:
    """Return an object in a namespace."""
    metadata: JsonObject = {"name": name, "namespace": "ml-prod"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "spec": spec}


def said(built: list[JsonObject], wanted: list[JsonObject]) -> list[str]:
    """Return the differences as `verify` prints them."""
    return [str(mismatch) for mismatch in same_objects(built, wanted)]


def test_the_order_of_objects_and_keys_means_nothing() -> None:
    one, other = config("a", x=1, y=2), config("b")

    assert not said([one, other], [other, config("a", y=2, x=1)])


def test_a_value_of_another_type_is_a_difference() -> None:
    assert said([config(env=[{"value": 1e-4}])], [config(env=[{"value": "1e-4"}])]) == [
        "ConfigMap 'ml-prod/c' at spec.env[0].value: built 0.0001, wanted \"1e-4\""
    ]


def test_true_is_not_one() -> None:
    assert said([config(x=True)], [config(x=1)]) == [
        "ConfigMap 'ml-prod/c' at spec.x: built true, wanted 1"
    ]


def test_every_difference_is_told() -> None:
    assert said([config(b=None, l=[1], m={})], [config(a=1, l=[1, 2], m=[])]) == [
        "ConfigMap 'ml-prod/c' at spec.a: built nothing, wanted 1",
        "ConfigMap 'ml-prod/c' at spec.b: built null, wanted nothing",
        "ConfigMap 'ml-prod/c' at spec.l: built [1], wanted [1, 2]",
        "ConfigMap 'ml-prod/c' at spec.m: built {}, wanted []",
    ]


def test_missing_and_additional_objects_are_told() -> None:
    assert said([config("a")], [config("b")]) == [
        "ConfigMap 'ml-prod/a': built an object, wanted nothing",
        "ConfigMap 'ml-prod/b': built nothing, wanted an object",
    ]


def test_an_object_that_is_there_twice_is_told() -> None:
    assert said([config(), config()], [config()]) == [
        "ConfigMap 'ml-prod/c': built 2 of them, wanted 1 of them"
    ]
    assert said([config()], [config(), config()]) == [
        "ConfigMap 'ml-prod/c': built 1 of them, wanted 2 of them"
    ]


def test_what_kustomize_drops_is_no_difference() -> None:
    wanted = config(x=1.0)
    wanted["metadata"] = {"name": "c", "namespace": "ml-prod", "annotations": {}}

    assert not said([config(x=1)], [wanted])


def test_an_object_without_metadata_is_still_told() -> None:
    assert said([{"kind": "Job", "metadata": 1}], []) == ["Job '': built an object, wanted nothing"]
