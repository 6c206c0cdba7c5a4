"""Snippets of `tests/rules/examples/` → whole objects, and what the rules find in them.

A file has the example that fails and the one that passes, in this order. An example is a whole
object when it has a `kind`, a list of objects under `items`, and otherwise what matters of a
PyTorchJob, completed from `COMPLETE`: `container` is the training container of Master and Worker,
`pod` their pod spec, `template` their pod template, `job` the whole object; `master` and `worker`
are one replica spec, in which `container`, `pod` and `template` stand for its own.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from genjob.rules import check_objects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.diagnostics import Finding
    from genjob.jsontypes import Json, JsonObject
    from genjob.rules import Rule
    from genjob.rules.network import Network

FOLDER = Path(__file__).parent.parent / "tests" / "rules" / "examples"

ROLES = ("master", "worker")

SHORTHANDS = ("container", "pod", "template")

COMPLETE = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  runPolicy: {cleanPodPolicy: Running, backoffLimit: 3}
  pytorchReplicaSpecs: {}
"""

REPLICA = """\
replicas: 1
restartPolicy: OnFailure
template:
  spec:
    volumes:
      - {name: shm, emptyDir: {medium: Memory, sizeLimit: 64Gi}}
      - {name: data, persistentVolumeClaim: {claimName: training-data}}
    containers:
      - name: pytorch
        image: registry.example.com/train:1.0
        command: [torchrun, train.py]
        resources: {limits: {cpu: 90, memory: 900Gi, nvidia.com/gpu: 8}}
        volumeMounts:
          - {name: shm, mountPath: /dev/shm}
"""


_LONG = re.compile("<([0-9]+) characters>")
"""What stands in an example for a text of this length."""


@dataclass(frozen=True)
class Example:
    """An example as it stands in its file, and the objects that it is completed to."""

    text: str
    objects: list[JsonObject]

    def findings(self) -> list[Finding]:
        """Return what the rules find in the objects."""
        return [finding for _, finding in check_objects(self.objects)]


def examples(rule: Rule[JsonObject] | Rule[Network]) -> tuple[Example, Example]:
    """Return the example of a rule that fails, and the one that passes.

    Raises:
        FileNotFoundError: when there are none.
        ValueError: when the file has not two of them.
    """
    text = (FOLDER / f"{rule.code}-{rule.name}.yaml").read_text(encoding="utf-8")
    bad, good = text.split("---\n")
    return _example(bad), _example(good)


def _example(text: str) -> Example:
    snippet = yaml.safe_load(_LONG.sub(lambda match: "x" * int(match[1]), text))
    return Example(text.strip("\n"), completed(snippet))


def completed(snippet: JsonObject) -> list[JsonObject]:
    """Return the objects that an example stands for."""
    if isinstance(items := snippet.get("items"), list):
        return [each for each in items if isinstance(each, dict)]
    if "kind" in snippet:
        return [snippet]
    roles = {role: _replica(snippet, role) for role in ROLES if snippet.get(role, {}) is not None}
    job = laid(yaml.safe_load(COMPLETE), {"spec": {"pytorchReplicaSpecs": _titled(roles)}})
    return [_mapping(laid(job, snippet.get("job", {})))]


def _titled(roles: Mapping[str, Json]) -> JsonObject:
    return {role.capitalize(): spec for role, spec in roles.items()}


def _replica(snippet: JsonObject, role: str) -> Json:
    spec: Json = yaml.safe_load(REPLICA)
    for part in (snippet, _mapping(snippet.get(role))):
        training: JsonObject = {"name": "pytorch", **_mapping(part.get("container"))}
        spec = laid(spec, {"template": part.get("template", {})})
        spec = laid(spec, {"template": {"spec": part.get("pod", {})}})
        spec = laid(spec, {"template": {"spec": {"containers": [training]}}})
    own = _mapping(snippet.get(role))
    return laid(spec, {key: own[key] for key in own if key not in SHORTHANDS})


def _mapping(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def laid(low: Json, high: Json) -> Json:
    """Return one piece laid over another: mappings by key, lists of named items by name.

    Null takes a key away. Items of one name in `high` are not joined with each other.
    """
    if isinstance(low, dict) and isinstance(high, dict):
        kept = {key: value for key, value in low.items() if key not in high}
        new = {key: laid(low.get(key), value) for key, value in high.items() if value is not None}
        return kept | new
    if isinstance(low, list) and isinstance(high, list) and _are_named(low) and _are_named(high):
        return _by_name(low, high)
    return copy.deepcopy(high)


def _are_named(items: list[Json]) -> bool:
    return bool(items) and all(isinstance(item, dict) and "name" in item for item in items)


def _by_name(low: list[Json], high: list[Json]) -> list[Json]:
    left = list(high)
    joined = []
    for item in low:
        same = next((each for each in left if _name(each) == _name(item)), None)
        joined.append(item if same is None else laid(item, same))
        if same is not None:
            left.remove(same)
    return [*joined, *copy.deepcopy(left)]


def _name(item: Json) -> Json:
    return item.get("name") if isinstance(item, dict) else None
