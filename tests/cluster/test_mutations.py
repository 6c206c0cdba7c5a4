"""Valid jobs, changed in one place each: the cluster and our rules judge every change alike.

The changes know nothing of our rules: each key and item of a job is removed, doubled, and given
values of every type, sensible or not.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Final

import pytest
import yaml

from genjob.jsontypes import dotted
from genjob.manifests.trace import value_in
from tests.cluster.verdicts import disagreement
from tools.rule_examples import completed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject
    from tests.cluster.api import Cluster

REMOVED: Final = "<removed>"
DOUBLED: Final = "<doubled>"
VALUES: tuple[Json, ...] = (None, "", "X y", "x", 0, -1, 2, True, [], {}, REMOVED, DOUBLED)
"""What takes the place of a value."""

JOBS = """Master and Workers:
  worker: {replicas: 2}
  job:
    metadata: {labels: {team: nlp}, annotations: {example.com/owner: someone}}
    spec:
      nprocPerNode: "8"
      runPolicy: {backoffLimit: 3, managedBy: kubeflow.org/training-operator}
elastic:
  master: null
  worker: {replicas: 2}
  job:
    spec:
      elasticPolicy: {minReplicas: 1, maxReplicas: 3, maxRestarts: 3, rdzvBackend: c10d}
Master alone:
  worker: null
  pod:
    nodeSelector: {kubernetes.io/arch: amd64}
    tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
    securityContext: {runAsUser: 1000, fsGroup: 1000}
    topologySpreadConstraints:
    - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions: [{key: gpu, operator: In, values: [h100]}]
    initContainers: [{name: fetch, image: "busybox:1.36"}]
  container:
    args: ["--lr=1e-4"]
    imagePullPolicy: Always
    env:
    - {name: LR, value: "1e-4"}
    - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
    - {name: TOKEN, valueFrom: {secretKeyRef: {name: wandb, key: api-key}}}
    envFrom: [{prefix: CFG_, configMapRef: {name: settings}}]
    ports: [{name: pytorchjob-port, containerPort: 23456, protocol: TCP}]
    securityContext: {capabilities: {add: [IPC_LOCK]}}
"""
"""What matters of valid jobs, as the examples of rules are written."""

SNIPPETS: dict[str, JsonObject] = yaml.safe_load(JOBS)


def paths(value: Json, at: DocPath = ()) -> Iterator[DocPath]:
    """Yield the route to every value inside another one."""
    below = value.items() if isinstance(value, dict) else ()
    for key, inner in [*below, *(enumerate(value) if isinstance(value, list) else ())]:
        yield (*at, key)
        yield from paths(inner, (*at, key))


def changed(job: JsonObject, path: DocPath, value: Json) -> JsonObject:
    """Return a copy of a job in which something else stands at one place."""
    result = copy.deepcopy(job)
    owner, last = value_in(result, path[:-1]), path[-1]
    if isinstance(owner, list):
        kept = owner.pop(int(last))
        owner[int(last) : int(last)] = {REMOVED: [], DOUBLED: [kept, kept]}.get(str(value), [value])
    elif isinstance(owner, dict):
        kept = owner.pop(str(last))
        new = {REMOVED: {}, DOUBLED: {last: kept, f"{last}2": kept}}.get(str(value), {last: value})
        owner.update({str(key): each for key, each in new.items()})
    return result


def changes(job: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield every change of a job, each with its name."""
    kept = {("kind",), ("apiVersion",), ("metadata",), ("metadata", "name")}
    for path in paths(job):
        for value in VALUES if path not in kept else ():
            yield f"{dotted(path)} = {value!r}", changed(job, path, value)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_changed_job_is_judged_alike(cluster: Cluster, name: str) -> None:
    (job,) = completed(SNIPPETS[name])
    assert not disagreement(cluster, [job])

    found = {what: disagreement(cluster, [body]) for what, body in changes(job)}

    assert {} == {what: why for what, why in found.items() if why}
