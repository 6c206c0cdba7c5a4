"""Raw data → the model that it fits, beside everything that is wrong with it.

pydantic says what is wrong with the fields of the models; the catalogue of variables says it of the
fields of each `nccl` section, with warnings that leave the model usable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.model.errors import findings
from genjob.model.fields import home_of
from genjob.model.nccl import SECTION, problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.document import Raw
    from genjob.jsontypes import DocPath
    from genjob.model.base import AnyModel, Model
    from genjob.variables import Problem

_ALL_FIELDS = "`genjob nccl` lists all that there are"


def validated(model: type[AnyModel], raw: Raw) -> tuple[AnyModel | None, list[Finding]]:
    """Return a model of raw data, None when it has errors, and every finding about it."""
    found = [
        _finding(model, (*path, field), problem)
        for path, section in _sections(model, raw)
        for field, problem in problems(section)
    ]
    try:
        made = model.model_validate(raw)
    except ValidationError as error:
        return None, [*findings(error, model, raw), *found]
    has_errors = any(finding.severity is Severity.ERROR for finding in found)
    return (None if has_errors else made), found


def _sections(model: type[Model], raw: Raw) -> Iterator[tuple[DocPath, dict[str, Raw]]]:
    """Yield the `nccl` sections that a file of this model may have: its own, and each pool's."""
    if not isinstance(raw, dict):
        return
    if SECTION in model.model_fields and isinstance(own := raw.get(SECTION), dict):
        yield (SECTION,), own
    pools = raw.get("node_pools") if "node_pools" in model.model_fields else None
    for index, pool in enumerate(pools if isinstance(pools, list) else ()):
        if isinstance(pool, dict) and isinstance(own := pool.get(SECTION), dict):
            yield ("node_pools", index, SECTION), own


def _finding(model: type[Model], path: DocPath, problem: Problem) -> Finding:
    hint = problem.hint
    if problem.code == Code.UNKNOWN_VARIABLE and not hint:
        hint = home_of(model, path) or _ALL_FIELDS
    message, severity = problem.message, problem.severity
    return Finding(problem.code, path, message, hint, severity, problem.at_key)
