"""Findings about a job → how much they weigh when a GitOps engine applies it.

An engine creates again what is missing: what only costs something elsewhere repeats a training.
And it applies on the server's side, where the API server refuses a list with two entries of one
key, such as two of one name in `env`: it could not tell which of them a field manager owns. It
does not take a key without a value there either.
Source: kubernetes v1.31, tried; sigs.k8s.io/structured-merge-diff v4, `duplicate entries for key`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.diagnostics import Diagnostic
    from genjob.model.names import Engine

_APPLIED = "; the engine applies on the server's side, which refuses that"
REFUSED: dict[str, str] = {
    "GJ641": "",
    **dict.fromkeys((Code.WRONG_FIELD_TYPE, "GJ672", "GJ679", "GJ684"), _APPLIED),
}
"""Warnings without an engine that are errors with one → what is then said besides."""


def under_gitops(diagnostics: Iterable[Diagnostic], engine: Engine) -> list[Diagnostic]:
    """Return findings as they weigh under an engine."""
    if engine == "none":
        return [*diagnostics]
    return [
        replace(each, severity=Severity.ERROR, message=each.message + REFUSED[each.code])
        if each.code in REFUSED and each.severity is Severity.WARNING
        else each
        for each in diagnostics
    ]
