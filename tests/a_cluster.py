"""A small GPU cluster, as its API server lists it: nodes, queues, classes and CRDs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from genjob.crd.library import schemas_root
from tests.api_server import FakeCluster, Kind

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

KUEUE = "kueue.x-k8s.io/v1beta2"
SECRET = "this-text-must-not-be-kept"  # noqa: S105 # a word to look for, no password


def node(
    name: str,
    labels: dict[str, str],
    allocatable: dict[str, Json],
    taints: tuple[JsonObject, ...] = (),
) -> JsonObject:
    """Return a node with these labels, and what every node has besides."""
    own: JsonObject = {**labels, "kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
    return {
        "metadata": {"name": name, "labels": own, "annotations": {"token": SECRET}},
        "spec": {"taints": [*taints], "providerID": f"cloud://{name}"},
        "status": {"allocatable": {"pods": "110", **allocatable}},
    }


GPU: JsonObject = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
CORDONED: JsonObject = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
H100 = {"pool": "h100", "feature.node.kubernetes.io/cpu": "avx"}
BIG: dict[str, Json] = {"cpu": "190", "memory": "2097152000Ki", "nvidia.com/gpu": "8"}
NODES = [
    node("gpu-1", H100, BIG, (GPU,)),
    node("gpu-2", H100, {**BIG, "memory": "2097152777Ki"}, (CORDONED, GPU)),
    node("gpu-3", H100, {**BIG, "nvidia.com/gpu": "7"}, (GPU,)),
    node("cpu-1", {"pool": "cpu"}, {"cpu": "15500m", "memory": "60Gi", "hugepages-2Mi": "0"}),
]


def named(name: str, spec: JsonObject | None = None, **more: Json) -> JsonObject:
    """Return an object with a name; `namespace` among the others is part of its metadata."""
    namespace = more.pop("namespace", None)
    metadata: JsonObject = {"name": name, "uid": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}
    if namespace is not None:
        metadata["namespace"] = namespace
    return {"metadata": metadata, "spec": spec or {}, **more}


def quota(flavor: str, **resources: Json) -> JsonObject:
    """Return the quotas of a flavor: `gpu` stands for nvidia.com/gpu."""
    names = {"gpu": "nvidia.com/gpu"}
    rows: list[Json] = [
        {"name": names.get(name, name), "nominalQuota": amount}
        for name, amount in resources.items()
    ]
    return {"name": flavor, "resources": rows}


def pytorchjobs() -> JsonObject:
    """Return the CRD of PyTorchJob, with the fields of training operator 1.9."""
    made = json.loads((schemas_root() / "kubeflow.org/pytorchjob-1.9.json").read_bytes())
    spec = inlined(made["properties"]["spec"], made["$defs"])
    schema: JsonObject = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    version: JsonObject = {"name": "v1", "served": True, "storage": True, "schema": schema}
    return named("pytorchjobs.kubeflow.org", {"versions": [version]})


def inlined(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    """Return a schema as CRDs have it, without references; pods and metrics are left open."""
    if "$ref" in schema:
        schema = _object(definitions[str(schema["$ref"]).rpartition("/")[2]])
    made: JsonObject = {"type": "object"}
    if isinstance(values := schema.get("additionalProperties"), dict):
        made["additionalProperties"] = inlined(values, definitions)
    if isinstance(fields := schema.get("properties"), dict):
        made["properties"] = {
            name: {"type": "object"}
            if name in {"template", "metrics"}
            else inlined(_object(each), definitions)
            for name, each in fields.items()
        }
    return made


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


CRD_VERSION: JsonObject = {"name": "v1beta2", "served": True}
OLD_VERSION: JsonObject = {"name": "v1alpha1", "served": False}


def cluster(*, version: str = "v1.31.4", forbidden: tuple[str, ...] = ()) -> FakeCluster:
    """Return the cluster; `forbidden` are the plurals, or the paths, that may not be listed."""
    namespaced = {
        "local": named("nlp-prod", {"clusterQueue": "train"}, namespace="ml-prod"),
        "other": named("cv", {"clusterQueue": "rest", "stopPolicy": "Hold"}, namespace="ml-cv"),
    }
    train: JsonObject = {
        "cohortName": "all",
        "stopPolicy": "None",
        "resourceGroups": [{"flavors": [quota("h100", gpu=16, cpu="380", memory="3Ti")]}],
    }
    rest: JsonObject = {"cohort": "all", "stopPolicy": "HoldAndDrain"}
    tolerated: JsonObject = {"nodeLabels": {"pool": "h100"}, "tolerations": [{"key": "a"}]}
    default: JsonObject = {"storageclass.kubernetes.io/is-default-class": "true"}
    fast: JsonObject = {"metadata": {"name": "fast", "annotations": default}, "provisioner": "csi"}
    queues: JsonObject = {"versions": [CRD_VERSION, OLD_VERSION]}
    crds = [
        pytorchjobs(),
        named("localqueues.kueue.x-k8s.io", queues),
        named("certificates.cert-manager.io", queues),
    ]
    return FakeCluster(
        [
            Kind("v1", "nodes", "Node", NODES),
            Kind(KUEUE, "localqueues", "LocalQueue", [*namespaced.values()], is_namespaced=True),
            Kind(
                KUEUE, "clusterqueues", "ClusterQueue", [named("train", train), named("rest", rest)]
            ),
            Kind(KUEUE, "resourceflavors", "ResourceFlavor", [named("h100", tolerated)]),
            Kind(
                "storage.k8s.io/v1",
                "storageclasses",
                "StorageClass",
                [fast, named("slow", provisioner="nfs")],
            ),
            Kind(
                "scheduling.k8s.io/v1",
                "priorityclasses",
                "PriorityClass",
                [named("high", value=1000), named("low")],
            ),
            Kind(
                "apiextensions.k8s.io/v1",
                "customresourcedefinitions",
                "CustomResourceDefinition",
                crds,
            ),
        ],
        version,
        frozenset(forbidden),
    )
