"""The claims of a run and the committed ones of the same names → claims that can be applied.

A claim outlives its runs, and the API server lets it change in nothing but its size, upwards.
Source: https://kubernetes.io/docs/concepts/storage/persistent-volumes/ (v1.31).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.manifest import Manifest, identity
from genjob.manifests.trace import source_of, value_in
from genjob.quantity import read_quantity
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import DocPath, Json, JsonObject

CLAIM = "PersistentVolumeClaim"
SIZE: DocPath = ("spec", "resources", "requests", "storage")
FIXED: dict[DocPath, str] = {
    ("spec", "storageClassName"): "storage class",
    ("spec", "accessModes"): "access mode",
    SIZE: "size",
}
"""What a claim cannot change → what people call it."""


class Kept(NamedTuple):
    """Objects in which claims are as they can be, and a finding for each that wants to change."""

    objects: list[Manifest]
    findings: list[Finding]


def keep_claims(objects: Sequence[Manifest], committed: Sequence[JsonObject]) -> Kept:
    """Return objects with what the committed claims of the same names cannot change."""
    before = {identity(body): body for body in committed if identity(body).kind == CLAIM}
    kept, findings = [], []
    for manifest in objects:
        old = before.get(identity(manifest.body))
        fixed = unchangeable(manifest.body, old) if old is not None else {}
        body = manifest.body
        for path, value in fixed.items():
            findings.append(_finding(manifest.body, path, value))
            body = _with(body, path, value)
        kept.append(Manifest(manifest.slot, body))
    return Kept(kept, findings)


def unchangeable(now: JsonObject, old: JsonObject) -> dict[DocPath, Json]:
    """Return what a claim cannot take of another one of its name, as it stays, by path."""
    return {
        path: value_in(old, path)
        for path in FIXED
        if value_in(now, path) != value_in(old, path)
        and not (path == SIZE and _grows(value_in(old, path), value_in(now, path)))
    }


def _grows(old: Json, now: Json) -> bool:
    before, after = read_quantity(old), read_quantity(now)
    return before is not None and after is not None and before <= after


def _finding(now: JsonObject, path: DocPath, kept: Json) -> Finding:
    name, what = quoted(identity(now).name), FIXED[path]
    message = f"claim {name} keeps its {what} {_shown(kept)}; it cannot become {_shown(now, path)}"
    hint = "give the storage another name: that is another claim, and its data starts empty"
    source = source_of(now, path) or ("storage",)
    return Finding(Code.CLAIM_STAYS, source, message, hint, Severity.WARNING)


def _shown(value: Json, path: DocPath = ()) -> str:
    found = value_in(value, path)
    if isinstance(found, list):
        return ", ".join(quoted(str(item)) for item in found)
    return "that of the cluster" if found is None else quoted(str(found))


def _with(value: JsonObject, path: DocPath, new: Json) -> JsonObject:
    """Return a copy with the value at a path, which is left out when it is None."""
    key, *rest = [str(step) for step in path]
    below = value.get(key)
    if rest:
        return value | {key: _with(below if isinstance(below, dict) else {}, (*rest,), new)}
    if new is None:
        return {name: each for name, each in value.items() if name != key}
    return value | {key: new}
