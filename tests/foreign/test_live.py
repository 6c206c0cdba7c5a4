"""What the cluster wrote into an object is taken away; what somebody declared stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.foreign.live import LAST_APPLIED, declared
from tests.hand_written import job, role

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

DECLARED = job(f"{{pytorchReplicaSpecs: {{Master: {role('')}}}}}")


def test_an_object_that_nobody_gave_back_stays_as_it_is() -> None:
    labelled: JsonObject = {**DECLARED, "metadata": {"name": "a", "annotations": {}}}

    assert DECLARED == declared(DECLARED)
    assert labelled == declared(labelled)


def test_status_and_the_metadata_of_the_cluster_go() -> None:
    live: JsonObject = {
        **DECLARED,
        "metadata": {
            "name": "llama",
            "uid": "1",
            "resourceVersion": "7",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "generation": 1,
            "managedFields": [{}],
            "annotations": {LAST_APPLIED: "{}"},
        },
        "status": {"conditions": []},
    }

    assert DECLARED == declared(live)


def test_annotations_of_somebody_stay_beside_that_of_kubectl() -> None:
    live: JsonObject = {"metadata": {"annotations": {LAST_APPLIED: "{}", "a": "b"}}}

    assert {"metadata": {"annotations": {"a": "b"}}} == declared(live)


def test_the_empty_time_of_a_template_goes() -> None:
    live = job("{pytorchReplicaSpecs: {Master: {metadata: {creationTimestamp: null}}}}")

    assert job("{pytorchReplicaSpecs: {Master: {metadata: {}}}}") == declared(live)
