"""The model builds what we write, and refuses what Kustomize refuses or we never write."""

from __future__ import annotations

import pytest

from genjob.kustomize.rebuild import RebuildError, base_objects, expected

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  k: v\n"
BASE = {"kustomization.yaml": "resources:\n- c.yaml\n", "c.yaml": CONFIG}
OVERLAY = {"kustomization.yaml": 'namespace: ns\nresources:\n- "../../../bases/x"\n'}
PATCHED = OVERLAY["kustomization.yaml"] + "patches:\n- path: p.yaml\n"
TARGETED = f"{PATCHED}  target:\n    kind: ConfigMap\n    version: v1\n    name: c\n"
STEP = "- op: test\n  path: /data/k\n  value: other\n"
DELETE = "$patch: delete\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\n"


def test_the_namespace_of_the_overlay_reaches_every_object() -> None:
    found = expected(BASE, OVERLAY)

    assert [body["metadata"] for body in found] == [{"name": "c", "namespace": "ns"}]


def test_a_base_alone_has_no_namespace() -> None:
    assert [body["metadata"] for body in base_objects(BASE)] == [{"name": "c"}]


def test_an_overlay_without_a_namespace_sets_none() -> None:
    overlay = {"kustomization.yaml": 'resources:\n- "../../../bases/x"\n'}

    assert base_objects(BASE) == expected(BASE, overlay)


def test_a_patch_whose_target_is_not_there_changes_nothing() -> None:
    """As in Kustomize, which passes over it without a word."""
    overlay = {"kustomization.yaml": TARGETED.replace("name: c", "name: d"), "p.yaml": STEP}

    assert expected(BASE, OVERLAY) == expected(BASE, overlay)


@pytest.mark.parametrize(
    ("overlay", "complaint"),
    [
        ({}, "kustomization.yaml is missing"),
        ({"kustomization.yaml": "a: ["}, "kustomization.yaml: while parsing"),
        ({"kustomization.yaml": ""}, "kustomization.yaml holds 0 documents, not one"),
        ({"kustomization.yaml": "- a"}, "kustomization.yaml is not a mapping"),
        ({"kustomization.yaml": "resources: a"}, "resources is not a list"),
        ({"kustomization.yaml": "images: []"}, "has 'images', which genjob never writes"),
        ({"kustomization.yaml": "resources:\n- c.yaml\n- c.yaml\n", "c.yaml": CONFIG}, "twice"),
        ({"kustomization.yaml": PATCHED}, "p.yaml is missing"),
        ({"kustomization.yaml": PATCHED, "p.yaml": STEP}, "the target of p.yaml is not a mapping"),
        ({"kustomization.yaml": PATCHED, "p.yaml": CONFIG}, "strategic merge patch"),
        ({"kustomization.yaml": TARGETED, "p.yaml": "a"}, "p.yaml is not a list"),
        ({"kustomization.yaml": TARGETED, "p.yaml": STEP}, "test '/data/k': expected 'other'"),
        (
            {"kustomization.yaml": PATCHED, "p.yaml": DELETE.format("gone")},
            "p.yaml deletes ConfigMap 'gone', which the base does not have",
        ),
    ],
)
def test_what_cannot_be_built_says_why(overlay: dict[str, str], complaint: str) -> None:
    with pytest.raises(RebuildError) as caught:
        expected(BASE if "resources" in str(overlay) else {}, overlay)

    assert complaint in str(caught.value)


def test_two_objects_that_become_one_are_refused() -> None:
    """As in Kustomize, which calls it an ID conflict."""
    other = CONFIG.replace("name: c", "name: d")
    rename = "- op: replace\n  path: /metadata/name\n  value: d\n"
    base = {**BASE, "kustomization.yaml": "resources:\n- c.yaml\n- d.yaml\n", "d.yaml": other}

    with pytest.raises(RebuildError, match="ConfigMap 'ns/d' is there twice"):
        expected(base, {"kustomization.yaml": TARGETED, "p.yaml": rename})
