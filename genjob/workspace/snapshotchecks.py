"""An environment and the snapshot of its cluster → where the two do not say the same.

All are warnings at the environment: either file may be the older one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.crd.fields import PYTORCHJOBS, field_names
from genjob.crd.library import OPERATOR_GROUP
from genjob.diagnostics import Finding, Severity
from genjob.resolve.inventory import nodes_of, queue_problem
from genjob.resolve.machine import machine_in
from genjob.wording import did_you_mean, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.crd.library import SchemaSet
    from genjob.jsontypes import DocPath
    from genjob.model.environment import Environment
    from genjob.model.snapshot import Snapshot

_API: Final = "v1"
_OPERATOR: Final[DocPath] = ("target", "training_operator")
_KUBERNETES: Final[DocPath] = ("target", "kubernetes")
_MINOR: Final = re.compile(r"v?([0-9]+\.[0-9]+)")
_SHOWN: Final = 3
"""Fields that a message names."""


def snapshot_problems(
    model: Environment, snapshot: Snapshot, schemas: SchemaSet
) -> Iterator[Finding]:
    """Yield what an environment says otherwise than the snapshot of its cluster."""
    yield from _kubernetes(model, snapshot)
    yield from _operator(model, snapshot, schemas)
    yield from _pools(model, snapshot)
    yield from _queues(model, snapshot)
    yield from _storage_classes(model, snapshot)


def _warning(code: Code, path: DocPath, message: str, hint: str) -> Finding:
    return Finding(code, path, message, hint, Severity.WARNING)


def _kubernetes(model: Environment, snapshot: Snapshot) -> Iterator[Finding]:
    found = _MINOR.match(snapshot.kubernetes or "")
    if found is not None and found[1] != model.target.kubernetes:
        message = f"the checks are made for Kubernetes {quoted(model.target.kubernetes)}; the "
        message += f"cluster runs {quoted(str(snapshot.kubernetes))}"
        yield _warning(Code.VERSION_DIFFERS, _KUBERNETES, message, f'write "{found[1]}"')


def _operator(model: Environment, snapshot: Snapshot, schemas: SchemaSet) -> Iterator[Finding]:
    if snapshot.crds is None:
        return
    crd = snapshot.crds.get(PYTORCHJOBS)
    if crd is None or _API not in crd.versions:
        what = "no CRD" if crd is None else f"no version {quoted(_API)} of"
        message = f"the cluster has {what} {quoted(PYTORCHJOBS)}"
        yield _warning(Code.CRD_DIFFERS, _OPERATOR, message, "install the training operator")
        return
    version = model.target.training_operator
    here, there = _fields(version, schemas), {*crd.fields}
    for fields, word in ((here - there, "lacks"), (there - here, "also has")):
        if here and there and fields:
            message = f"the CRD of the cluster is not that of training operator {quoted(version)}: "
            message += f"it {word} {_some(sorted(fields))}"
            hint = "keep that of the cluster with `genjob schema vendor --from-cluster`"
            yield _warning(Code.CRD_DIFFERS, _OPERATOR, message, hint)


def _fields(version: str, schemas: SchemaSet) -> set[str]:
    """Return the fields of the PyTorchJob of an operator; none when there is no schema of it."""
    path = schemas.find(f"{OPERATOR_GROUP}/pytorchjob-{version}.json")
    if path is None:
        return set()
    schema = json.loads(path.read_bytes())
    return {*field_names(schema["properties"]["spec"], schema.get("$defs"))}


def _some(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return listed(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _pools(model: Environment, snapshot: Snapshot) -> Iterator[Finding]:
    for index, pool in enumerate(model.node_pools):
        groups = nodes_of(pool, snapshot)
        if groups is None or pool.autoscaled:
            continue
        count = sum(group.count for group in groups)
        if not groups:
            selector = pool.node_selector or machine_in(pool).selector
            labels = ", ".join(f"{key}={value}" for key, value in sorted(selector.items()))
            message = f"no node of the cluster has the labels of node pool {quoted(pool.name)}: "
            hint = "correct them; or write 'autoscaled: true', if its nodes come and go"
            path = ("node_pools", index, "node_selector")
            yield _warning(Code.NODE_NOT_THERE, path, message + labels, hint)
        elif pool.nodes is not None and count < pool.nodes:
            message = f"node pool {quoted(pool.name)} has {pool.nodes} nodes here; the cluster "
            message += f"has {count}"
            hint = f"write {count}; or write 'autoscaled: true', if its nodes come and go"
            path = ("node_pools", index, "nodes")
            yield _warning(Code.NODES_MISSING, path, message, hint)


def _queues(model: Environment, snapshot: Snapshot) -> Iterator[Finding]:
    for name, queue in model.queues.items():
        problem = queue_problem(snapshot, model.namespace, queue.local_queue)
        if problem is not None:
            path = ("queues", name, "local_queue")
            yield _warning(problem.code, path, problem.message, problem.hint)


def _storage_classes(model: Environment, snapshot: Snapshot) -> Iterator[Finding]:
    known = snapshot.storage_classes
    for name, there in model.storage_classes.items():
        if known is not None and there not in known:
            message = f"the cluster has no StorageClass {quoted(there)}"
            hint = did_you_mean(there, known) or f"it has {listed(known) or 'none'}"
            yield _warning(Code.CLASS_NOT_THERE, ("storage_classes", name), message, hint)
