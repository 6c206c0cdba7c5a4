"""What a change of objects does to a run that goes on, to its claims and its ConfigMaps."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from genjob.difference.effect import Effect, Verdict, remaining, worst
from genjob.difference.side import Place, Run
from genjob.difference.verdict import effects_of
from genjob.manifest import identity
from genjob.manifests.labels import KEPT
from genjob.manifests.pytorchjob import QUEUE_LABEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import JsonObject

PLACE = Place("prod", "a")
CLAIM: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "a-data", "namespace": "ml", "annotations": {**KEPT}},
    "spec": {
        "accessModes": ["ReadWriteMany"],
        "resources": {"requests": {"storage": "1Ti"}},
        "storageClassName": "fast",
    },
}
CONFIG: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "a-config", "namespace": "ml"},
    "data": {"LR": "1e-4"},
    "immutable": True,
}
JOB: dict[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "PyTorchJob",
    "metadata": {"name": "a", "namespace": "ml", "labels": {QUEUE_LABEL: "nlp"}},
    "spec": {
        "runPolicy": {"activeDeadlineSeconds": 7200},
        "pytorchReplicaSpecs": {
            "Master": {
                "replicas": 1,
                "template": {
                    "spec": {
                        "containers": [{"name": "pytorch", "image": "a:1", "env": []}],
                        "initContainers": [{"name": "wait", "image": "b:1"}],
                        "nodeSelector": {},
                        "tolerations": [],
                    }
                },
            }
        },
    },
}
POD = ("spec", "pytorchReplicaSpecs", "Master", "template", "spec")
ROLE = POD[:-2]
POLICY = ("spec", "runPolicy")


def run(*objects: JsonObject) -> Run:
    return Run(PLACE, objects, None)


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def edit(body: dict[str, Any]) -> None:
        *above, last = path
        here: Any = body
        for key in above:
            here = here[key]
        here[last] = value

    return edit


def take(*path: str) -> Callable[[dict[str, Any]], None]:
    def edit(body: dict[str, Any]) -> None:
        *above, last = path
        here: Any = body
        for key in above:
            here = here[key]
        del here[last]

    return edit


def edited(body: JsonObject, *edits: Callable[[dict[str, Any]], None]) -> JsonObject:
    made = copy.deepcopy(body)
    for edit in edits:
        edit(made)
    return made


def effects(
    before: Run | None,
    after: Run | None,
    *,
    engine: str = "none",
    others: tuple[JsonObject, ...] = (),
) -> list[Effect]:
    objects = (*(after.objects if after else ()), *others)
    declared = {identity(body) for body in objects}
    return remaining(effects_of(before, after, engine=engine), declared)


def verdict(before: JsonObject, after: JsonObject) -> Verdict:
    beside = [JOB] if before["kind"] != "PyTorchJob" else []
    return worst(effects(run(*beside, before), run(*beside, after)))


UNQUEUED = take("metadata", "labels", QUEUE_LABEL)
SUSPENDED = put(*POLICY, "suspend", value=True)

OF_JOB: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], Verdict]] = {
    "nothing": ((), (), Verdict.NO_EFFECT),
    "a label": ((), (put("metadata", "labels", "x", value="y"),), Verdict.METADATA),
    "the policy": ((), (put(*POLICY, "backoffLimit", value=3),), Verdict.METADATA),
    "a count": ((), (put(*ROLE, "replicas", value=2),), Verdict.EVICTS),
    "an image": ((), (put(*POD, "containers", 0, "image", value="a:2"),), Verdict.EVICTS),
    "an init container": ((), (put(*POD, "initContainers", value=[]),), Verdict.EVICTS),
    "what Kueue does not compare": (
        (),
        (put(*POD, "nodeSelector", value={"a": "b"}),),
        Verdict.MIXES,
    ),
    "an image without a queue": (
        (UNQUEUED,),
        (put(*POD, "containers", 0, "image", value="a:2"),),
        Verdict.MIXES,
    ),
    "an image of a suspended job": (
        (UNQUEUED, SUSPENDED),
        (put(*POD, "containers", 0, "image", value="a:2"),),
        Verdict.METADATA,
    ),
    "another queue": ((), (put("metadata", "labels", QUEUE_LABEL, value="x"),), Verdict.REFUSED),
    "no queue any more": ((), (UNQUEUED,), Verdict.REFUSED),
    "a queue for the first time": (
        (UNQUEUED,),
        (put("metadata", "labels", QUEUE_LABEL, value="x"),),
        Verdict.REFUSED,
    ),
    "a queue of a suspended job": (
        (UNQUEUED, SUSPENDED),
        (put("metadata", "labels", QUEUE_LABEL, value="x"),),
        Verdict.METADATA,
    ),
    "the queue of a gang": (
        (put(*POLICY, "schedulingPolicy", value={"queue": "a"}),),
        (put(*POLICY, "schedulingPolicy", value={"queue": "b"}),),
        Verdict.REFUSED,
    ),
    "suspend": ((UNQUEUED,), (SUSPENDED,), Verdict.EVICTS),
    "resume": ((UNQUEUED, SUSPENDED), (take(*POLICY, "suspend"),), Verdict.METADATA),
    "its name": ((), (put("metadata", "name", value="b"),), Verdict.NEW_RUN),
    "its namespace": ((), (put("metadata", "namespace", value="b"),), Verdict.NEW_RUN),
}
"""What changes → edits before, edits after, and the verdict."""


@pytest.mark.parametrize("what", OF_JOB)
def test_a_job_that_keeps_its_name_is_changed_like_this(what: str) -> None:
    before, after, expected = OF_JOB[what]
    old = edited(JOB, *before)

    assert expected is verdict(old, edited(old, *after))


OF_CLAIM: dict[str, tuple[Callable[[dict[str, Any]], None], Verdict]] = {
    "larger": (put("spec", "resources", "requests", "storage", value="2Ti"), Verdict.METADATA),
    "spelled otherwise": (
        put("spec", "resources", "requests", "storage", value="1024Gi"),
        Verdict.METADATA,
    ),
    "smaller": (put("spec", "resources", "requests", "storage", value="1Gi"), Verdict.REFUSED),
    "another class": (put("spec", "storageClassName", value="slow"), Verdict.REFUSED),
    "another mode": (put("spec", "accessModes", value=["ReadWriteOnce"]), Verdict.REFUSED),
    "a label": (put("metadata", "labels", value={"a": "b"}), Verdict.METADATA),
}


@pytest.mark.parametrize("what", OF_CLAIM)
def test_a_claim_changes_upwards_only(what: str) -> None:
    edit, expected = OF_CLAIM[what]

    assert expected is verdict(CLAIM, edited(CLAIM, edit))


def test_a_config_map_that_is_immutable_cannot_change_its_data() -> None:
    changed = put("data", "LR", value="3e-4")

    assert Verdict.REFUSED is verdict(CONFIG, edited(CONFIG, changed))
    loose = edited(CONFIG, take("immutable"))
    assert Verdict.METADATA is verdict(loose, edited(loose, changed))


ARGO, FLUX = "argocd.argoproj.io/sync-options", "kustomize.toolkit.fluxcd.io/prune"
LESS: dict[str, tuple[str, dict[str, str], bool]] = {
    "argocd": ("argocd", {ARGO: KEPT[ARGO]}, True),
    "argocd, with other options": ("argocd", {ARGO: f"Validate=false, {KEPT[ARGO]}"}, True),
    "argocd, kept by its application alone": ("argocd", {ARGO: "Prune=false"}, False),
    "argocd, kept from flux": ("argocd", {FLUX: KEPT[FLUX]}, False),
    "flux": ("flux", {FLUX: KEPT[FLUX]}, True),
    "flux, kept from argocd": ("flux", {ARGO: KEPT[ARGO]}, False),
    "any": ("none", {**KEPT}, True),
    "any, kept from one": ("none", {FLUX: KEPT[FLUX]}, False),
}


@pytest.mark.parametrize("what", LESS)
def test_data_stays_where_its_annotations_keep_it_from_the_engine(what: str) -> None:
    engine, annotations, is_kept = LESS[what]
    claim = edited(CLAIM, put("metadata", "annotations", value=annotations))

    found = effects(run(JOB, claim), None, engine=engine)

    assert (Verdict.RETIRED if is_kept else Verdict.DELETES_DATA) is worst(found)


def test_a_claim_that_another_run_declares_is_not_left() -> None:
    bare = edited(CLAIM, put("metadata", "annotations", value={}))

    assert [Effect(Verdict.RETIRED)] == effects(run(JOB, bare), None, others=(bare,))


def test_a_new_claim_of_a_run_is_said_to_be_empty() -> None:
    found = effects(run(JOB), run(edited(JOB, put("metadata", "name", value="b")), CLAIM))

    assert [Verdict.NEW_RUN, "claim 'a-data' is new and empty"] == [
        worst(found),
        found[-1].sentence,
    ]


def test_the_worst_of_several_effects_is_the_verdict() -> None:
    assert Verdict.NO_EFFECT is worst([])
    assert Verdict.DELETES_DATA is worst([Effect(each) for each in Verdict])


def test_a_deadline_that_comes_sooner_is_said() -> None:
    sooner = edited(JOB, put(*POLICY, "activeDeadlineSeconds", value=5400))
    later = edited(JOB, put(*POLICY, "activeDeadlineSeconds", value=9000))
    said = [
        [e.sentence for e in effects(run(JOB), run(new)) if e.sentence] for new in (sooner, later)
    ]

    assert [["the deadline ends the run when it is older than 1.5 hours"], []] == said
