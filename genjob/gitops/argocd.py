"""A workspace and its environments → the AppProjects and ApplicationSets of Argo CD.

Each environment has one of both, and each of its overlays becomes an Application. What must never
be here: `selfHeal`, `Replace`, `Force` and sync waves; each of them can run a finished job again,
or stop all others. Source: Argo CD 3.5 docs/user-guide/{auto_sync,sync-options,sync-waves}.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.gitops.health import HEALTH_LUA, LUA_KEY
from genjob.gitops.objects import kustomization, metadata, object_name
from genjob.gitops.ownership import jq_paths
from genjob.gitops.source import FOLDER, JOB, SETTINGS
from genjob.manifests.labels import ENVIRONMENT, EXPERIMENT
from genjob.tree.plan import header
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.gitops.source import Destination, Source
    from genjob.jsontypes import Json, JsonObject

NAMESPACE = "argocd"
API_VERSION = "argoproj.io/v1alpha1"
OVERLAY = "{{.path.path}}"
EXPERIMENT_NAME = "{{.path.basename}}"
"""What the generator knows of the folder that an Application is made for."""

FINALIZER = "resources-finalizer.argocd.argoproj.io"
"""On an Application: when its overlay goes, its job goes too. On an AppProject: it stays until its
last Application has gone, which could not clean up without it.

Source: Argo CD 3.5 docs/user-guide/{app_deletion,projects}.md.
"""

SYNC_OPTIONS = (
    "ServerSideApply=true",  # others keep the fields that Git does not have
    "ApplyOutOfSyncOnly=true",  # a sync leaves alone what has not changed
    "RespectIgnoreDifferences=true",
    "FailOnSharedResource=true",  # two Applications never fight over an object
)


def files(source: Source, destinations: Sequence[Destination]) -> dict[str, str]:
    """Return path → text of the files for Argo CD; the paths begin at the workspace's root."""
    folder = f"{FOLDER}/argocd"
    made = {
        f"{folder}/kustomization.yaml": to_yaml(
            kustomization(each.environment for each in destinations), header=header(SETTINGS)
        ),
        f"{folder}/argocd-cm.patch.yaml": to_yaml(_settings(source), header=header(SETTINGS)),
    }
    for each in destinations:
        bodies = {
            "appproject.yaml": _project(source, each),
            "applicationset.yaml": _application_set(source, each),
        }
        bodies["kustomization.yaml"] = kustomization(bodies)
        for name, body in bodies.items():
            path = f"{folder}/{each.environment}/{name}"
            made[path] = to_yaml(body, header=header(each.origin))
    return made


def _settings(source: Source) -> JsonObject:
    """Return the part of the ConfigMap argocd-cm that is ours; Argo CD's installation has it."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "argocd-cm", "namespace": source.namespace or NAMESPACE},
        "data": {LUA_KEY: HEALTH_LUA},
    }


def _project(source: Source, destination: Destination) -> JsonObject:
    """Return the fence around an environment: this repository, this namespace, our kinds."""
    kinds: list[Json] = [each._asdict() for each in destination.kinds]
    return {
        "apiVersion": API_VERSION,
        "kind": "AppProject",
        "metadata": {**metadata(source, destination, NAMESPACE), "finalizers": [FINALIZER]},
        "spec": {
            "description": f"training jobs of environment '{destination.environment}'",
            "sourceRepos": [source.url],
            "destinations": [_destination(destination)],
            "clusterResourceWhitelist": [],
            "namespaceResourceWhitelist": kinds,
        },
    }


def _destination(destination: Destination) -> JsonObject:
    return {"server": destination.server, "namespace": destination.namespace}


def _application_set(source: Source, destination: Destination) -> JsonObject:
    overlays = source.path(source.overlays, destination.environment, "*")
    generator: JsonObject = {
        "repoURL": source.url,
        "revision": source.revision,
        "directories": [{"path": overlays}],
    }
    return {
        "apiVersion": API_VERSION,
        "kind": "ApplicationSet",
        "metadata": metadata(source, destination, NAMESPACE),
        "spec": {
            "goTemplate": True,
            "goTemplateOptions": ["missingkey=error"],
            "generators": [{"git": generator}],
            "template": {
                "metadata": _application_metadata(source, destination),
                "spec": _application(source, destination),
            },
        },
    }


def _application_metadata(source: Source, destination: Destination) -> JsonObject:
    """Return the metadata of an Application.

    The dot keeps `prod-eu.llama` and `prod.eu-llama` apart. The paths tell Argo CD that a commit
    elsewhere is none of this Application's, so that it does not sync, and so does not create a
    job again that somebody deleted. Source: Argo CD 3.5 docs/operator-manual/high_availability.md.
    """
    return {
        "name": f"{object_name(source, destination)}.{EXPERIMENT_NAME}",
        "labels": {ENVIRONMENT: destination.environment, EXPERIMENT: EXPERIMENT_NAME},
        "annotations": {
            "argocd.argoproj.io/manifest-generate-paths": (
                f".;/{source.path(source.bases, EXPERIMENT_NAME)}"
            ),
            "argocd.argoproj.io/compare-options": "ServerSideDiff=true",
        },
        "finalizers": [FINALIZER],
    }


def _application(source: Source, destination: Destination) -> JsonObject:
    """Return the spec of an Application; its project is fixed, a commit cannot choose another."""
    ignored: JsonObject = {
        "group": JOB.group,
        "kind": JOB.kind,
        "jqPathExpressions": [*jq_paths(destination)],
    }
    return {
        "project": object_name(source, destination),
        "source": {"repoURL": source.url, "targetRevision": source.revision, "path": OVERLAY},
        "destination": _destination(destination),
        "syncPolicy": {
            "automated": {"prune": True, "selfHeal": False},
            "syncOptions": [*SYNC_OPTIONS],
        },
        "ignoreDifferences": [ignored],
    }
