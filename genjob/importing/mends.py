"""A mistake of a manifest → the manifest without it, where only one thing can have been meant.

Nothing here happens unless it is asked for; each mend says what it did.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.codes import Code
from genjob.document import Plain
from genjob.importing.acceptance import refusals
from genjob.importing.upgrades import OLD_RUN_POLICY, with_run_policy
from genjob.model.names import suggested_name
from genjob.resolve.merge import value_at
from genjob.rules.object_table import OPERATOR_RULES, POD_RULES
from genjob.rules.walk import as_object, get
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.diagnostics import Finding
    from genjob.foreign.reading import Written
    from genjob.jsontypes import DocPath, Json, JsonObject

    Mend = Callable[["Mistake", JsonObject], str]

_ROUNDS: Final = 8
"""How often the result is looked at again: a moved field may be wrong at its new place too."""

DEAD: Final = ("GJ647", "GJ648", "GJ672")
"""Values that nobody reads; they do not keep a job from being created."""


class Mistake(NamedTuple):
    """A finding, and the object as it was written."""

    finding: Finding
    written: Written


class Mended(NamedTuple):
    """A job without the mistakes that could be mended, and what was done, with the path of each."""

    body: JsonObject
    done: list[tuple[DocPath, str]]


def mended(body: JsonObject, written: Written) -> Mended:
    """Return a job with every mistake mended that a row of `MENDS` is for."""
    found = Mended(deepcopy(body), [])
    for _ in range(_ROUNDS):
        before = len(found.done)
        for finding in _last_first(mistakes(found.body)):
            mend = MENDS.get(finding.code)
            said = mend(Mistake(finding, written), found.body) if mend else ""
            if said:
                found.done.append((finding.path, said))
        if len(found.done) == before:
            break
    return Mended(found.body, sorted(found.done, key=lambda each: _ordered(each[0])))


def _last_first(findings: list[Finding]) -> list[Finding]:
    """Return one finding for each path, so that what is taken out moves nothing that follows."""
    by_path = {finding.path: finding for finding in reversed(findings)}
    return sorted(by_path.values(), key=lambda each: _ordered(each.path), reverse=True)


def _ordered(path: DocPath) -> list[tuple[int, str]]:
    return [(key, "") if isinstance(key, int) else (0, key) for key in path]


def mistakes(body: JsonObject) -> list[Finding]:
    """Return what keeps a job from being created, and values that nobody reads."""
    dead = [
        finding
        for rule in (*OPERATOR_RULES, *POD_RULES)
        if rule.code in DEAD
        for finding in rule.findings(body)
    ]
    return [*refusals(body), *dead]


def would_mend(finding: Finding, body: JsonObject, written: Written) -> str:
    """Return what would be done about a mistake if it were asked for; nothing when nothing can."""
    mend = MENDS.get(finding.code)
    return mend(Mistake(finding, written), deepcopy(body)) if mend else ""


def _parent(body: JsonObject, path: DocPath) -> Json:
    node: Json = body
    for key in path[:-1]:
        if isinstance(node, dict) and isinstance(key, str):
            node = node.get(key)
        elif isinstance(node, list) and isinstance(key, int) and key < len(node):
            node = node[key]
        else:
            return None
    return node


def _set(body: JsonObject, path: DocPath, value: Json) -> bool:
    parent, key = _parent(body, path), path[-1]
    if isinstance(parent, dict) and isinstance(key, str):
        parent[key] = value
        return True
    if isinstance(parent, list) and isinstance(key, int):
        parent[key] = value
        return True
    return False


def _retyped(mistake: Mistake, body: JsonObject) -> str:
    """Write a number as a text, or a text of digits as a number."""
    path = mistake.finding.path
    raw = value_at(mistake.written.document.raw, (*mistake.written.base, *path))
    message = mistake.finding.message
    if isinstance(raw, Plain) and raw.value is not None and "expected a string" in message:
        return (
            f"the value is written as the text {quoted(raw.text)}"
            if _set(body, path, raw.text)
            else ""
        )
    if isinstance(raw, str) and raw.isascii() and raw.isdecimal() and "an integer" in message:
        return (
            f"the value is written as the number {int(raw)}" if _set(body, path, int(raw)) else ""
        )
    return ""


def _dropped(mistake: Mistake, body: JsonObject) -> str:
    """Move a field to where it belongs, or take it out: the API server drops it in any case."""
    path = mistake.finding.path
    if path[:-1] == ("spec",) and path[-1] in OLD_RUN_POLICY:
        moved = with_run_policy(body)
        body["spec"] = moved["spec"]
        return f"{quoted(str(path[-1]))} is moved to 'spec.runPolicy'"
    parent = _parent(body, path)
    if not isinstance(parent, dict) or path[-1] not in parent:
        return ""
    del parent[str(path[-1])]
    return f"{quoted(str(path[-1]))} is taken out, as the API server does"


def _one_master(_: Mistake, body: JsonObject) -> str:
    master = as_object(get(body, "spec", "pytorchReplicaSpecs", "Master"))
    if "replicas" in master or not master:
        return ""
    master["replicas"] = 1
    return "'replicas: 1' is written for the Master"


def _named_pytorch(mistake: Mistake, body: JsonObject) -> str:
    """Name the only container of a role as the operator looks for it."""
    containers = _parent(body, mistake.finding.path[:-1])
    if not isinstance(containers, list) or len(containers) != 1:
        return ""
    old = as_object(containers[0]).get("name")
    as_object(containers[0])["name"] = "pytorch"
    return f"the container {quoted(str(old))} is named 'pytorch'"


def _valid_name(_: Mistake, body: JsonObject) -> str:
    metadata = as_object(body.get("metadata"))
    old = metadata.get("name", metadata.get("generateName"))
    new = suggested_name(old) if isinstance(old, str) else ""
    if not new or new == metadata.get("name"):
        return ""
    metadata.pop("generateName", None)
    metadata["name"] = new
    return f"the job is named {quoted(new)}, not {quoted(str(old))}"


def _unread(mistake: Mistake, body: JsonObject) -> str:
    """Take out a value that the operator, or a later one of its name, takes the place of."""
    path = mistake.finding.path
    entry = path[:-1] if path[-1] in {"name", "value"} else path
    parent, key = _parent(body, entry), entry[-1]
    if isinstance(parent, list) and isinstance(key, int) and key < len(parent):
        name = as_object(parent.pop(key)).get("name")
        return f"the variable {quoted(str(name))} is taken out; nobody reads it here"
    if isinstance(parent, dict) and key in parent:
        del parent[str(key)]
        return f"{quoted(str(key))} is taken out; the operator overwrites it"
    return ""


MENDS: Final[dict[str, Mend]] = {
    Code.WRONG_FIELD_TYPE: _retyped,
    Code.UNKNOWN_FIELD: _dropped,
    "GJ610": _valid_name,
    "GJ619": _named_pytorch,
    "GJ620": _one_master,
    "GJ647": _unread,
    "GJ648": _unread,
    "GJ650": _valid_name,
    "GJ672": _unread,
}
"""Code of a mistake → what mends it in the object and says so; an empty text when it cannot."""
