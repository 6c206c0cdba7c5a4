"""Findings about a job → how much they weigh when a GitOps engine applies it.

An engine creates again what is missing: what only costs something elsewhere repeats a training.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genjob.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genjob.diagnostics import Diagnostic
    from genjob.model.names import Engine

REFUSED = frozenset({"GJ641"})
"""Codes of rules that are warnings without an engine and errors with one."""


def under_gitops(diagnostics: Iterable[Diagnostic], engine: Engine) -> list[Diagnostic]:
    """Return findings as they weigh under an engine."""
    if engine == "none":
        return [*diagnostics]
    return [
        replace(found, severity=Severity.ERROR) if found.code in REFUSED else found
        for found in diagnostics
    ]
