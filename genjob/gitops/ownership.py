"""An environment → the fields of a job that others write too, and that its engine must leave alone.

Only fields that Git has as well: a field that Git does not have is no difference to anybody.
Above all `suspend` must not be listed. Argo CD copies the live value of an ignored field into what
it applies, so a job that Kueue admits in that moment would be suspended again.
Source: Argo CD 3.5 controller/sync.go, normalizeTargetResources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.gitops.marks import AUTOSCALED
from genjob.gitops.source import JOB
from genjob.manifests.pytorchjob import QUEUE_LABEL

if TYPE_CHECKING:
    from genjob.gitops.source import Destination
    from genjob.jsontypes import Json

_REPLICAS = "spec/pytorchReplicaSpecs"


def jq_paths(destination: Destination) -> list[str]:
    """Return the jq paths that Argo CD ignores in a PyTorchJob.

    Kueue appends the tolerations of a flavour to the list that Git has; it adds keys of its own to
    the other fields, which is no difference. Only a job that names a queue is Kueue's.
    The autoscaler that the operator makes for an elastic job with metrics sets the replicas.
    Source: Kueue pkg/podset/podset.go, Merge (main, 2026-08); training-operator 1.9 hpa.go.
    """
    queued = f'select(.metadata.labels["{QUEUE_LABEL}"])'
    tolerations = ".spec.pytorchReplicaSpecs[]?.template.spec.tolerations"
    scaled = "select(.spec.elasticPolicy.metrics)"
    return [
        *([f"{queued} | {tolerations}"] if destination.has_queues else []),
        f"{scaled} | .spec.pytorchReplicaSpecs.Worker.replicas",
    ]


def ignore_rules(destination: Destination) -> list[Json]:
    """Return the rules by which Flux ignores the same fields; its selectors see labels only.

    Source: Flux 2.9, kustomize-controller 1.9 docs/spec/v1/kustomizations.md, "Ignore Rules".
    """
    rules: list[Json] = []
    if destination.has_queues:
        roles = ("Master", "Worker")
        paths: list[Json] = [f"/{_REPLICAS}/{role}/template/spec/tolerations" for role in roles]
        rules.append(_rule(paths, QUEUE_LABEL))
    if destination.has_autoscaler:
        rules.append(_rule([f"/{_REPLICAS}/Worker/replicas"], AUTOSCALED))
    return rules


def _rule(paths: list[Json], labels: str) -> Json:
    target: Json = {"group": JOB.group, "kind": JOB.kind, "labelSelector": labels}
    return {"paths": paths, "target": target}
