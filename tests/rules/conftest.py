"""A valid job, claim and ConfigMap, and the findings after a change to one of them.

A change maps a route such as `pod > volumes > 0 > name` to a value; `...` removes the key. The
first word of a route may be a short name, such as `pod` or `main`: the table SHORT below.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias, cast

import pytest
import yaml

from genjob.diagnostics import Severity
from genjob.rules import check_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from genjob.jsontypes import DocPath, Json, JsonObject, Key

    Found: TypeAlias = tuple[str, str, str, str]
    Changed: TypeAlias = Callable[[Mapping[str, object]], list[Found]]

JOB = """
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: llama
  labels: {app.kubernetes.io/name: llama}
  annotations: {example.com/Owner: "anyone at all"}
spec:
  nprocPerNode: "8"
  runPolicy: {cleanPodPolicy: Running, backoffLimit: 3}
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: OnFailure
      template: &template
        metadata: {labels: {team: nlp}}
        spec:
          serviceAccountName: trainer
          priorityClassName: high
          nodeSelector: {node.kubernetes.io/instance-type: p5.48xlarge}
          securityContext: {runAsUser: 1000}
          tolerations:
          - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
          - {key: team, value: nlp, effect: NoExecute, tolerationSeconds: 60}
          topologySpreadConstraints:
          - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}
          affinity:
            nodeAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                nodeSelectorTerms:
                - matchExpressions: [{key: gpu, operator: In, values: [h100]}]
            podAntiAffinity:
              preferredDuringSchedulingIgnoredDuringExecution:
              - weight: 100
                podAffinityTerm:
                  topologyKey: kubernetes.io/hostname
                  labelSelector: {matchExpressions: [{key: job, operator: NotIn, values: [me]}]}
              requiredDuringSchedulingIgnoredDuringExecution:
              - {topologyKey: zone, labelSelector: {matchLabels: {team: nlp}}}
          volumes:
          - {name: data, persistentVolumeClaim: {claimName: training-data}}
          - {name: shm, emptyDir: {medium: Memory, sizeLimit: 64Gi}}
          - {name: config, configMap: {name: a, defaultMode: 420, items: [{key: a, path: b}]}}
          - {name: host, hostPath: {path: /dev/infiniband, type: Directory}}
          - {name: nfs, nfs: {server: files, path: /export}}
          - {name: all, projected: {sources: [{secret: {name: s}}, {configMap: {name: c}}]}}
          initContainers:
          - {name: fetch, image: busybox}
          containers:
          - name: pytorch
            image: registry.example.com/train:1
            imagePullPolicy: Always
            command: [torchrun, train.py]
            env:
            - {name: LR, value: 1e-4}
            - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
            - {name: TOKEN, valueFrom: {secretKeyRef: {name: wandb, key: api-key}}}
            - {name: CPUS, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
            envFrom: [{prefix: CFG_, configMapRef: {name: settings}}]
            ports:
            - {name: pytorchjob-port, containerPort: 23456}
            - {name: metrics, containerPort: 9000, protocol: TCP}
            resources:
              limits: {cpu: "96", memory: 1000Gi, nvidia.com/gpu: "8", hugepages-2Mi: 4Mi}
              requests: {cpu: "48", memory: 1000Gi, nvidia.com/gpu: "8"}
            securityContext: {capabilities: {add: [IPC_LOCK]}}
            volumeMounts:
            - {name: data, mountPath: /data, subPath: sets/a}
            - {name: shm, mountPath: /dev/shm}
    Worker: {replicas: 3, restartPolicy: OnFailure, template: *template}
"""

CLAIM = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: checkpoints}
spec:
  accessModes: [ReadWriteMany]
  storageClassName: shared
  volumeMode: Filesystem
  resources: {requests: {storage: 500Gi}}
"""

CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings-7f3a}
data: {EPOCHS: "100"}
binaryData: {topology.bin: AAEC}
"""

ROLE = ("spec", "pytorchReplicaSpecs")
POD = ("template", "spec")
AFFINITY = (*ROLE, "Master", *POD, "affinity")
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
SHORT: dict[str, DocPath] = {
    "pod": (*ROLE, "Master", *POD),
    "main": (*ROLE, "Master", *POD, "containers", 0),
    "terms": (*AFFINITY, "nodeAffinity", REQUIRED, "nodeSelectorTerms"),
    "wishes": (*AFFINITY, "podAntiAffinity", PREFERRED),
    "demands": (*AFFINITY, "podAntiAffinity", REQUIRED),
    "worker": (*ROLE, "Worker"),
    "work": (*ROLE, "Worker", *POD, "containers", 0),
}


@pytest.fixture
def job() -> JsonObject:
    """Return a valid PyTorchJob that no rule has anything to say about."""
    return _load(JOB)


@pytest.fixture
def changed_job() -> Changed:
    """Return what the rules find in the valid job after a change."""
    return lambda changes: _findings(JOB, changes)


@pytest.fixture
def changed_claim() -> Changed:
    """Return what the rules find in the valid claim after a change."""
    return lambda changes: _findings(CLAIM, changes)


@pytest.fixture
def changed_config_map() -> Changed:
    """Return what the rules find in the valid ConfigMap after a change."""
    return lambda changes: _findings(CONFIG_MAP, changes)


def _findings(text: str, changes: Mapping[str, object]) -> list[Found]:
    """Return code, route, message and hint; a route that begins with `@` points at its key.

    Notes are left out: they are about good jobs too.
    """
    body = _load(text)
    for route, value in changes.items():
        _change(body, route, value)
    return [
        (each.code, "@" * each.at_key + _route(each.path), each.message, each.hint)
        for each in check_object(body)
        if each.severity is not Severity.INFO
    ]


def _load(text: str) -> JsonObject:
    """Read YAML; the way over JSON gives each role its own copy of the template."""
    body: JsonObject = json.loads(json.dumps(yaml.safe_load(text)))
    return body


def _change(body: JsonObject, route: str, value: object) -> None:
    first, *rest = route.split(" > ")
    path: DocPath = (*SHORT.get(first, (first,)), *map(_key, rest))
    last = path[-1]
    owner: Json = body
    for key in path[:-1]:
        owner = _child(owner, key)
    if isinstance(owner, list):
        owner[int(last) :] = [cast("Json", value), *owner[int(last) + 1 :]]
    elif isinstance(owner, dict) and value is ...:
        del owner[str(last)]
    elif isinstance(owner, dict):
        owner[str(last)] = cast("Json", value)


def _child(owner: Json, key: Key) -> Json:
    if isinstance(owner, list):
        return owner[int(key)]
    assert isinstance(owner, dict)
    return owner.setdefault(str(key), {})


def _key(word: str) -> Key:
    return int(word) if word.isdigit() else word


def _route(path: DocPath) -> str:
    for short, prefix in sorted(SHORT.items(), key=lambda pair: -len(pair[1])):
        if path[: len(prefix)] == prefix:
            return " > ".join([short, *(str(key) for key in path[len(prefix) :])])
    return " > ".join(str(key) for key in path)
