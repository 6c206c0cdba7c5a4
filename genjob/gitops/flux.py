"""A workspace and its environments → the GitRepository and Kustomization of Flux for each of them.

An environment's files stand alone in their folder: clusters run a Flux each, and read only theirs.
Flux makes the kustomization of `overlays/<env>` itself from the overlays that it finds there, so
no list of experiments is rendered that two branches could both change.
Source: fluxcd/pkg kustomize/kustomize_generator.go, scanManifests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from genjob.gitops.health import HEALTH_EXPRESSIONS
from genjob.gitops.objects import kustomization, metadata, object_name
from genjob.gitops.ownership import ignore_rules
from genjob.gitops.source import FOLDER
from genjob.model.workspace import SCP_URL
from genjob.tree.plan import header
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.gitops.source import Destination, Source
    from genjob.jsontypes import JsonObject

NAMESPACE = "flux-system"


def files(source: Source, destinations: Sequence[Destination]) -> dict[str, str]:
    """Return path → text of the files for Flux; the paths begin at the workspace's root."""
    made: dict[str, str] = {}
    for each in destinations:
        bodies = {
            "gitrepository.yaml": _repository(source, each),
            "sync.yaml": _sync(source, each),
        }
        bodies["kustomization.yaml"] = kustomization(bodies)
        for name, body in bodies.items():
            path = f"{FOLDER}/flux/{each.environment}/{name}"
            made[path] = to_yaml(body, header=header(each.origin))
        made[f"{source.overlays}/{each.environment}/README.md"] = _readme(each)
    return made


def _repository(source: Source, destination: Destination) -> JsonObject:
    secret: JsonObject = {"secretRef": {"name": source.secret}} if source.secret else {}
    return {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": metadata(source, destination, NAMESPACE),
        "spec": {
            "interval": "1m",
            "url": _url(source.url),
            "ref": _reference(source.revision),
            **secret,
        },
    }


def _url(url: str) -> str:
    """Return a URL as Flux takes it: `git@host:path`, which git and Argo CD know, it does not.

    Source: Flux source-controller 1.9 docs/spec/v1/gitrepositories.md, "URL".
    """
    scp = SCP_URL.fullmatch(url)
    return f"ssh://{scp[1]}/{scp[2]}" if scp else url


def _reference(revision: str) -> JsonObject:
    """Return what Flux calls a revision: a branch, unless it is a commit or a whole ref.

    Source: Flux source-controller 1.9 docs/spec/v1/gitrepositories.md, "Reference".
    """
    if re.fullmatch(r"[0-9a-f]{40}", revision):
        return {"commit": revision}
    return {"name" if revision.startswith("refs/") else "branch": revision}


def _sync(source: Source, destination: Destination) -> JsonObject:
    """Return the Kustomization; `force` would create a job anew, so it is written out."""
    rules = ignore_rules(destination)
    ignore: JsonObject = {"ignore": rules} if rules else {}
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": metadata(source, destination, NAMESPACE),
        "spec": {
            "interval": "10m",
            "retryInterval": "2m",
            "timeout": "5m",
            "sourceRef": {"kind": "GitRepository", "name": object_name(source, destination)},
            "path": f"./{source.path(source.overlays, destination.environment)}",
            "targetNamespace": destination.namespace,
            "prune": True,
            "force": False,
            "wait": True,
            "healthCheckExprs": HEALTH_EXPRESSIONS,
            **ignore,
        },
    }


def _readme(destination: Destination) -> str:
    """Return a file that Git keeps the folder for when its last overlay has gone.

    Where its path is missing Flux stops before it deletes what is no longer in Git.
    Source: kustomize-controller 1.9, 'kustomization path not found'.
    """
    return (
        f"<!-- {header(destination.origin)} -->\n"
        "\n"
        f"What runs in `{destination.environment}`: one folder for each experiment.\n"
        "\n"
        "Flux reads this folder. This file keeps it in Git when the last experiment has been\n"
        "retired; without the folder Flux would stop, and leave the last job running.\n"
    )
