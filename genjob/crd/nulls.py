"""Nulls of an object → the object that the API server makes of it, and what it drops.

A key without a value is no error: the API server takes it away, as if it had not been written. It
does so when an object is created or updated; in server-side apply it validates first, and refuses
the null, but where the schema has a default or says nothing. See `rules/under_gitops.py`.
Source: tried with kubernetes v1.31.14 and training-operator v1.9.3;
https://github.com/kubernetes/apiextensions-apiserver/blob/v0.31.0/pkg/apiserver/schema/defaulting/prunenulls.go
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from genjob.diagnostics import Finding
    from genjob.jsontypes import Json, JsonObject

_NULL = "found null, "

_DEFAULTED = frozenset({"name", "protocol", "service", "suspend"})
"""Keys for which the CRD has a default: of a reference, a port, a probe, the run policy. The name
of a port has none."""


def has_nulls(value: Json) -> bool:
    """Tell whether a mapping in a value has a key without a value."""
    if isinstance(value, str):  # most are
        return False
    if isinstance(value, dict):
        return None in value.values() or any(map(has_nulls, value.values()))
    return isinstance(value, list) and any(map(has_nulls, value))


def without_nulls(body: JsonObject) -> JsonObject:
    """Return an object without its keys that have no value; an item of a list stays null."""
    return {key: _pruned(value) for key, value in body.items() if value is not None}


def dropped_nulls(whole: Iterable[Finding], pruned: Sequence[Finding]) -> Iterator[Finding]:
    """Yield a warning for each null that was found in a whole object and is gone in the pruned one.

    One whose absence is an error is left out: it was said. One that nobody refuses is a note.
    """
    known = {(each.code, each.path) for each in pruned}
    missing = [each for each in pruned if each.code == Code.MISSING_FIELD]
    for each in whole:
        is_null = each.code == Code.WRONG_FIELD_TYPE and each.message.startswith(_NULL)
        if not is_null or (each.code, each.path) in known:
            continue
        key = quoted(str(each.path[-1]))
        if not any(each.path[:-1] == one.path and key in one.message for one in missing):
            yield _dropped(each)


def _dropped(found: Finding) -> Finding:
    is_port_name = found.path[-1] == "name" and found.path[-3:-2] == ("ports",)
    if found.path[-1] in _DEFAULTED and not is_port_name:
        message = "found no value; the API server takes the default"
        return replace(found, message=message, severity=Severity.INFO)
    message = "found no value; the API server drops the field"
    severity = Severity.INFO if found.path[0] == "metadata" else Severity.WARNING
    return replace(found, message=message, severity=severity)


def _pruned(value: Json) -> Json:
    if isinstance(value, list):
        return [_pruned(item) for item in value]
    return without_nulls(value) if isinstance(value, dict) else value
