"""A Kubernetes object → what the cluster would refuse, ignore or overwrite in it.

The rules run on plain objects as the API server gets them, generated or written by hand. Their
tables are `object_table.py` and `network_table.py`: one function a rule, one family a file. The
schema check runs before and reports wrong types and missing fields; a rule passes over those.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from genjob.diagnostics import Severity
from genjob.rules import variables
from genjob.rules.network import network_of
from genjob.rules.network_table import NETWORK_RULES
from genjob.rules.object_table import (
    CLAIM_RULES,
    CONFIG_MAP_RULES,
    JOB_RULES,
    LIST_RULES,
    METADATA_RULES,
    OBJECT_NAME,
)
from genjob.rules.rule import Hit, Rule
from genjob.rules.walk import Walked, as_str

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from genjob.diagnostics import Finding
    from genjob.jsontypes import JsonObject
    from genjob.rules.network import Network

__all__ = ["RULES", "Hit", "Rule", "check_job", "check_object", "check_objects"]

JOB = "PyTorchJob"
GROUP = "kubeflow.org/"

RULES: tuple[Rule[JsonObject] | Rule[Network], ...] = (
    *JOB_RULES,
    *NETWORK_RULES,
    OBJECT_NAME,
    *CLAIM_RULES,
    *CONFIG_MAP_RULES,
    *LIST_RULES,
)
"""Every rule, grouped by family."""

RULES_OF_KIND: dict[str, tuple[Rule[JsonObject], ...]] = {
    "PersistentVolumeClaim": (*METADATA_RULES, OBJECT_NAME, *CLAIM_RULES),
    "ConfigMap": (*METADATA_RULES, OBJECT_NAME, *CONFIG_MAP_RULES),
}

_Subject = TypeVar("_Subject")


def check_job(
    job: JsonObject, *, fabric: str | None = None, backend: str | None = None
) -> list[Finding]:
    """Return what all rules find in one PyTorchJob, in the order of the tables.

    `fabric` is the profile of its machines and `backend` that of torch.distributed, where they are
    known; otherwise the object has to tell.
    """
    job = Walked(job)
    found = [*_findings(job, JOB_RULES), *variables.in_env(job)]
    wrong = {each.path for each in found if each.severity is Severity.ERROR}
    network = _findings(network_of(job, fabric=fabric, backend=backend), NETWORK_RULES)
    return [*found, *(each for each in network if each.path not in wrong)]


def check_object(
    body: JsonObject, *, fabric: str | None = None, backend: str | None = None
) -> list[Finding]:
    """Return what the rules of an object's kind find in it; of another kind, those of metadata."""
    kind = as_str(body.get("kind")) or ""
    if kind == JOB and not _is_of_another_operator(body):
        return check_job(body, fabric=fabric, backend=backend)
    rules = METADATA_RULES if kind == JOB else RULES_OF_KIND.get(kind, METADATA_RULES)
    return [*_findings(body, rules), *variables.in_env(body)]


def check_objects(
    objects: Sequence[JsonObject], *, fabric: str | None = None, backend: str | None = None
) -> list[tuple[int, Finding]]:
    """Return what the rules find in objects that are applied together, by index of the object."""
    found = [
        (index, each)
        for index, body in enumerate(objects)
        for each in check_object(body, fabric=fabric, backend=backend)
    ]
    found += variables.in_config_maps(objects)
    together: JsonObject = {"kind": "List", "items": list(objects)}
    for each in _findings(together, LIST_RULES):
        _, index, *path = each.path
        found.append((int(index), replace(each, path=tuple(path))))
    return sorted(found, key=lambda pair: pair[0])


def _is_of_another_operator(job: JsonObject) -> bool:
    """Return whether a job is of another API group, such as that of KubeDL."""
    return not (as_str(job.get("apiVersion")) or GROUP).startswith(GROUP)


def _findings(subject: _Subject, rules: Iterable[Rule[_Subject]]) -> list[Finding]:
    return [*dict.fromkeys(each for rule in rules for each in rule.findings(subject))]
