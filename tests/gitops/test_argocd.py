"""Argo CD makes one Application of each overlay, deletes it with its job, and ignores little."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import jq
import pytest
import yaml

from genjob.gitops.source import Source
from genjob.kustomize.engine import build, find_engine
from tests.gitops.samples import (
    SAMPLES,
    at,
    object_of,
    objects,
    rendered,
    rendered_alone,
)

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject

every_sample = pytest.mark.parametrize("sample", SAMPLES)


def application(sample: str, *path: str | int) -> Json:
    """Return what stands in the template of the Applications of a sample's last environment."""
    body = object_of(objects(rendered(sample, "argocd")), "ApplicationSet")
    return at(body, "spec", "template", *path)


@every_sample
def test_runs_are_pruned_and_never_healed(sample: str) -> None:
    automated = application(sample, "spec", "syncPolicy", "automated")

    assert {"prune": True, "selfHeal": False} == automated


@every_sample
def test_a_job_goes_with_its_overlay(sample: str) -> None:
    """The finalizer deletes what the Application made; claims are exempt by an annotation."""
    finalizers = application(sample, "metadata", "finalizers")

    assert ["resources-finalizer.argocd.argoproj.io"] == finalizers


def test_an_application_reacts_to_its_overlay_and_its_base_alone() -> None:
    key = "argocd.argoproj.io/manifest-generate-paths"
    paths = [application(sample, "metadata", "annotations", key) for sample in SAMPLES]

    assert paths == [
        ".;/bases/{{.path.basename}}",
        ".;/training/jobs/rendered/bases/{{.path.basename}}",
    ]


@every_sample
def test_a_commit_cannot_choose_the_project_of_its_application(sample: str) -> None:
    project = object_of(objects(rendered(sample, "argocd")), "AppProject")

    assert at(project, "metadata", "name") == application(sample, "spec", "project")


@every_sample
def test_a_project_admits_our_kinds_in_one_namespace_from_one_repository(sample: str) -> None:
    source, destinations = SAMPLES[sample]
    spec = at(object_of(objects(rendered(sample, "argocd")), "AppProject"), "spec")
    place: Json = {"server": destinations[-1].server, "namespace": destinations[-1].namespace}

    assert [place] == at(spec, "destinations")
    assert [source.url] == at(spec, "sourceRepos")
    assert [] == at(spec, "clusterResourceWhitelist")
    assert at(spec, "namespaceResourceWhitelist") == [
        {"group": "kubeflow.org", "kind": "PyTorchJob"},
        {"group": "", "kind": "ConfigMap"},
        {"group": "", "kind": "PersistentVolumeClaim"},
    ]


def test_applications_of_two_environments_never_share_a_name() -> None:
    """`prod` with `eu-llama`, and `prod-eu` with `llama`."""
    source = Source(name="x", url="https://git.example.com/x")
    sets = [object_of(rendered_alone("argocd", source, env), "ApplicationSet") for env in NEAR]
    names = [str(at(each, "spec", "template", "metadata", "name")) for each in sets]

    assert ["x-prod.{{.path.basename}}", "x-prod-eu.{{.path.basename}}"] == names


NEAR = ("prod", "prod-eu")


def test_the_patch_of_argocd_cm_leaves_what_is_there(tmp_path: Path) -> None:
    metadata = {"name": "argocd-cm", "namespace": "argocd"}
    there = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"url": "u"}}
    patch = rendered("one-cluster", "argocd")["gitops/argocd/argocd-cm.patch.yaml"]
    kustomization = {"resources": ["cm.yaml"], "patches": [{"path": "argocd-cm.patch.yaml"}]}
    (tmp_path / "cm.yaml").write_text(yaml.safe_dump(there))
    (tmp_path / "argocd-cm.patch.yaml").write_text(patch)
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    (body,) = build(find_engine(os.environ), tmp_path)

    assert "u" == at(body, "data", "url")
    assert at(body, "data", "resource.customizations.health.kubeflow.org_PyTorchJob")


def job(pod: Json, *, queue: str | None = None, suspend: bool = False) -> JsonObject:
    labels: JsonObject = {"kueue.x-k8s.io/queue-name": queue} if queue else {}
    replicas: Json = {"Master": {"replicas": 1, "template": pod}, "Worker": {"template": pod}}
    policy: Json = {"suspend": suspend}
    return {
        "metadata": {"labels": labels},
        "spec": {"runPolicy": policy, "pytorchReplicaSpecs": replicas},
    }


IN_GIT: Json = {"spec": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}}
ADMITTED: Json = {
    "spec": {
        "tolerations": [
            {"key": "nvidia.com/gpu", "operator": "Exists"},
            {"key": "spot", "operator": "Exists"},
        ]
    }
}


def compared(body: JsonObject) -> JsonObject:
    """Return an object as Argo CD compares it: it runs `del(…)` of each path.

    Source: Argo CD 3.5 util/argo/normalizers/diff_normalizer.go.
    """
    paths = application("one-cluster", "spec", "ignoreDifferences", 0, "jqPathExpressions")
    assert isinstance(paths, list)
    for path in paths:
        body = jq.compile(f"del({path})").input_value(body).first()
    return body


def test_tolerations_that_kueue_adds_are_no_difference() -> None:
    assert compared(job(IN_GIT, queue="nlp")) == compared(job(ADMITTED, queue="nlp"))


def test_tolerations_of_a_job_without_a_queue_stay_a_difference() -> None:
    assert compared(job(IN_GIT)) != compared(job(ADMITTED))


def test_suspend_is_not_among_the_ignored_fields() -> None:
    """Argo CD would apply its live value, and so suspend a job that was admitted meanwhile."""
    waiting = job(IN_GIT, queue="nlp", suspend=True)

    assert True is at(compared(waiting), "spec", "runPolicy", "suspend")


@pytest.mark.parametrize(
    ("policy", "is_ignored"), [({"metrics": [{"type": "Resource"}]}, True), ({}, False)]
)
def test_replicas_are_ignored_only_where_an_autoscaler_sets_them(
    policy: Json, *, is_ignored: bool
) -> None:
    replicas: Json = {"Worker": {"replicas": 8}}
    body: JsonObject = {"spec": {"elasticPolicy": policy, "pytorchReplicaSpecs": replicas}}
    left = at(compared(body), "spec", "pytorchReplicaSpecs", "Worker")

    assert left == ({} if is_ignored else {"replicas": 8})


@pytest.mark.parametrize("body", [{}, {"spec": {}}, {"metadata": {"labels": {}}, "spec": {}}])
def test_a_job_that_lacks_the_fields_is_compared_all_the_same(body: JsonObject) -> None:
    assert body == compared(body)
